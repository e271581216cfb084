// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/tensor/NumberTable.h"

#include "views/common/tensor/TensorModel.h"
#include "views/common/tensor/TensorPictures.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace tilescope::views {

namespace {
struct ElementDelegate : QStyledItemDelegate {
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter *painter, const QStyleOptionViewItem &option,
             const QModelIndex &index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    if (!index.data(TensorModel::DiffersRole).toBool())
      return;
    painter->setPen(QPen(HeatMap::markColor(), 2));
    painter->drawRect(option.rect.adjusted(1, 1, -1, -1));
  }
};
} // namespace

NumberTable::NumberTable(QWidget *parent) : QTableView(parent) {
  setItemDelegate(new ElementDelegate(this));
  // By default a thousand rows are measured, whose numbers take a tenth of a second to write.
  constexpr int kMeasuredRows = 48;
  horizontalHeader()->setResizeContentsPrecision(kMeasuredRows);
}

void NumberTable::goTo(const QModelIndex &cell) {
  setCurrentIndex(cell);
  scrollTo(cell, PositionAtCenter);
  setFocus();
}

void NumberTable::setModel(QAbstractItemModel *model) {
  QTableView::setModel(model);
  connect(model, &QAbstractItemModel::modelReset, this, &NumberTable::fitColumns);
  fitColumns();
}

void NumberTable::resizeEvent(QResizeEvent *event) {
  QTableView::resizeEvent(event);
  fitColumns();
}

void NumberTable::changeEvent(QEvent *event) {
  QTableView::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
    fitColumns();
}

void NumberTable::fitColumns() {
  constexpr int kMostLooked = 16;
  int least = fontMetrics().horizontalAdvance(QStringLiteral("00000000"));
  const int numColumns = model() ? model()->columnCount() : 0;
  for (int column = 0; column < std::min(numColumns, kMostLooked); ++column)
    least = std::max(least, sizeHintForColumn(column));
  const int width = viewport()->width();
  horizontalHeader()->setDefaultSectionSize(width / std::max(1, width / std::max(1, least)));
}

} // namespace tilescope::views
