// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// What an AccessView is put together from; what it shows is in AccessView.cpp.
#include "views/access/AccessListModel.h"
#include "views/access/AccessView.h"
#include "views/access/BulkCanvas.h"
#include "views/common/ElidedLabel.h"
#include "views/common/FlowLayout.h"
#include "views/common/Scrubber.h"
#include "views/common/TableMetrics.h"
#include "views/common/TurningSplitter.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QTableView>

namespace tilescope::views {

using Scrub = RequestCanvas::Scrub;

AccessView::AccessView(FocusState *focus, QWidget *parent)
    : PictureView(parent), m_focus(focus), m_mark(focus, this), m_title(new ElidedLabel(this)),
      m_cost(new ElidedLabel(this)), m_measured(new ElidedLabel(this)),
      m_reason(new ElidedLabel(this)), m_canvas(new RequestCanvas(this)),
      m_bulkCanvas(new BulkCanvas(this)), m_model(new AccessListModel(this)),
      m_list(new QTableView(this)), m_warp(new Scrubber(tr("Warp"), this)),
      m_instruction(new Scrubber(tr("Instruction"), this)), m_pass(new Scrubber(tr("Pass"), this)),
      m_iteration(new Scrubber(tr("Iteration"), this)),
      m_program(new Scrubber(tr("Program"), this)) {
  m_canvas->setAccessibleName(tr("Lines of memory that a request touches"));
  // No tool tip: it would cover what the mouse points at.
  m_canvas->setAccessibleDescription(tr(
      "Arrow keys move, Enter pins. W, I, T, P and S show the next warp, instruction, iteration, "
      "program and pass through the banks; with Shift the one before."));
  m_reason->setWordWrap(true);
  setParts(createBar(createFields()), createHeader({m_title, m_cost, m_measured, m_reason}),
           createPicture());
  setFocusProxy(m_canvas);
  connectState();
  clear(tr("No kernel is compiled yet."));
}

QWidget *AccessView::createFields() {
  auto *scrubbers = new QWidget(this);
  auto *flow = new FlowLayout(scrubbers);
  flow->setSpacing(12);
  flow->setContentsMargins(0, 0, 0, 0);
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
  return scrubbers;
}

QWidget *AccessView::createList() {
  m_list->setModel(m_model);
  m_list->setAccessibleName(tr("Accesses, the most wasteful first"));
  setUpRows(m_list);
  chooseColumns(m_list, AccessListModel::AccessColumn, AccessListModel::UsedColumn + 1);
  m_list->installEventFilter(this);
  return m_list;
}

QWidget *AccessView::createPicture() {
  auto *splitter = new TurningSplitter(this);
  splitter->addWidget(createCanvases());
  splitter->addWidget(createList());
  splitter->setStretchFactor(0, 3);
  splitter->setStretchFactor(1, 2);
  splitter->setSizes({600, 400});
  giveRoom(m_list, splitter);
  return splitter;
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
  connectBulkCopies();
  connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex &index) {
            if (m_isFollowing)
              return;
            if (const int access = m_model->accessAt(index.row()); access >= 0)
              showAccess(access);
            else if (const int uncounted = m_model->uncountedAt(index.row()); uncounted >= 0)
              showUncounted(uncounted);
          });
  // Looking at a row leaves the keyboard where it is.
  connect(m_list, &QTableView::clicked, this, [this](const QModelIndex &index) {
    if (const SourceRange range = m_model->rangeAt(index.row()); !range.empty())
      Q_EMIT placeShown(range);
  });
  connect(m_list, &QTableView::doubleClicked, this,
          [this](const QModelIndex &index) { goToRow(index.row()); });
  connect(m_focus, &FocusState::selectedChanged, this, [this] { follow(); });
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
      return QCoreApplication::sendEvent(m_canvases->currentWidget(), event);
  }
  return PictureView::eventFilter(watched, event);
}

} // namespace tilescope::views
