// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/step/StepModel.h"

#include "views/common/QuotedCode.h"

#include <algorithm>

namespace tilescope::views {

using compiler::StepValue;
using compiler::StepWatch;

static QString text(const std::string &value) { return QString::fromStdString(value); }

void StepModel::setState(const compiler::StepState &state) {
  const auto isSameRow = [](const StepValue &a, const StepValue &b) {
    return a.name == b.name && (a.isNamed ? b.isNamed : a.ssa == b.ssa);
  };
  const bool isAlike = state.watches.size() == m_watches.size() &&
                       std::ranges::equal(state.values, m_values, isSameRow);
  if (!isAlike)
    beginResetModel();
  m_watches = state.watches;
  m_values = state.values;
  if (!isAlike)
    return endResetModel();
  if (rowCount() > 0)
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, NumColumns - 1));
}

void StepModel::clear() {
  beginResetModel();
  m_watches.clear();
  m_values.clear();
  endResetModel();
}

const StepWatch *StepModel::watch(int row) const {
  return row >= 0 && row < numWatches() ? &m_watches[static_cast<size_t>(row)] : nullptr;
}

const StepValue *StepModel::value(int row) const {
  const int at = row - numWatches();
  return at >= 0 && at < static_cast<int>(m_values.size()) ? &m_values[static_cast<size_t>(at)]
                                                           : nullptr;
}

QString StepModel::blockName(int row) const {
  const StepValue *shown = value(row);
  if (!shown || !shown->isBlock)
    return {};
  return text(shown->isNamed ? shown->name : shown->ssa);
}

int StepModel::rowOf(const QString &name) const {
  for (int row = 0; row < rowCount(); ++row)
    if (!name.isEmpty() && blockName(row) == name)
      return row;
  return -1;
}

int StepModel::rowOfConstant(const QString &name) const {
  for (int row = 0; row < rowCount(); ++row)
    if (const StepValue *shown = value(row);
        !name.isEmpty() && shown && !shown->isBlock && text(shown->name) == name)
      return row;
  return -1;
}

int StepModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : numWatches() + static_cast<int>(m_values.size());
}

int StepModel::columnCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : NumColumns;
}

static QVariant watchData(const StepWatch &watch, int column, int role) {
  switch (role) {
  case Qt::DisplayRole:
  case Qt::ToolTipRole:
    return column == StepModel::Name ? text(watch.expression)
           : column == StepModel::Value
               ? (watch.isError ? quotedCode(text(watch.text)) : text(watch.text))
               : QString();
  case Qt::EditRole:
    return text(watch.expression);
  case StepModel::WatchRole:
    return true;
  case StepModel::FaultRole:
    return watch.isError;
  default:
    return {};
  }
}

QVariant StepModel::data(const QModelIndex &index, int role) const {
  if (!index.isValid())
    return {};
  if (const StepWatch *shown = watch(index.row()))
    return watchData(*shown, index.column(), role);
  const StepValue *shown = value(index.row());
  if (!shown)
    return {};
  switch (role) {
  case Qt::DisplayRole:
  case Qt::ToolTipRole:
    return index.column() == Name    ? text(shown->name)
           : index.column() == Value ? text(shown->preview)
           : index.column() == Type  ? text(shown->type)
                                     : text(shown->ssa);
  case ChangedRole:
    return shown->isChanged;
  case UnnamedRole:
    return !shown->isNamed;
  case Qt::AccessibleTextRole:
    return index.column() == Value && shown->isChanged ? tr("%1, changed").arg(text(shown->preview))
                                                       : QVariant();
  default:
    return {};
  }
}

QVariant StepModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole || orientation != Qt::Horizontal)
    return {};
  switch (section) {
  case Name:
    return tr("Name");
  case Value:
    return tr("Value");
  case Type:
    return tr("Type");
  default:
    return tr("In the IR");
  }
}

} // namespace tilescope::views
