// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/registers/AliveModel.h"

#include "views/common/ShortTexts.h"

namespace tilescope::views {

namespace machine = compiler::machine;

void AliveModel::setStep(RegistersContentPointer content, compiler::StageId stage, size_t step) {
  beginResetModel();
  m_content = std::move(content);
  m_stage = stage;
  m_groups.clear();
  if (m_content && !m_content->code(stage).liveness.empty())
    m_groups =
        machine::aliveGroups(m_content->code(stage).liveness, step, m_content->code(stage).map);
  endResetModel();
}

int AliveModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_groups.size());
}

int AliveModel::columnCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : kNumColumns;
}

QString AliveModel::text(const machine::AliveGroup &group, Column column) const {
  switch (column) {
  case Line:
    return group.place ? QString::number(group.place->begin.line + 1) : QString();
  case Name:
    return group.place ? QString::fromStdString(machine::placeName(m_content->source, *group.place))
                       : tr("of no line: made by the compiler");
  case Registers:
    return group.registers > 0 ? QString::number(group.registers) : QStringLiteral("\u2013");
  case Which:
  case kNumColumns:
    break;
  }
  return QString::fromStdString(
      machine::valueNames(m_content->code(m_stage).liveness, group.values));
}

QVariant AliveModel::data(const QModelIndex &index, int role) const {
  if (!index.isValid())
    return {};
  const auto column = static_cast<Column>(index.column());
  if (role == Qt::DisplayRole)
    return text(group(index.row()), column);
  if (role == kShortTextRole && column == Name && !group(index.row()).place)
    return tr("by the compiler");
  // Of all columns: a narrow table shows some of them.
  if (role == Qt::ToolTipRole)
    return QStringLiteral("%1\n%2").arg(text(group(index.row()), Name),
                                        text(group(index.row()), Which));
  if (role == Qt::TextAlignmentRole && (column == Line || column == Registers))
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  return {};
}

QVariant AliveModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
    return {};
  switch (static_cast<Column>(section)) {
  case Line:
    return tr("Line");
  case Name:
    return tr("Value");
  case Registers:
    return tr("Registers");
  case Which:
    return tr("Which");
  case kNumColumns:
    break;
  }
  return {};
}

} // namespace tilescope::views
