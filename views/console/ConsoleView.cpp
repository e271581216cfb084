// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/console/ConsoleView.h"

#include "views/common/Theme.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QStackedLayout>
#include <QTimer>
#include <QTreeView>

#include <algorithm>

namespace tilescope::views {

/// Around a cell's text, its icon included.
static constexpr int kCellMargin = 14;
static constexpr int kIconWidth = 22;

ConsoleView::ConsoleView(QWidget *parent)
    : QWidget(parent), m_model(new ConsoleModel(this)), m_list(new QTreeView(this)),
      m_empty(new QLabel(tr("Nothing was printed. `tl.device_print`, failed assertions and what a "
                            "run says appear here."),
                         this)) {
  m_list->setModel(m_model);
  m_list->setRootIsDecorated(false);
  m_list->setUniformRowHeights(true);
  // A printed value is never cut: what does not fit is scrolled to.
  m_list->setTextElideMode(Qt::ElideNone);
  m_list->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_list->setHeaderHidden(true);
  m_list->setProperty("code", true);
  m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_list->setAccessibleName(tr("Console"));
  m_list->header()->setStretchLastSection(false);
  m_list->header()->setMinimumSectionSize(0);
  // In front, where it is seen of long lines, too.
  m_list->header()->moveSection(ConsoleModel::PlaceColumn, 0);
  m_list->setContextMenuPolicy(Qt::ActionsContextMenu);
  auto *copyAction = new QAction(tr("Copy"), m_list);
  copyAction->setShortcut(QKeySequence::Copy);
  copyAction->setShortcutContext(Qt::WidgetShortcut);
  connect(copyAction, &QAction::triggered, this, &ConsoleView::copy);
  auto *clearAction = new QAction(tr("Clear"), m_list);
  connect(clearAction, &QAction::triggered, this, &ConsoleView::clear);
  m_list->addActions({copyAction, clearAction});
  m_empty->setAlignment(Qt::AlignCenter);
  m_empty->setWordWrap(true);
  m_empty->setProperty("faint", true);
  m_empty->setProperty("panel", true);
  m_empty->setFocusPolicy(Qt::StrongFocus);
  auto *layout = new QStackedLayout(this);
  layout->addWidget(m_list);
  layout->addWidget(m_empty);
  updateEmpty();
  connect(m_list, &QTreeView::activated, this, &ConsoleView::activate);
  // What nobody sees is not scrolled by the user.
  connect(m_list->verticalScrollBar(), &QScrollBar::valueChanged, this, [this](int value) {
    if (isVisible())
      m_followsEnd = value == m_list->verticalScrollBar()->maximum();
  });
}

void ConsoleView::append(std::vector<ConsoleLine> lines) {
  for (const ConsoleLine &line : lines) {
    const bool isOutput =
        line.kind != ConsoleLine::Kind::Title && line.kind != ConsoleLine::Kind::Note;
    m_numUnseen += isOutput && !m_isInFront ? 1 : 0;
    m_longestText = std::max(m_longestText, line.text.size());
    m_longestPlace = std::max(m_longestPlace, ConsoleModel::placeText(line).size());
  }
  m_model->append(std::move(lines));
  updateEmpty();
  fitColumns();
  Q_EMIT unseenChanged(m_numUnseen);
  followEnd();
}

void ConsoleView::followEnd() {
  if (m_followsEnd)
    m_list->scrollToBottom();
}

void ConsoleView::clear() {
  m_model->clear();
  m_longestText = m_longestPlace = 0;
  updateEmpty();
}

/// The font has one width, so the longest lines decide how wide the columns are.
void ConsoleView::fitColumns() {
  const int character = m_list->fontMetrics().horizontalAdvance(u'0');
  const int place = static_cast<int>(m_longestPlace) * character;
  const int text = static_cast<int>(m_longestText) * character + kCellMargin + kIconWidth;
  const int placeWidth = place > 0 ? place + kCellMargin : 0;
  m_list->header()->resizeSection(ConsoleModel::PlaceColumn, placeWidth);
  m_list->header()->resizeSection(ConsoleModel::TextColumn,
                                  std::max(text, m_list->viewport()->width() - placeWidth));
}

void ConsoleView::showEvent(QShowEvent *event) {
  QWidget::showEvent(event);
  fitColumns();
  // Once the list has its size.
  QTimer::singleShot(0, this, &ConsoleView::followEnd);
}

void ConsoleView::setInFront(bool isInFront) {
  m_isInFront = isInFront;
  if (isInFront)
    Q_EMIT unseenChanged(m_numUnseen = 0);
}

void ConsoleView::resizeEvent(QResizeEvent *event) {
  QWidget::resizeEvent(event);
  fitColumns();
  QTimer::singleShot(0, this, &ConsoleView::followEnd);
}

void ConsoleView::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
    fitColumns();
}

void ConsoleView::copy() {
  QModelIndexList rows = m_list->selectionModel()->selectedRows();
  std::sort(rows.begin(), rows.end());
  QStringList lines;
  for (const QModelIndex &row : rows)
    lines << m_model->line(row.row()).text;
  QGuiApplication::clipboard()->setText(lines.join(u'\n'));
}

void ConsoleView::activate(const QModelIndex &index) {
  const ConsoleLine &line = m_model->line(index.row());
  if (line.file)
    Q_EMIT placeRequested(*line.file, line.range);
}

void ConsoleView::updateEmpty() {
  QWidget *shown = m_model->rowCount() > 0 ? static_cast<QWidget *>(m_list) : m_empty;
  const bool hadFocus = m_list->hasFocus() || m_empty->hasFocus();
  static_cast<QStackedLayout *>(layout())->setCurrentWidget(shown);
  setFocusProxy(shown);
  if (hadFocus)
    shown->setFocus();
}

} // namespace tilescope::views
