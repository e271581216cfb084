// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Any bytes as a session and as the journal of a page: what is accepted is whole, and stays the
// same when it is written and read.
#include "app/ide/session/Journal.h"
#include "app/ide/session/Session.h"
#include "tests/fuzz/Check.h"

#include <QtEndian>

using namespace tilescope::app;
using tilescope::fuzz::require;

/// Length and checksum of a record.
static constexpr qsizetype kHeadBytes = 6;

/// The same records with checksums that fit: no mutation would find them.
static QByteArray withChecksums(QByteArray journal) {
  for (qsizetype at = 0; at + kHeadBytes <= journal.size();) {
    const quint32 size = qFromBigEndian<quint32>(journal.constData() + at);
    const qsizetype body = at + kHeadBytes;
    if (journal.size() - body < qsizetype(size))
      break;
    const quint16 sum = qChecksum(QByteArrayView(journal).sliced(body, qsizetype(size)));
    qToBigEndian(sum, journal.data() + at + 4);
    at = body + qsizetype(size);
  }
  return journal;
}

static void checkJournal(const QByteArray &journal) {
  const std::optional<PageRecord> page = readJournal(journal);
  if (!page)
    return;
  const std::optional<std::string> text = page->history.text();
  require(text.has_value(), "an accepted journal has a text");
  const std::optional<PageRecord> again = readJournal(wholeRecord(*page));
  require(again && again->disk == page->disk && again->history.text() == text &&
              again->history.isSaved() == page->history.isSaved(),
          "what is written can be read");
}

static void checkSession(const QByteArray &json) {
  const std::optional<Session> session = sessionFromJson(json);
  if (!session)
    return;
  const QByteArray written = toJson(*session);
  const std::optional<Session> again = sessionFromJson(written);
  require(again && toJson(*again) == written, "what is written can be read");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const QByteArray bytes(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
  checkSession(bytes);
  checkJournal(bytes);
  checkJournal(withChecksums(bytes));
  return 0;
}
