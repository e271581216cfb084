// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/session/Journal.h"

#include <QCryptographicHash>
#include <QDataStream>
#include <QIODevice>

namespace tilescope::app {

using views::Edit;
using views::EditEvent;
using views::EditHistory;

namespace {
enum class RecordKind : quint8 { Whole, Event, Disk };
} // namespace

/// The first had no stops.
static constexpr quint8 kVersion = 2;
/// Length and checksum in front of every record.
static constexpr qsizetype kHeadBytes = 6;

QByteArray digestOf(std::string_view bytes) {
  return QCryptographicHash::hash(
      QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())),
      QCryptographicHash::Sha256);
}

static QDataStream &operator<<(QDataStream &out, const std::string &bytes) {
  return out << QByteArray::fromRawData(bytes.data(), static_cast<qsizetype>(bytes.size()));
}

static QDataStream &operator>>(QDataStream &in, std::string &bytes) {
  QByteArray read;
  in >> read;
  bytes = read.toStdString();
  return in;
}

static QDataStream &operator<<(QDataStream &out, const Edit &edit) {
  return out << quint64(edit.offset) << quint64(edit.numRemoved) << edit.inserted;
}

static QDataStream &operator>>(QDataStream &in, Edit &edit) {
  quint64 offset = 0, numRemoved = 0;
  in >> offset >> numRemoved >> edit.inserted;
  edit.offset = offset;
  edit.numRemoved = numRemoved;
  return in;
}

static QDataStream &operator<<(QDataStream &out, const DiskState &disk) {
  return out << disk.path << disk.digest << disk.format.hasByteOrderMark
             << disk.format.hasCarriageReturns;
}

static QDataStream &operator>>(QDataStream &in, DiskState &disk) {
  return in >> disk.path >> disk.digest >> disk.format.hasByteOrderMark >>
         disk.format.hasCarriageReturns;
}

template <typename Write> static QByteArray record(RecordKind kind, Write write) {
  QByteArray body;
  QDataStream out(&body, QIODevice::WriteOnly);
  out.setVersion(QDataStream::Qt_6_0);
  out << quint8(kind);
  write(out);
  QByteArray whole;
  QDataStream head(&whole, QIODevice::WriteOnly);
  head << quint32(body.size()) << quint16(qChecksum(body));
  return whole + body;
}

QByteArray wholeRecord(const PageRecord &page) {
  return record(RecordKind::Whole, [&](QDataStream &out) {
    const EditHistory &history = page.history;
    out << kVersion << page.disk << history.base() << quint32(history.steps().size());
    for (const EditHistory::Step &step : history.steps()) {
      out << quint32(step.size());
      for (const Edit &edit : step)
        out << edit;
    }
    out << quint32(history.numApplied()) << history.saved().has_value()
        << quint32(history.saved().value_or(0)) << quint32(history.stops().size());
    for (const size_t stop : history.stops())
      out << quint32(stop);
  });
}

QByteArray eventRecord(const EditEvent &event) {
  return record(RecordKind::Event,
                [&](QDataStream &out) { out << quint8(event.kind) << event.edit; });
}

QByteArray diskRecord(const DiskState &disk, bool saved) {
  return record(RecordKind::Disk, [&](QDataStream &out) { out << disk << saved; });
}

static std::optional<PageRecord> readWhole(QDataStream &in) {
  quint8 version = 0;
  PageRecord page;
  std::string base;
  quint32 numSteps = 0;
  in >> version >> page.disk >> base >> numSteps;
  std::vector<EditHistory::Step> steps;
  for (quint32 i = 0; i < numSteps && in.status() == QDataStream::Ok; ++i) {
    quint32 numEdits = 0;
    in >> numEdits;
    EditHistory::Step &step = steps.emplace_back();
    for (quint32 k = 0; k < numEdits && in.status() == QDataStream::Ok; ++k)
      in >> step.emplace_back();
  }
  quint32 numApplied = 0, saved = 0;
  bool isSaved = false;
  in >> numApplied >> isSaved >> saved;
  quint32 numStops = 0;
  if (version > 1)
    in >> numStops;
  std::set<size_t> stops;
  for (quint32 i = 0; i < numStops && in.status() == QDataStream::Ok; ++i) {
    quint32 stop = 0;
    in >> stop;
    stops.insert(stop);
  }
  std::optional<EditHistory> history = EditHistory::fromParts(
      std::move(base), std::move(steps), numApplied,
      isSaved ? std::optional<size_t>(saved) : std::nullopt, std::move(stops));
  if (version < 1 || version > kVersion || in.status() != QDataStream::Ok || !history)
    return std::nullopt;
  page.history = std::move(*history);
  return page;
}

/// False when the record does not fit the page.
static bool applyRecord(QDataStream &in, RecordKind kind, PageRecord &page) {
  if (kind == RecordKind::Disk) {
    DiskState disk;
    bool saved = false;
    in >> disk >> saved;
    if (in.status() != QDataStream::Ok)
      return false;
    page.disk = disk;
    saved ? page.history.markSaved() : page.history.markUnsaved();
    return true;
  }
  quint8 what = 0;
  EditEvent event;
  in >> what >> event.edit;
  event.kind = static_cast<views::EditKind>(what);
  return kind == RecordKind::Event && what <= quint8(views::EditKind::Stop) &&
         in.status() == QDataStream::Ok && page.history.apply(std::move(event));
}

std::optional<PageRecord> readJournal(const QByteArray &journal) {
  std::optional<PageRecord> page;
  QByteArrayView rest(journal);
  while (rest.size() >= kHeadBytes) {
    const QByteArray headBytes = rest.first(kHeadBytes).toByteArray();
    QDataStream head(headBytes);
    quint32 size = 0;
    quint16 sum = 0;
    head >> size >> sum;
    rest = rest.sliced(kHeadBytes);
    if (rest.size() < qsizetype(size) || qChecksum(rest.first(size)) != sum)
      break;
    const QByteArray body = QByteArray::fromRawData(rest.data(), size);
    rest = rest.sliced(size);
    QDataStream in(body);
    in.setVersion(QDataStream::Qt_6_0);
    quint8 kind = 0;
    in >> kind;
    if (!page && kind == quint8(RecordKind::Whole))
      page = readWhole(in);
    else if (!page || !applyRecord(in, static_cast<RecordKind>(kind), *page))
      break;
    if (!page)
      break;
  }
  // An edit that does not fit its text makes all of it doubtful.
  return page && page->history.text() ? page : std::nullopt;
}

} // namespace tilescope::app
