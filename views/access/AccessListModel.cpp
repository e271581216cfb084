// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/access/AccessListModel.h"

#include "compiler/access/picture/AccessWords.h"

#include <algorithm>

namespace tilescope::views {

using compiler::AccessFacts;
namespace access = compiler::access;

void AccessListModel::setFacts(MemoryFactsPointer facts) {
  beginResetModel();
  m_facts = std::move(facts);
  m_order = m_facts ? RowOrder(access::worstFirst(m_facts->accesses)) : RowOrder();
  endResetModel();
}

int AccessListModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() || !m_facts
             ? 0
             : m_order.size() + static_cast<int>(m_facts->uncounted.size());
}

int AccessListModel::columnCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : kNumColumns;
}

int AccessListModel::accessAt(int row) const { return m_order.itemAt(row); }

int AccessListModel::uncountedAt(int row) const {
  const int at = row - m_order.size();
  return m_facts && at >= 0 && at < static_cast<int>(m_facts->uncounted.size()) ? at : -1;
}

int AccessListModel::rowOfUncounted(int uncounted) const {
  const int row = m_order.size() + uncounted;
  return uncounted >= 0 && uncountedAt(row) == uncounted ? row : -1;
}

const compiler::UncountedAccess *AccessListModel::uncountedFacts(int row) const {
  const int at = uncountedAt(row);
  return at < 0 ? nullptr : &m_facts->uncounted[static_cast<size_t>(at)];
}

int AccessListModel::rowOf(int access) const { return m_order.rowOf(access); }

SourceRange AccessListModel::rangeAt(int row) const {
  if (const compiler::UncountedAccess *uncounted = uncountedFacts(row))
    return uncounted->range;
  const int at = accessAt(row);
  return at < 0 ? SourceRange() : m_facts->accesses[static_cast<size_t>(at)].range;
}

static QString lineText(const SourceRange &range) {
  if (range.empty())
    return {};
  const QString line = QString::number(range.begin.line + 1);
  return range.file == 0 ? line : QStringLiteral("+") + line;
}

QString AccessListModel::textAt(int row, int column) const {
  if (column == LineColumn)
    return lineText(rangeAt(row));
  if (const compiler::UncountedAccess *uncounted = uncountedFacts(row))
    return column == AccessColumn
               ? tr("%1: not counted").arg(QString::fromStdString(uncounted->operation))
               : QString();
  const AccessFacts &facts = m_facts->accesses[static_cast<size_t>(accessAt(row))];
  const compiler::AccessCounts &counts = facts.counts;
  switch (column) {
  case AccessColumn:
    return QString::fromStdString(access::accessTitle(facts));
  case LaneColumn:
    return tr("%1 B").arg(facts.vectorBytes);
  case RequestsColumn:
    return QString::number(counts.requests);
  case MovedColumn:
    return isShared(facts.action) ? tr("%1 wavefronts").arg(counts.wavefronts)
                                  : tr("%1 sectors").arg(counts.sectors);
  case UsedColumn: {
    const std::optional<double> share = access::efficiency(facts);
    return share ? tr("%1 %").arg(qRound(*share * 100)) : QStringLiteral("—");
  }
  default:
    return {};
  }
}

QString AccessListModel::tipAt(int row) const {
  if (const compiler::UncountedAccess *uncounted = uncountedFacts(row))
    return QString::fromStdString(uncounted->reason);
  // Of all columns: a narrow list shows some of them.
  QStringList lines{textAt(row, AccessColumn)};
  for (int column = AccessColumn + 1; column < kNumColumns; ++column)
    lines << tr("%1: %2").arg(headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(),
                              textAt(row, column));
  lines << QString::fromStdString(
      access::widthSentence(m_facts->accesses[static_cast<size_t>(accessAt(row))]));
  return lines.join(u'\n');
}

QVariant AccessListModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid))
    return {};
  switch (role) {
  case Qt::DisplayRole:
    return textAt(index.row(), index.column());
  case Qt::ToolTipRole:
    return tipAt(index.row());
  case Qt::TextAlignmentRole:
    return index.column() == AccessColumn ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                                          : QVariant(Qt::AlignRight | Qt::AlignVCenter);
  case EfficiencyRole: {
    const int at = accessAt(index.row());
    const auto share =
        at < 0 ? std::nullopt : access::efficiency(m_facts->accesses[static_cast<size_t>(at)]);
    return share ? QVariant(*share) : QVariant();
  }
  default:
    return {};
  }
}

QString AccessListModel::columnTip(int column) {
  switch (column) {
  case LineColumn:
    return tr("The line of the access; + is a line of an imported file");
  case AccessColumn:
    return tr("What is done to which argument");
  case UsedColumn:
    return tr("How much of what is moved the kernel needs");
  case LaneColumn:
    return tr("Bytes that one instruction moves for each lane");
  case RequestsColumn:
    return tr("Instructions of a warp that go to memory, in the whole launch");
  case MovedColumn:
    return tr("Sectors of 32 bytes in global memory, or passes through the banks of shared memory");
  default:
    return {};
  }
}

QVariant AccessListModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kNumColumns)
    return {};
  if (role == Qt::ToolTipRole)
    return columnTip(section);
  if (role != Qt::DisplayRole)
    return {};
  switch (section) {
  case LineColumn:
    return tr("Line");
  case AccessColumn:
    return tr("Access");
  case LaneColumn:
    return tr("Lane");
  case RequestsColumn:
    return tr("Requests");
  case MovedColumn:
    return tr("Moved");
  case UsedColumn:
    return tr("Used");
  default:
    return {};
  }
}

} // namespace tilescope::views
