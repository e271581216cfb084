// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/analysis/Sweep.h"
#include "views/common/RowOrder.h"

#include <QAbstractTableModel>

#include <memory>
#include <string>
#include <vector>

namespace tilescope::views {

using SweepPointer = std::shared_ptr<const profiler::Sweep>;

/// The points of a sweep: for each work the fastest first, then those without times, which are
/// ordered by what is predicted. In front are the
/// names that the sweep changes.
class SweepModel : public QAbstractTableModel {
  Q_OBJECT
public:
  /// Behind the names.
  enum Column {
    Status,
    Median,
    Interval,
    Predicted,
    GbPerS,
    TflopPerS,
    Registers,
    Spilled,
    Shared,
    Occupancy,
    Reason
  };
  static constexpr int kNumColumns = Reason + 1;

  using QAbstractTableModel::QAbstractTableModel;

  /// Null empties it.
  void setSweep(SweepPointer sweep);
  int columnOf(Column column) const { return static_cast<int>(m_names.size()) + column; }
  /// Among the sweep's points; -1: there is no such row.
  int pointAt(int row) const;
  int rowOf(size_t point) const;

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  QString textAt(const profiler::SweepPoint &point, int column) const;
  QString tipAt(const profiler::SweepPoint &point) const;

  SweepPointer m_sweep;
  std::vector<std::string> m_names;
  RowOrder m_order;
};

} // namespace tilescope::views
