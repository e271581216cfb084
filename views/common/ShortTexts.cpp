// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/ShortTexts.h"

#include <QStyledItemDelegate>
#include <QTableView>

namespace tilescope::views {

/// The style leaves as many pixels at either side of the text.
static int marginOf(const QTableView *table) {
  return table->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, table) + 1;
}

QString shownText(const QTableView *table, const QModelIndex &index) {
  const QFontMetrics metrics = table->fontMetrics();
  const int room = table->columnWidth(index.column()) - 2 * marginOf(table);
  const QString whole = index.data().toString();
  if (metrics.horizontalAdvance(whole) <= room)
    return whole;
  const QString brief = index.data(kShortTextRole).toString();
  return metrics.elidedText(brief.isEmpty() ? whole : brief, Qt::ElideMiddle, room);
}

namespace {
class ShortTexts : public QStyledItemDelegate {
public:
  explicit ShortTexts(QTableView *table) : QStyledItemDelegate(table), m_table(table) {}

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

void useShortTexts(QTableView *table) { table->setItemDelegate(new ShortTexts(table)); }

} // namespace tilescope::views
