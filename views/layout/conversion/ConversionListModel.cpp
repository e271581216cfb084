// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/layout/conversion/ConversionListModel.h"

#include "compiler/access/picture/ConversionWords.h"
#include "views/common/ShortTexts.h"

#include <algorithm>

namespace tilescope::views {

using compiler::ConversionFacts;
namespace access = compiler::access;

void ConversionListModel::setFacts(ConversionsPointer facts) {
  beginResetModel();
  m_facts = std::move(facts);
  m_order = m_facts ? RowOrder(access::dearestFirst(m_facts->conversions)) : RowOrder();
  endResetModel();
}

int ConversionListModel::conversionAt(int row) const { return m_order.itemAt(row); }

int ConversionListModel::rowOf(int conversion) const { return m_order.rowOf(conversion); }

int ConversionListModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : m_order.size();
}

int ConversionListModel::columnCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : kNumColumns;
}

QString timesText(const ConversionFacts &facts, const compiler::MemoryFacts &all) {
  if (all.programs == 0)
    return {};
  const uint64_t times = facts.executions / all.programs;
  // Programs differ.
  if (facts.executions % all.programs != 0)
    return ConversionListModel::tr("%1 × on average")
        .arg(double(facts.executions) / double(all.programs), 0, 'g', 2);
  return times == 0   ? ConversionListModel::tr("never")
         : times == 1 ? ConversionListModel::tr("once")
                      : ConversionListModel::tr("%1 ×").arg(times);
}

QString ConversionListModel::textAt(const ConversionFacts &facts, int column) const {
  switch (column) {
  case LineColumn: {
    if (facts.range.empty())
      return {};
    const QString line = QString::number(facts.range.begin.line + 1);
    return facts.range.file == 0 ? line : QStringLiteral("+") + line;
  }
  case ConversionColumn:
    return QString::fromStdString(access::conversionTitle(facts));
  case CostColumn:
    return QString::fromStdString(access::shortCost(facts));
  case TimesColumn: {
    const QString times = timesText(facts, *m_facts);
    return times.isEmpty() ? (facts.isInLoop ? tr("loop") : QString()) : times;
  }
  default:
    return {};
  }
}

QVariant ConversionListModel::data(const QModelIndex &index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid))
    return {};
  const ConversionFacts &facts =
      m_facts->conversions[static_cast<size_t>(conversionAt(index.row()))];
  switch (role) {
  case Qt::DisplayRole:
    return textAt(facts, index.column());
  case kShortTextRole:
    return index.column() == ConversionColumn ? QString::fromStdString(access::layoutsTitle(facts))
                                              : QString();
  case Qt::ToolTipRole:
    // Of all columns: a narrow list shows some of them.
    return QStringList{textAt(facts, ConversionColumn),
                       QString::fromStdString(access::conversionCost(facts)),
                       tr("A program: %1").arg(textAt(facts, TimesColumn))}
        .join(u'\n');
  case Qt::TextAlignmentRole:
    return index.column() == ConversionColumn ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                                              : QVariant(Qt::AlignRight | Qt::AlignVCenter);
  default:
    return {};
  }
}

QVariant ConversionListModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
    return {};
  switch (section) {
  case LineColumn:
    return tr("Line");
  case ConversionColumn:
    return tr("Conversion");
  case CostColumn:
    return tr("Cost");
  case TimesColumn:
    return tr("A program");
  default:
    return {};
  }
}

} // namespace tilescope::views
