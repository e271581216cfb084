// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/sweep/SweepModel.h"

#include "profiler/analysis/SweepWords.h"

#include <algorithm>

namespace tilescope::views {

using profiler::SweepPoint;

void SweepModel::setSweep(SweepPointer sweep) {
  beginResetModel();
  m_sweep = std::move(sweep);
  m_names = m_sweep ? profiler::sweepNames(*m_sweep) : std::vector<std::string>();
  m_order = m_sweep ? RowOrder(profiler::tableOrder(*m_sweep)) : RowOrder();
  endResetModel();
}

int SweepModel::pointAt(int row) const { return m_order.itemAt(row); }

int SweepModel::rowOf(size_t point) const { return m_order.rowOf(static_cast<int>(point)); }

int SweepModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : m_order.size();
}

int SweepModel::columnCount(const QModelIndex &parent) const {
  return parent.isValid() || !m_sweep ? 0 : static_cast<int>(m_names.size()) + kNumColumns;
}

/// What is not known is empty, never zero.
static QString numberText(const std::optional<double> &value, int digits) {
  return value ? QString::number(*value, 'f', digits) : QString();
}

static QString countText(const std::optional<int64_t> &value) {
  return value ? QString::number(*value) : QString();
}

QString SweepModel::textAt(const SweepPoint &point, int column) const {
  const auto numNames = static_cast<int>(m_names.size());
  if (column < numNames) {
    const auto value = point.values.find(m_names[static_cast<size_t>(column)]);
    return value == point.values.end() ? QString() : QString::fromStdString(value->second);
  }
  switch (static_cast<Column>(column - numNames)) {
  case Status:
    return QString::fromLatin1(profiler::sweepStatusName(point.status));
  case Median:
    return numberText(point.medianUs, 2);
  case Interval:
    return point.minUs && point.maxUs
               ? tr("%1 to %2").arg(numberText(point.minUs, 2), numberText(point.maxUs, 2))
               : QString();
  case Predicted:
    return numberText(point.predictedUs, 2);
  case GbPerS:
    return numberText(point.gbPerS, 0);
  case TflopPerS:
    return numberText(point.tflopPerS, 2);
  case Registers:
    return countText(point.registers);
  case Spilled:
    return countText(point.spillBytes);
  case Shared:
    return countText(point.sharedBytes);
  case Occupancy:
    return point.occupancy ? tr("%1 %").arg(qRound(*point.occupancy * 100)) : QString();
  case Reason:
    return QString::fromStdString(point.reason);
  }
  return {};
}

/// Of all columns: a narrow table shows some of them.
QString SweepModel::tipAt(const SweepPoint &point) const {
  QStringList lines;
  for (int column = 0; column < columnCount(); ++column)
    if (const QString value = textAt(point, column); !value.isEmpty())
      lines << QStringLiteral("%1: %2").arg(
          headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(), value);
  return lines.join(u'\n');
}

QVariant SweepModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid))
    return {};
  const SweepPoint &point = m_sweep->points[static_cast<size_t>(m_order.itemAt(index.row()))];
  if (role == Qt::DisplayRole)
    return textAt(point, index.column());
  if (role == Qt::ToolTipRole)
    return tipAt(point);
  const bool isWords = index.column() == columnOf(Status) || index.column() == columnOf(Reason);
  if (role == Qt::TextAlignmentRole)
    return isWords ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                   : QVariant(Qt::AlignRight | Qt::AlignVCenter);
  return {};
}

QVariant SweepModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
    return {};
  const auto numNames = static_cast<int>(m_names.size());
  if (role == Qt::ToolTipRole && section == columnOf(Interval))
    return tr("The fastest and the slowest run, in microseconds");
  if (role == Qt::ToolTipRole && section == columnOf(Predicted))
    return tr("What the static model expects, with a cold L2 cache: no GPU is needed for it");
  if (role != Qt::DisplayRole)
    return {};
  if (section < numNames)
    return QString::fromStdString(m_names[static_cast<size_t>(section)]);
  switch (static_cast<Column>(section - numNames)) {
  case Status:
    return tr("Status");
  case Median:
    return tr("µs");
  case Interval:
    return tr("Runs, µs");
  case Predicted:
    return tr("Predicted, µs");
  case GbPerS:
    return tr("GB/s");
  case TflopPerS:
    return tr("TFLOP/s");
  case Registers:
    return tr("Registers");
  case Spilled:
    return tr("Spilled, bytes");
  case Shared:
    return tr("Shared, bytes");
  case Occupancy:
    return tr("Occupancy");
  case Reason:
    return tr("Reason");
  }
  return {};
}

} // namespace tilescope::views
