// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/StepState.h"

#include <QAbstractTableModel>

#include <vector>

namespace tilescope::views {

/// The values of a stopped program: watch expressions first, then variables in the order in which
/// they came to be, then values that have no name in the source.
class StepModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { Name, Value, Type, Ssa, NumColumns };
  enum Role {
    /// Computed since the last stop.
    ChangedRole = Qt::UserRole + 1,
    /// A watch expression, or what is wrong with it.
    WatchRole,
    FaultRole,
    /// A value without a name in the source.
    UnnamedRole,
  };

  using QAbstractTableModel::QAbstractTableModel;

  /// Rows that were there before stay the same ones.
  void setState(const compiler::StepState &state);
  void clear();

  int numWatches() const { return static_cast<int>(m_watches.size()); }
  /// The value of a row; null for a watch expression.
  const compiler::StepValue *value(int row) const;
  /// The watch expression of a row; null for a value.
  const compiler::StepWatch *watch(int row) const;
  /// What the picture of a row is asked by; empty: it has none.
  QString blockName(int row) const;
  /// The row of a name; -1: there is none.
  int rowOf(const QString &blockName) const;
  /// The row of a value without elements; -1: there is none.
  int rowOfConstant(const QString &name) const;

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  std::vector<compiler::StepWatch> m_watches;
  std::vector<compiler::StepValue> m_values;
};

} // namespace tilescope::views
