// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/TableMetrics.h"

#include <QEvent>
#include <QHeaderView>
#include <QTableView>

namespace tilescope::views {

namespace {
class RowFitter : public QObject {
public:
  explicit RowFitter(QTableView *table) : QObject(table), m_table(table) {
    table->verticalHeader()->setMinimumSectionSize(1);
    table->installEventFilter(this);
    fit();
  }

  bool eventFilter(QObject *, QEvent *event) override {
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange ||
        event->type() == QEvent::Polish)
      fit();
    return false;
  }

private:
  void fit() {
    m_table->verticalHeader()->setDefaultSectionSize(QFontMetrics(m_table->font()).height() + 6);
  }

  QTableView *m_table;
};
} // namespace

void fitRowsToFont(QTableView *table) { new RowFitter(table); }

void setUpRows(QTableView *table) {
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  table->setShowGrid(false);
  table->setTabKeyNavigation(false);
  table->setWordWrap(false);
  table->verticalHeader()->hide();
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table->horizontalHeader()->setHighlightSections(false);
  fitRowsToFont(table);
}

} // namespace tilescope::views
