// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/history/HistoryEntry.h"

#include <QString>

#include <optional>

namespace tilescope::app {

QByteArray historyToJson(const std::vector<views::HistoryEntry> &entries);
/// Nothing when the bytes are not those of a history. Entries that lack a text, a kernel or a
/// number are left out.
std::optional<std::vector<views::HistoryEntry>> historyFromJson(const QByteArray &json);

/// A folder with a file of versions for each file of the user's, `<SHA-1 of its name>.json`. Any
/// thread, one at a time.
class HistoryStore {
public:
  /// Files kept; those that were not written for longest go first.
  static constexpr int kMostFiles = 100;

  explicit HistoryStore(QString folder) : m_folder(std::move(folder)) {}

  /// Empty when there are none. A damaged file is put aside, as `NAME.json.damaged`.
  std::vector<views::HistoryEntry> load(const QString &name) const;
  /// Returns what went wrong, or nothing. Without entries the file is removed.
  QString save(const QString &name, const std::vector<views::HistoryEntry> &entries) const;

private:
  QString pathOf(const QString &name) const;
  void removeOldest() const;

  QString m_folder;
};

} // namespace tilescope::app
