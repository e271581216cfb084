// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/history/HistoryEntry.h"

#include <QAbstractTableModel>

namespace tilescope::views {

/// The versions of one kernel, newest first. A row compares with the version before it, and with
/// the baseline where there is one.
class HistoryModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { Number, When, Change, Registers, Spilled, Shared, Time, AgainstBaseline, Count };

  using QAbstractTableModel::QAbstractTableModel;

  /// Oldest first, as they came.
  void setEntries(std::vector<HistoryEntry> entries);
  const std::vector<HistoryEntry> &entries() const { return m_entries; }
  /// Null for a row that is not there.
  const HistoryEntry *entryAt(int row) const;
  /// -1: not there.
  int rowOf(int64_t number) const;

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  size_t positionOf(int row) const { return m_entries.size() - 1 - static_cast<size_t>(row); }
  QString cellText(int row, int column) const;
  QString changeText(int row) const;

  std::vector<HistoryEntry> m_entries;
};

} // namespace tilescope::views
