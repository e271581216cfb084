// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// What an AccessView is put together from; what it shows is in AccessView.cpp.
#include "views/access/AccessListModel.h"
#include "views/access/AccessView.h"
#include "views/common/ElidedLabel.h"
#include "views/common/FlowLayout.h"
#include "views/common/Scrubber.h"
#include "views/common/TableMetrics.h"
#include "views/common/Theme.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace tilescope::views {

using Scrub = RequestCanvas::Scrub;

AccessView::AccessView(FocusState *focus, QWidget *parent)
    : QWidget(parent), m_focus(focus), m_title(new ElidedLabel(this)),
      m_cost(new ElidedLabel(this)), m_reason(new ElidedLabel(this)), m_staleNote(new QLabel(this)),
      m_info(new ElidedLabel(this)), m_canvas(new RequestCanvas(this)),
      m_model(new AccessListModel(this)), m_list(new QTableView(this)),
      m_warp(new Scrubber(tr("Warp"), this)), m_instruction(new Scrubber(tr("Instruction"), this)),
      m_pass(new Scrubber(tr("Pass"), this)), m_iteration(new Scrubber(tr("Iteration"), this)),
      m_program(new Scrubber(tr("Program"), this)), m_pages(new QStackedWidget(this)),
      m_empty(new QLabel(this)), m_writeBlock(new QPushButton(tr("Write a launch block"), this)) {
  m_canvas->setAccessibleName(tr("Lines of memory that a request touches"));
  // No tool tip: it would cover what the mouse points at.
  m_canvas->setAccessibleDescription(tr(
      "Arrow keys move, Enter pins. W, I, T, P and S show the next warp, instruction, iteration, "
      "program and pass through the banks; with Shift the one before."));
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
  for (Scrubber *scrubber : {m_warp, m_instruction, m_pass, m_iteration, m_program})
    flow->addWidget(scrubber);
  m_pass->setAllText(tr("all"));
  m_warp->setToolTip(tr("Which warp of the program (W, back Shift+W)"));
  m_pass->setToolTip(
      tr("Which of the passes through the banks of shared memory (S, back Shift+S)"));
  m_instruction->setToolTip(
      tr("Which of the instructions that each warp executes (I, back Shift+I)"));
  m_iteration->setToolTip(
      tr("How often the program has executed the access before (T, back Shift+T)"));
  m_program->setToolTip(tr("Which program of the grid (P, back Shift+P)"));
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
  // Names tell rows apart: a narrow list scrolls to the side instead of cutting them.
  m_list->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
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
  m_reason->setProperty("muted", true);
  for (ElidedLabel *label : {m_title, m_cost, m_reason})
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
  // Where text is large and room is small, the parts are scrolled to and do not cover each other.
  auto *scroll = new QScrollArea(this);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidgetResizable(true);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(content);
  m_pages->addWidget(scroll);
  m_pages->addWidget(nothing);
  return m_pages;
}

void AccessView::connectState() {
  for (const Scrub scrub :
       {Scrub::Warp, Scrub::Instruction, Scrub::Pass, Scrub::Iteration, Scrub::Program})
    connect(&scrubber(scrub), &Scrubber::valueChanged, this, [this, scrub] { scrubTo(scrub); });
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
  // Looking at a row leaves the keyboard where it is.
  connect(m_list, &QTableView::clicked, this, [this](const QModelIndex &index) {
    if (const SourceRange range = m_model->rangeAt(index.row()); !range.empty())
      Q_EMIT placeShown(range);
  });
  connect(m_list, &QTableView::doubleClicked, this,
          [this](const QModelIndex &index) { goToRow(index.row()); });
  connect(m_focus, &FocusState::selectedChanged, this, [this] { follow(); });
  connect(m_writeBlock, &QPushButton::clicked, this, &AccessView::launchBlockRequested);
}

bool AccessView::eventFilter(QObject *watched, QEvent *event) {
  if (watched == m_list && event->type() == QEvent::KeyPress) {
    const auto *press = static_cast<QKeyEvent *>(event);
    if (press->key() == Qt::Key_Return || press->key() == Qt::Key_Enter) {
      goToRow(m_list->currentIndex().row());
      return true;
    }
    // Letters scrub, as they do in the picture.
    if (!press->text().isEmpty() && press->text().front().isLetter())
      return QCoreApplication::sendEvent(m_canvas, event);
  }
  return QWidget::eventFilter(watched, event);
}

} // namespace tilescope::views
