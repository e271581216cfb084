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
#include <QTreeView>

#include <algorithm>

namespace tilescope::views {

static constexpr int kPlaceWidth = 180;

ConsoleView::ConsoleView(QWidget *parent)
    : QWidget(parent), m_model(new ConsoleModel(this)), m_list(new QTreeView(this)),
      m_empty(new QLabel(tr("Nothing was printed. `tl.device_print`, failed assertions and what a "
                            "run says appear here."),
                         this)) {
  m_list->setModel(m_model);
  m_list->setRootIsDecorated(false);
  m_list->setUniformRowHeights(true);
  m_list->setHeaderHidden(true);
  m_list->setProperty("code", true);
  m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_list->setAccessibleName(tr("Console"));
  m_list->header()->setStretchLastSection(false);
  m_list->header()->setSectionResizeMode(ConsoleModel::TextColumn, QHeaderView::Stretch);
  m_list->header()->resizeSection(ConsoleModel::PlaceColumn, kPlaceWidth);
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
  setFocusProxy(m_list);
  auto *layout = new QStackedLayout(this);
  layout->addWidget(m_list);
  layout->addWidget(m_empty);
  updateEmpty();
  connect(m_list, &QTreeView::clicked, this, &ConsoleView::activate);
  connect(m_list, &QTreeView::activated, this, &ConsoleView::activate);
}

void ConsoleView::append(std::vector<ConsoleLine> lines) {
  // A user who has scrolled up reads there.
  const QScrollBar *bar = m_list->verticalScrollBar();
  const bool followsEnd = bar->value() == bar->maximum();
  m_model->append(std::move(lines));
  updateEmpty();
  if (followsEnd)
    m_list->scrollToBottom();
}

void ConsoleView::clear() {
  m_model->clear();
  updateEmpty();
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
  static_cast<QStackedLayout *>(layout())->setCurrentWidget(
      m_model->rowCount() > 0 ? static_cast<QWidget *>(m_list) : m_empty);
}

} // namespace tilescope::views
