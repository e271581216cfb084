// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// What a SharedView is put together from; what it shows is in SharedView.cpp.
#include "views/common/ElidedLabel.h"
#include "views/common/FlowLayout.h"
#include "views/common/Scrubber.h"
#include "views/common/Theme.h"
#include "views/shared/MapCanvas.h"
#include "views/shared/RingCanvas.h"
#include "views/shared/SharedView.h"

#include <QComboBox>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace tilescope::views {

using Scrub = RequestCanvas::Scrub;

SharedView::SharedView(FocusState *focus, QWidget *parent)
    : QWidget(parent), m_focus(focus), m_title(new ElidedLabel(this)),
      m_bufferLabel(new ElidedLabel(this)), m_reason(new QLabel(this)),
      m_staleNote(new QLabel(this)), m_info(new ElidedLabel(this)), m_choices(new QComboBox(this)),
      m_warp(new Scrubber(tr("Warp"), this)), m_instruction(new Scrubber(tr("Instruction"), this)),
      m_pass(new Scrubber(tr("Pass"), this)), m_map(new MapCanvas(this)),
      m_detail(new QStackedWidget(this)), m_banks(new RequestCanvas(this)),
      m_ring(new RingCanvas(this)), m_pages(new QStackedWidget(this)), m_empty(new QLabel(this)) {
  m_map->setAccessibleName(tr("Map of shared memory"));
  m_map->setToolTip(tr("Arrow keys go from buffer to buffer, Enter shows one and its line."));
  m_banks->setAccessibleName(tr("Banks of shared memory that an access goes to"));
  m_banks->setToolTip(tr("Arrow keys move, Enter pins. W, I and S show the next warp, instruction "
                         "and pass; with Shift the one before."));
  m_ring->setAccessibleName(tr("Slots of a ring by iteration"));
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
  setFocusProxy(m_map);
  connectState();
  clear(tr("No kernel is compiled yet."));
}

QWidget *SharedView::createBar() {
  auto *bar = new QWidget(this);
  bar->setProperty("bar", true);
  bar->setAttribute(Qt::WA_StyledBackground);
  m_choices->setAccessibleName(tr("What is shown of the buffer"));
  m_choices->setToolTip(tr("An access to the buffer, or the turns of its slots"));
  m_choices->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_choices->setMinimumContentsLength(14);
  m_choices->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  m_pass->setAllText(tr("all"));
  m_pass->setToolTip(tr("Which of the passes through the banks"));
  m_instruction->setToolTip(tr("Which of the instructions that each warp executes"));
  auto *fields = new QWidget(bar);
  auto *flow = new FlowLayout(fields);
  flow->setSpacing(12);
  flow->setContentsMargins(0, 0, 0, 0);
  flow->addWidget(m_choices);
  for (Scrubber *scrubber : {m_warp, m_instruction, m_pass})
    flow->addWidget(scrubber);
  auto *exportButton = new QToolButton(bar);
  exportButton->setIcon(themedIcon(QStringLiteral("export")));
  exportButton->setToolTip(tr("Export as SVG or PNG"));
  exportButton->setAccessibleName(tr("Export the picture"));
  auto *row = new QHBoxLayout(bar);
  row->setContentsMargins(8, 3, 6, 3);
  row->setSpacing(6);
  row->addWidget(fields, 1);
  row->addWidget(exportButton, 0, Qt::AlignTop);
  connect(exportButton, &QToolButton::clicked, this, &SharedView::exportRequested);
  return bar;
}

QWidget *SharedView::createPages() {
  auto *header = new QWidget(this);
  auto *rows = new QVBoxLayout(header);
  rows->setContentsMargins(10, 4, 10, 2);
  rows->setSpacing(1);
  m_title->setProperty("muted", true);
  m_reason->setWordWrap(true);
  m_reason->setProperty("muted", true);
  for (QLabel *label :
       {static_cast<QLabel *>(m_title), static_cast<QLabel *>(m_bufferLabel), m_reason})
    rows->addWidget(label);
  m_detail->addWidget(m_banks);
  m_detail->addWidget(m_ring);
  auto *splitter = new QSplitter(Qt::Horizontal, this);
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(m_map);
  splitter->addWidget(m_detail);
  splitter->setStretchFactor(0, 1);
  splitter->setStretchFactor(1, 1);
  splitter->setSizes({500, 500});
  auto *content = new QWidget(this);
  auto *column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(createBar());
  column->addWidget(header);
  column->addWidget(splitter, 1);
  column->addWidget(m_info);
  m_empty->setWordWrap(true);
  m_empty->setProperty("muted", true);
  m_empty->setAlignment(Qt::AlignCenter);
  m_empty->setContentsMargins(16, 8, 16, 8);
  m_pages->addWidget(content);
  m_pages->addWidget(m_empty);
  return m_pages;
}

void SharedView::connectState() {
  for (const Scrub scrub : {Scrub::Warp, Scrub::Instruction, Scrub::Pass})
    connect(&scrubber(scrub), &Scrubber::valueChanged, this, [this] { drawRequest(); });
  connect(m_banks, &RequestCanvas::scrubRequested, this, [this](Scrub scrub, int by) {
    if (scrub == Scrub::Warp || scrub == Scrub::Instruction || scrub == Scrub::Pass)
      scrubber(scrub).step(by);
  });
  connect(m_map, &PictureCanvas::placeHovered, this, &SharedView::pointAtBuffer);
  connect(m_map, &PictureCanvas::placePinned, this, &SharedView::pin);
  for (PictureCanvas *canvas :
       {static_cast<PictureCanvas *>(m_banks), static_cast<PictureCanvas *>(m_ring)}) {
    connect(canvas, &PictureCanvas::placeHovered, this, &SharedView::pointAtPlace);
    connect(canvas, &PictureCanvas::placePinned, this, [this](int place) {
      // Pinning the pinned one again lets go of it.
      m_pinned = place == m_pinned ? -1 : place;
      pointAtPlace(place);
    });
  }
  connect(m_choices, &QComboBox::currentIndexChanged, this, &SharedView::choose);
  connect(m_focus, &FocusState::selectedChanged, this, [this] { follow(); });
}

} // namespace tilescope::views
