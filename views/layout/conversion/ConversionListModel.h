// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/AccessFacts.h"
#include "views/common/RowOrder.h"

#include <QAbstractTableModel>

#include <memory>

namespace tilescope::views {

using ConversionsPointer = std::shared_ptr<const compiler::MemoryFacts>;

/// All conversions of a kernel: those in loops first, of them the dearest.
class ConversionListModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { LineColumn, ConversionColumn, CostColumn, TimesColumn };
  static constexpr int kNumColumns = TimesColumn + 1;

  using QAbstractTableModel::QAbstractTableModel;

  /// Null empties it.
  void setFacts(ConversionsPointer facts);
  /// The position among the facts' conversions; -1: there is no such row.
  int conversionAt(int row) const;
  int rowOf(int conversion) const;

  int rowCount(const QModelIndex &parent = {}) const override;
  int columnCount(const QModelIndex &parent = {}) const override;
  QVariant data(const QModelIndex &index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  QString textAt(const compiler::ConversionFacts &facts, int column) const;

  ConversionsPointer m_facts;
  RowOrder m_order;
};

/// How often a program executes a conversion: `once`, `64 ×`; empty where that is not known.
QString timesText(const compiler::ConversionFacts &facts, const compiler::MemoryFacts &all);

} // namespace tilescope::views
