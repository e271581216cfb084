// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// What an AccessView is put together from; what it shows is in AccessView.cpp.
#include "views/access/AccessListModel.h"
#include "views/access/AccessView.h"
#include "views/common/ElidedLabel.h"
#include "views/common/FlowLayout.h"
#include "views/common/NumberScrubber.h"
#include "views/common/TableMetrics.h"
#include "views/common/Theme.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace tilescope::views {

using Scrub = RequestCanvas::Scrub;

AccessView::AccessView(FocusState *focus, QWidget *parent)
    : QWidget(parent), m_focus(focus), m_title(new ElidedLabel(this)),
      m_cost(new ElidedLabel(this)), m_reason(new QLabel(this)), m_staleNote(new QLabel(this)),
      m_info(new ElidedLabel(this)), m_canvas(new RequestCanvas(this)),
      m_model(new AccessListModel(this)), m_list(new QTableView(this)),
      m_warp(new NumberScrubber(tr("Warp"), this)),
      m_instruction(new NumberScrubber(tr("Instruction"), this)),
      m_iteration(new NumberScrubber(tr("Iteration"), this)),
      m_program(new NumberScrubber(tr("Program"), this)), m_pages(new QStackedWidget(this)),
      m_empty(new QLabel(this)), m_writeBlock(new QPushButton(tr("Write a launch block"), this)) {
  m_canvas->setAccessibleName(tr("Lines of memory that a request touches"));
  m_canvas->setToolTip(tr("Arrow keys move, Enter pins. W, I, T and P show the next warp, "
                          "instruction, iteration and program; with Shift the one before."));
  m_staleNote->setProperty("tone", QStringLiteral("warning"));
  m_staleNote->setWordWrap(true);
  m_staleNote->setContentsMargins(10, 4, 10, 4);
  m_staleNote->hide();
  m_info->setContentsMargins(10, 3, 10, 3);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_staleNote);
  layout->addWidget(createPages(), 1);
  setProperty("panel", true);
  setAttribute(Qt::WA_StyledBackground);
  setFocusProxy(m_canvas);
  connectState();
  clear(tr("No kernel is compiled yet."));
}

QWidget *AccessView::createBar() {
  auto *bar = new QWidget(this);
  bar->setProperty("bar", true);
  bar->setAttribute(Qt::WA_StyledBackground);
  auto *scrubbers = new QWidget(bar);
  auto *flow = new FlowLayout(scrubbers);
  flow->setSpacing(12);
  for (NumberScrubber *scrubber : {m_warp, m_instruction, m_iteration, m_program})
    flow->addWidget(scrubber);
  m_instruction->setToolTip(tr("Which of the instructions that each warp executes"));
  m_iteration->setToolTip(tr("How often the program has executed the access before"));
  auto *exportButton = new QToolButton(bar);
  exportButton->setIcon(themedIcon(QStringLiteral("export")));
  exportButton->setToolTip(tr("Export as SVG or PNG"));
  exportButton->setAccessibleName(tr("Export the picture"));
  auto *row = new QHBoxLayout(bar);
  row->setContentsMargins(8, 3, 6, 3);
  row->setSpacing(6);
  row->addWidget(scrubbers, 1);
  row->addWidget(exportButton, 0, Qt::AlignTop);
  connect(exportButton, &QToolButton::clicked, this, &AccessView::exportRequested);
  return bar;
}

QWidget *AccessView::createList() {
  m_list->setModel(m_model);
  m_list->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_list->setSelectionMode(QAbstractItemView::SingleSelection);
  m_list->setShowGrid(false);
  m_list->setTabKeyNavigation(false);
  m_list->setWordWrap(false);
  m_list->setAccessibleName(tr("Accesses, the most wasteful first"));
  m_list->verticalHeader()->hide();
  m_list->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_list->horizontalHeader()->setSectionResizeMode(AccessListModel::AccessColumn,
                                                   QHeaderView::Stretch);
  m_list->horizontalHeader()->setHighlightSections(false);
  m_list->installEventFilter(this);
  fitRowsToFont(m_list);
  return m_list;
}

QWidget *AccessView::createPages() {
  auto *header = new QWidget(this);
  auto *rows = new QVBoxLayout(header);
  rows->setContentsMargins(10, 4, 10, 2);
  rows->setSpacing(1);
  m_title->setProperty("muted", true);
  m_reason->setWordWrap(true);
  m_reason->setProperty("muted", true);
  for (QLabel *label : {static_cast<QLabel *>(m_title), static_cast<QLabel *>(m_cost), m_reason})
    rows->addWidget(label);
  auto *splitter = new QSplitter(Qt::Horizontal, this);
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(m_canvas);
  splitter->addWidget(createList());
  splitter->setStretchFactor(0, 3);
  splitter->setStretchFactor(1, 2);
  splitter->setSizes({600, 400});
  auto *content = new QWidget(this);
  auto *column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(createBar());
  column->addWidget(header);
  column->addWidget(splitter, 1);
  column->addWidget(m_info);
  auto *nothing = new QWidget(this);
  auto *empty = new QVBoxLayout(nothing);
  m_empty->setWordWrap(true);
  m_empty->setProperty("muted", true);
  m_empty->setAlignment(Qt::AlignCenter);
  empty->addStretch(1);
  empty->addWidget(m_empty);
  empty->addWidget(m_writeBlock, 0, Qt::AlignHCenter);
  empty->addStretch(1);
  m_pages->addWidget(content);
  m_pages->addWidget(nothing);
  return m_pages;
}

void AccessView::connectState() {
  for (const Scrub scrub : {Scrub::Warp, Scrub::Instruction, Scrub::Iteration, Scrub::Program})
    connect(&scrubber(scrub), &NumberScrubber::valueChanged, this,
            [this, scrub] { scrubTo(scrub); });
  connect(m_canvas, &RequestCanvas::scrubRequested, this,
          [this](Scrub scrub, int by) { scrubber(scrub).step(by); });
  connect(m_canvas, &RequestCanvas::placeHovered, this, &AccessView::pointAt);
  connect(m_canvas, &RequestCanvas::placePinned, this, [this](int place) {
    // Pinning the pinned one again lets go of it.
    m_pinned = place == m_pinned ? -1 : place;
    pointAt(place);
  });
  connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex &index) {
            if (m_isFollowing)
              return;
            if (const int access = m_model->accessAt(index.row()); access >= 0)
              showAccess(access);
            else if (index.isValid())
              showUncounted(index.row());
          });
  connect(m_list, &QTableView::clicked, this,
          [this](const QModelIndex &index) { goToRow(index.row()); });
  connect(m_focus, &FocusState::selectedChanged, this, [this] { follow(); });
  connect(m_writeBlock, &QPushButton::clicked, this, &AccessView::launchBlockRequested);
}

bool AccessView::eventFilter(QObject *watched, QEvent *event) {
  if (watched == m_list && event->type() == QEvent::KeyPress)
    if (const int key = static_cast<QKeyEvent *>(event)->key();
        key == Qt::Key_Return || key == Qt::Key_Enter) {
      goToRow(m_list->currentIndex().row());
      return true;
    }
  return QWidget::eventFilter(watched, event);
}

} // namespace tilescope::views
