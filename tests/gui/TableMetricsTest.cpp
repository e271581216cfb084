// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/TableMetrics.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QTableView>
#include <QtTest/QtTest>

#include <catch2/catch.hpp>

using namespace tilescope;

namespace {
/// A list with a text that takes what is left, and numbers, of which the last have titles that are
/// wider than they are.
struct NumberList {
  enum Column { Text, Short, Long, NumColumns };
  QStandardItemModel model{1, NumColumns};
  QTableView table;

  NumberList() {
    model.setHorizontalHeaderLabels({QStringLiteral("Access"), QStringLiteral("Used"),
                                     QStringLiteral("Requests of all warps")});
    model.setItem(0, Text, new QStandardItem(QStringLiteral("global load of x_ptr")));
    model.setItem(0, Short, new QStandardItem(QStringLiteral("100 %")));
    model.setItem(0, Long, new QStandardItem(QStringLiteral("769")));
    table.setModel(&model);
    views::setUpRows(&table);
    views::chooseColumns(&table, Text, Short + 1);
    table.show();
  }

  int needed(int column) const {
    const QAbstractItemView &view = table;
    return view.sizeHintForColumn(column) + 1;
  }
  int titleWidth(int column) const { return table.horizontalHeader()->sectionSizeHint(column); }
  void give(int width) {
    table.resize(width + table.width() - table.viewport()->width(), 200);
    QCoreApplication::processEvents();
  }
};
} // namespace

TEST_CASE("a column comes back only where its title fits, too, and never cuts the text",
          "[gui][common]") {
  NumberList list;
  list.give(2000);
  REQUIRE_FALSE(list.table.isColumnHidden(NumberList::Long));
  const int others = std::max(list.needed(NumberList::Text), list.titleWidth(NumberList::Text)) +
                     std::max(list.needed(NumberList::Short), list.titleWidth(NumberList::Short));
  const int title = list.titleWidth(NumberList::Long);
  REQUIRE(title > list.needed(NumberList::Long) + 20);

  list.give(others + title);
  CHECK_FALSE(list.table.isColumnHidden(NumberList::Long));
  // There is room for the number, but not for the title above it.
  list.give(others + title - 10);
  CHECK(list.table.isColumnHidden(NumberList::Long));
  // As often as the table is looked at: a hidden column counts as one that is shown.
  list.give(others + title - 9);
  CHECK(list.table.isColumnHidden(NumberList::Long));
  CHECK(list.table.columnWidth(NumberList::Text) >= list.needed(NumberList::Text));
}

TEST_CASE("a scroll bar that appears leaves no column cut", "[gui][common]") {
  NumberList list;
  const int others = std::max(list.needed(NumberList::Text), list.titleWidth(NumberList::Text)) +
                     std::max(list.needed(NumberList::Short), list.titleWidth(NumberList::Short));
  list.give(others + list.titleWidth(NumberList::Long));
  REQUIRE_FALSE(list.table.isColumnHidden(NumberList::Long));
  list.model.setRowCount(100);
  REQUIRE(QTest::qWaitFor([&] { return list.table.verticalScrollBar()->isVisible(); }, 5000));
  CHECK(QTest::qWaitFor([&] { return list.table.isColumnHidden(NumberList::Long); }, 5000));
  CHECK(list.table.horizontalHeader()->length() <= list.table.viewport()->width());
}
