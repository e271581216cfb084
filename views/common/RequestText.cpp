// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/RequestText.h"

#include "compiler/access/Transactions.h"
#include "compiler/access/picture/AccessWords.h"
#include "compiler/support/BytesText.h"

#include <QCoreApplication>
#include <QStringList>

#include <bit>

namespace tilescope::views {

namespace access = compiler::access;
using access::RequestPicture;

static QString tr(const char *text) { return QCoreApplication::translate("RequestText", text); }
static QString text(const std::string &value) { return QString::fromStdString(value); }

static QString counted(uint64_t count, const QString &one, const QString &many) {
  return QStringLiteral("%1 %2").arg(count).arg(count == 1 ? one : many);
}

static QString requests(uint64_t count) { return counted(count, tr("request"), tr("requests")); }
static QString sectors(uint64_t count) { return counted(count, tr("sector"), tr("sectors")); }
static QString lines(uint64_t count) { return counted(count, tr("line"), tr("lines")); }
static QString passes(uint64_t count) { return counted(count, tr("wavefront"), tr("wavefronts")); }

/// Of global memory; empty: the access is the only one of its place.
static QString togetherText(const compiler::AccessFacts &facts, const compiler::MemoryFacts &all) {
  uint64_t bytes = 0;
  int others = -1;
  for (const compiler::AccessFacts &each : all.accesses)
    if (each.range == facts.range && each.action == facts.action &&
        each.argument == facts.argument) {
      bytes += each.counts.bytesFetched;
      ++others;
    }
  if (others < 1 || facts.range.empty() || isShared(facts.action))
    return {};
  return others == 1
             ? tr("%1 with the other of this line").arg(text(bytesText(bytes)))
             : tr("%1 with the %2 others of this line").arg(text(bytesText(bytes))).arg(others);
}

QString costText(const compiler::AccessFacts &facts, const compiler::MemoryFacts &all) {
  const compiler::AccessCounts &counts = facts.counts;
  QStringList parts;
  if (isShared(facts.action))
    parts << tr("%1, at least %2").arg(passes(counts.wavefronts)).arg(counts.minimumWavefronts);
  else
    parts << (facts.action == compiler::MemoryAction::GlobalLoad ||
                      facts.action == compiler::MemoryAction::AsyncCopy
                  ? tr("%1 of %2 fetched used")
                  : tr("%1 of its sectors' %2 written"))
                 .arg(text(access::percentText(counts.bytesUsed, counts.bytesFetched)),
                      text(bytesText(counts.bytesFetched)));
  parts << togetherText(facts, all) << requests(counts.requests);
  if (!isShared(facts.action))
    parts << sectors(counts.sectors) << lines(counts.lines);
  parts << tr("%1 asked for").arg(text(bytesText(counts.bytesAsked)));
  if (counts.instructions != counts.requests)
    parts << counted(counts.instructions, tr("instruction"), tr("instructions"));
  if (facts.executions != 1)
    parts << counted(facts.executions, tr("execution"), tr("executions"));
  parts.removeAll(QString());
  return parts.join(QStringLiteral(" · "));
}

/// Why a request without conflicts takes several passes though its bytes would fit into fewer; empty:
/// it does not.
static QString groupsText(const RequestPicture &request) {
  const compiler::AccessCounts &counts = request.counts;
  const auto line = static_cast<uint64_t>(access::kLineBytes);
  if (counts.minimumWavefronts <= (counts.bytesUsed + line - 1) / line || request.vectorBytes <= 0)
    return {};
  return tr("lanes with %1 bytes each go %2 at a time, or twice as many of a load whose neighbors "
            "share addresses")
      .arg(request.vectorBytes)
      .arg(access::kLineBytes / request.vectorBytes);
}

QString requestText(const RequestPicture &request) {
  const compiler::AccessCounts &counts = request.counts;
  QStringList parts{tr("warp %1, register %2").arg(request.warp).arg(request.firstRegister)};
  if (counts.requests == 0)
    return parts.front() + tr(": no lane is on");
  if (request.isShared)
    parts << tr("%1, at least %2").arg(passes(counts.wavefronts)).arg(counts.minimumWavefronts)
          << groupsText(request);
  else
    parts << tr("%1 in %2").arg(sectors(counts.sectors), lines(counts.lines))
          << tr("%1 would do").arg(sectors(request.leastSectors()))
          << tr("%1 of %2 used")
                 .arg(text(bytesText(counts.bytesUsed)), text(bytesText(counts.bytesFetched)));
  parts.removeAll(QString());
  return parts.join(QStringLiteral(" · "));
}

qint64 numPassChoices(const RequestPicture &request) {
  const auto passes = static_cast<qint64>(request.counts.wavefronts);
  return request.isShared && passes > 1 ? passes + 1 : 1;
}

QString passText(const RequestPicture &request, int pass) {
  uint32_t lanes = 0;
  int words = 0;
  for (const access::SharedWord &word : request.words)
    if (word.pass == pass) {
      lanes |= word.lanes;
      ++words;
    }
  return tr("pass %1 of %2 of warp %3: %4, %5 of 32 banks busy")
      .arg(pass + 1)
      .arg(request.counts.wavefronts)
      .arg(request.warp)
      .arg(text(access::lanesText(lanes)))
      .arg(words);
}

QString placeText(const RequestPicture &request, int place,
                  const compiler::RecordedAccess &recorded, const compiler::AccessRecord &record) {
  if (place < 0 || place >= static_cast<int>(request.places.size()))
    return {};
  const access::PicturePlace &at = request.places[static_cast<size_t>(place)];
  QStringList parts{text(access::lanesText(at.lanes)), tr("register %1").arg(at.registerNumber)};
  if (request.isShared) {
    parts << tr("offset %1 B in its buffer").arg(at.address)
          << tr("bank %1").arg(at.begin / access::kBankBytes);
    if (std::has_single_bit(at.passes))
      parts << tr("pass %1 of %2")
                   .arg(std::countr_zero(at.passes) + 1)
                   .arg(request.counts.wavefronts);
    if (at.conflicts)
      parts << tr("its bank has %1 words to give")
                   .arg(request.numWords(at.begin / static_cast<int>(access::kBankBytes)));
    return parts.join(QStringLiteral(" · "));
  }
  if (!recorded.shape.empty())
    parts << tr("element %1 of the block")
                 .arg(text(access::indexText(access::blockIndex(at.element, recorded.shape))));
  const std::string element = access::addressText(record, at.address);
  const std::string offset = access::offsetText(record, at.address);
  parts << text(element);
  if (offset != element)
    parts << text(offset);
  parts << tr("sector %1 of its line").arg(at.begin / access::kSectorBytes);
  return parts.join(QStringLiteral(" · "));
}

} // namespace tilescope::views
