// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/files/TextFormat.h"
#include "views/editor/EditHistory.h"

#include <QByteArray>
#include <QString>

namespace tilescope::app {

/// What is known of a page's file.
struct DiskState {
  /// Empty for a text without a file.
  QString path;
  /// Of the bytes that were read or written last; empty: there is no such file.
  QByteArray digest;
  TextFormat format;
  bool operator==(const DiskState &) const = default;
};

/// What survives of a page: its file, its text and how the text came about.
struct PageRecord {
  DiskState disk;
  views::EditHistory history;
};

QByteArray digestOf(std::string_view bytes);

/// The journal of a page is a file of records: one whole page, then what has happened since.
/// Records are only added at the end, so writing down a key costs a few bytes, and a record that
/// was cut off by a crash costs only itself.
QByteArray wholeRecord(const PageRecord &page);
QByteArray eventRecord(const views::EditEvent &event);
/// The file was written or read again, or what it holds now was taken note of; `saved`: its text is
/// the page's.
QByteArray diskRecord(const DiskState &disk, bool saved);

/// Plays a journal up to the first record that is damaged; nothing when that is the first one.
std::optional<PageRecord> readJournal(const QByteArray &journal);

} // namespace tilescope::app
