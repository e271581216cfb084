// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// What a SharedView is put together from; what it shows is in SharedView.cpp.
#include "views/common/ElidedComboBox.h"
#include "views/common/ElidedLabel.h"
#include "views/common/FlowLayout.h"
#include "views/common/Scrubber.h"
#include "views/common/TurningSplitter.h"
#include "views/shared/MapCanvas.h"
#include "views/shared/RingCanvas.h"
#include "views/shared/SharedView.h"

#include <QComboBox>
#include <QStackedWidget>

namespace tilescope::views {

using Scrub = RequestCanvas::Scrub;

SharedView::SharedView(FocusState *focus, QWidget *parent)
    : PictureView(parent), m_focus(focus), m_mark(focus, this), m_title(new ElidedLabel(this)),
      m_bufferLabel(new ElidedLabel(this)), m_measured(new ElidedLabel(this)),
      m_reason(new ElidedLabel(this)), m_choices(new ElidedComboBox(this)),
      m_warp(new Scrubber(tr("Warp"), this)), m_instruction(new Scrubber(tr("Instruction"), this)),
      m_pass(new Scrubber(tr("Pass"), this)), m_map(new MapCanvas(this)),
      m_detail(new QStackedWidget(this)), m_banks(new RequestCanvas(this)),
      m_ring(new RingCanvas(this)) {
  m_map->setAccessibleName(tr("Map of shared memory"));
  m_map->setToolTip(tr("Arrow keys go from buffer to buffer, Enter shows one and its line."));
  m_banks->setAccessibleName(tr("Banks of shared memory that an access goes to"));
  m_banks->setToolTip(tr("Arrow keys move, Enter pins. W, I and S show the next warp, instruction "
                         "and pass; with Shift the one before."));
  m_ring->setAccessibleName(tr("Slots of a ring by iteration"));
  m_reason->setWordWrap(true);
  setParts(createBar(createFields()), createHeader({m_title, m_bufferLabel, m_measured, m_reason}),
           createPicture());
  setFocusProxy(m_map);
  connectState();
  clear(tr("No kernel is compiled yet."));
}

QWidget *SharedView::createFields() {
  m_choices->setAccessibleName(tr("What is shown of the buffer"));
  m_choices->setToolTip(tr("An access to the buffer, or the turns of its slots"));
  m_choices->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_choices->setMinimumContentsLength(14);
  m_choices->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  m_pass->setAllText(tr("all"));
  m_pass->setToolTip(tr("Which of the passes through the banks"));
  m_instruction->setToolTip(tr("Which of the instructions that each warp executes"));
  auto *fields = new QWidget(this);
  auto *flow = new FlowLayout(fields);
  flow->setSpacing(12);
  flow->setContentsMargins(0, 0, 0, 0);
  flow->addWidget(m_choices);
  for (Scrubber *scrubber : {m_warp, m_instruction, m_pass})
    flow->addWidget(scrubber);
  return fields;
}

QWidget *SharedView::createPicture() {
  m_detail->addWidget(m_banks);
  m_detail->addWidget(m_ring);
  auto *splitter = new TurningSplitter(this);
  splitter->addWidget(m_map);
  splitter->addWidget(m_detail);
  splitter->setStretchFactor(0, 1);
  splitter->setStretchFactor(1, 1);
  splitter->setSizes({500, 500});
  return splitter;
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
