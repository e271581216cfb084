// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/TableMetrics.h"

#include "views/common/QuotedDelegate.h"

#include <QEvent>
#include <QHeaderView>
#include <QScrollBar>
#include <QSplitter>
#include <QTableView>

#include <algorithm>

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
    // The row that is meant stays in sight when the table becomes low.
    if (event->type() == QEvent::Resize)
      QMetaObject::invokeMethod(
          m_table, [table = m_table] { table->scrollTo(table->currentIndex()); },
          Qt::QueuedConnection);
    return false;
  }

private:
  void fit() {
    m_table->verticalHeader()->setDefaultSectionSize(QFontMetrics(m_table->font()).height() + 6);
  }

  QTableView *m_table;
};
} // namespace

namespace {
/// Titles stand as the contents below them do: at the right above numbers, else at the left.
class AlignedHeader : public QHeaderView {
public:
  explicit AlignedHeader(QTableView *table) : QHeaderView(Qt::Horizontal, table) {
    setSectionsClickable(true);
  }

  /// What a title takes, whether its column is shown or not: `sectionSizeHint` is 0 of one that is
  /// hidden, which then seems to fit where it does not.
  int titleWidth(int column) const {
    return std::max(minimumSectionSize(), sectionSizeFromContents(column).width());
  }

protected:
  void initStyleOptionForIndex(QStyleOptionHeader *option, int column) const override {
    QHeaderView::initStyleOptionForIndex(option, column);
    const QVariant alignment = model()->index(0, column).data(Qt::TextAlignmentRole);
    option->textAlignment =
        alignment.isValid() ? Qt::Alignment(alignment.toInt()) : Qt::AlignLeft | Qt::AlignVCenter;
  }
};
} // namespace

/// What a column takes with all of its contents, shown or not.
static int naturalWidth(const QTableView *table, int column) {
  const QAbstractItemView *view = table;
  const auto *header = static_cast<const AlignedHeader *>(table->horizontalHeader());
  return std::max(view->sizeHintForColumn(column) + 1, header->titleWidth(column));
}

/// What all columns take.
static int naturalWidth(const QTableView *table) {
  int width = 0;
  for (int column = 0; column < table->model()->columnCount(); ++column)
    width += naturalWidth(table, column);
  return width;
}

namespace {
/// Leaves out the last columns of a table that is too narrow.
class ColumnChooser : public QObject {
public:
  ColumnChooser(QTableView *table, int textColumn, int numLeast, int otherText)
      : QObject(table), m_table(table), m_textColumn(textColumn), m_numLeast(numLeast),
        m_otherText(otherText) {
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->horizontalHeader()->setSectionResizeMode(textColumn, QHeaderView::Stretch);
    table->installEventFilter(this);
    // A scroll bar that appears takes its room from there.
    table->viewport()->installEventFilter(this);
    connect(table->model(), &QAbstractItemModel::modelReset, this, &ColumnChooser::choose);
    choose();
  }

  bool eventFilter(QObject *, QEvent *event) override {
    if (event->type() == QEvent::Resize || event->type() == QEvent::FontChange ||
        event->type() == QEvent::Show)
      QMetaObject::invokeMethod(this, &ColumnChooser::choose, Qt::QueuedConnection);
    return false;
  }

private:
  void choose() {
    const int room = m_table->viewport()->width();
    int taken = 0;
    for (int column = 0; column < m_table->model()->columnCount(); ++column)
      taken += neededWidth(column);
    for (int column = m_table->model()->columnCount() - 1; column >= 0; --column) {
      const bool isLeftOut = column >= m_numLeast && taken > room;
      if (isLeftOut)
        taken -= neededWidth(column);
      if (m_table->isColumnHidden(column) != isLeftOut)
        m_table->setColumnHidden(column, isLeftOut);
    }
    if (m_otherText >= 0)
      m_table->horizontalHeader()->setSectionResizeMode(
          m_otherText, m_table->isColumnHidden(m_textColumn) ? QHeaderView::Stretch
                                                             : QHeaderView::ResizeToContents);
  }

  int neededWidth(int column) const {
    constexpr int kLeastLetters = 10;
    return column == m_textColumn && column >= m_numLeast
               ? kLeastLetters * m_table->fontMetrics().averageCharWidth()
               : naturalWidth(m_table, column);
  }

  QTableView *m_table;
  int m_textColumn, m_numLeast;
  /// -1: none.
  int m_otherText;
};

/// Gives the table in the last part of a splitter the room that its contents take.
class RoomGiver : public QObject {
public:
  RoomGiver(QTableView *table, QSplitter *splitter, int mostPercent)
      : QObject(table), m_table(table), m_splitter(splitter), m_mostPercent(mostPercent) {
    splitter->installEventFilter(this);
    connect(splitter, &QSplitter::splitterMoved, this, [this] { m_isMoved = true; });
    connect(table->model(), &QAbstractItemModel::modelReset, this, &RoomGiver::give);
  }

  bool eventFilter(QObject *, QEvent *event) override {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Show)
      give();
    return false;
  }

private:
  void give() {
    QList<int> sizes = m_splitter->sizes();
    int room = 0;
    for (const int size : sizes)
      room += size;
    if (m_isMoved || sizes.size() != 2 || room == 0)
      return;
    const int wanted = m_splitter->orientation() == Qt::Horizontal ? wantedWidth() : wantedHeight();
    const int given = std::min(wanted, room * m_mostPercent / 100);
    if (given != sizes.last())
      m_splitter->setSizes({room - given, given});
  }

  int wantedWidth() const {
    return naturalWidth(m_table) + 2 * m_table->frameWidth() +
           m_table->verticalScrollBar()->sizeHint().width();
  }
  int wantedHeight() const {
    return m_table->horizontalHeader()->sizeHint().height() + 2 * m_table->frameWidth() +
           m_table->model()->rowCount() * m_table->verticalHeader()->defaultSectionSize();
  }

  QTableView *m_table;
  QSplitter *m_splitter;
  int m_mostPercent;
  bool m_isMoved = false;
};
} // namespace

void fitRowsToFont(QTableView *table) { new RowFitter(table); }

void setUpRows(QTableView *table) {
  table->setHorizontalHeader(new AlignedHeader(table));
  table->setItemDelegate(new QuotedDelegate(table));
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

void chooseColumns(QTableView *table, int textColumn, int numLeast, int otherText) {
  new ColumnChooser(table, textColumn, numLeast, otherText);
}

void giveRoom(QTableView *table, QSplitter *splitter, int mostPercent) {
  new RoomGiver(table, splitter, mostPercent);
}

} // namespace tilescope::views
