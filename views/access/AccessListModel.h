// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/access/AccessContent.h"
#include "views/common/RowOrder.h"

#include <QAbstractTableModel>

namespace tilescope::views {

/// All accesses of a kernel, the most wasteful first; behind them what is not counted, and why.
class AccessListModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { LineColumn, AccessColumn, UsedColumn, MovedColumn, RequestsColumn, LaneColumn };
  static constexpr int kNumColumns = LaneColumn + 1;
  /// From 0 to 1; nothing where it is not known.
  enum Role { EfficiencyRole = Qt::UserRole + 1 };

  using QAbstractTableModel::QAbstractTableModel;

  /// Null empties it.
  void setFacts(MemoryFactsPointer facts);
  /// The position among the facts' accesses; -1 for what is not counted.
  int accessAt(int row) const;
  /// The position among what is not counted; -1 for an access.
  int uncountedAt(int row) const;
  int rowOfUncounted(int uncounted) const;
  int rowOf(int access) const;
  SourceRange rangeAt(int row) const;

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  /// Null for an access.
  const compiler::UncountedAccess *uncountedFacts(int row) const;
  QString textAt(int row, int column) const;
  QString tipAt(int row) const;
  static QString columnTip(int column);

  MemoryFactsPointer m_facts;
  RowOrder m_order;
};

} // namespace tilescope::views
