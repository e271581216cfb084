// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/ShortTexts.h"

#include "views/common/QuotedDelegate.h"

#include <QTableView>

namespace tilescope::views {

/// What the style leaves to the text of a cell.
static int textRoom(const QTableView *table, int column) {
  QStyleOptionViewItem option;
  option.initFrom(table);
  option.rect = QRect(0, 0, table->columnWidth(column), table->fontMetrics().height());
  option.features = QStyleOptionViewItem::HasDisplay;
  // Of the whole cell, not of its text.
  option.showDecorationSelected = true;
  const QStyle *style = table->style();
  const int margin = style->pixelMetric(QStyle::PM_FocusFrameHMargin, &option, table) + 1;
  return style->subElementRect(QStyle::SE_ItemViewItemText, &option, table).width() - 2 * margin;
}

QString shownText(const QTableView *table, const QModelIndex &index) {
  const QFontMetrics metrics = table->fontMetrics();
  const int room = textRoom(table, index.column());
  const QString whole = quotedCode(index.data().toString());
  if (metrics.horizontalAdvance(whole) <= room)
    return whole;
  const QString brief = quotedCode(index.data(kShortTextRole).toString());
  return metrics.elidedText(brief.isEmpty() ? whole : brief, Qt::ElideMiddle, room);
}

namespace {
class ShortTexts : public QuotedDelegate {
public:
  explicit ShortTexts(QTableView *table) : QuotedDelegate(table), m_table(table) {}

protected:
  void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    // Nothing is known of the room when a size is asked for.
    if (option->rect.width() > 0 && !option->text.isEmpty())
      option->text = shownText(m_table, index);
  }

private:
  QTableView *m_table;
};
} // namespace

void useShortTexts(QTableView *table, int column) {
  table->setItemDelegateForColumn(column, new ShortTexts(table));
}

} // namespace tilescope::views
