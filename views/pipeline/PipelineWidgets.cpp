// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// What a PipelineView is put together from, and the files that it is exported to; what it shows is in
// PipelineView.cpp.
#include "views/common/ElidedComboBox.h"
#include "views/common/ElidedLabel.h"
#include "views/common/FlowLayout.h"
#include "views/common/Scrubber.h"
#include "views/pipeline/PipelineCanvas.h"
#include "views/pipeline/PipelineView.h"

#include <QComboBox>
#include <QSpinBox>

namespace tilescope::views {

PipelineView::PipelineView(FocusState *focus, QWidget *parent)
    : PictureView(parent), m_focus(focus), m_mark(focus, this), m_title(new ElidedLabel(this)),
      m_loopLabel(new ElidedLabel(this)), m_reason(new ElidedLabel(this)),
      m_choices(new ElidedComboBox(this)), m_scrubber(new Scrubber(tr("Iteration"), this)),
      m_canvas(new PipelineCanvas(this)) {
  m_canvas->setAccessibleName(tr("Picture of a loop"));
  m_canvas->setToolTip(tr("Arrow keys go from event to event, Enter shows its line. I goes to the "
                          "next iteration, with Shift to the one before."));
  m_reason->setWordWrap(true);
  setParts(createBar(createFields()), createHeader({m_title, m_loopLabel, m_reason}), m_canvas);
  setFocusProxy(m_canvas);
  connectState();
  clear(tr("No kernel is compiled yet."));
}

QWidget *PipelineView::createFields() {
  m_choices->setAccessibleName(tr("Which loop is shown"));
  m_choices->setToolTip(tr("The loops of the kernel; the one at the cursor is shown"));
  m_choices->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_choices->setMinimumContentsLength(14);
  m_scrubber->setToolTip(tr("Arrows show what this iteration needs and who waits for it"));
  auto *fields = new QWidget(this);
  auto *flow = new FlowLayout(fields);
  flow->setSpacing(12);
  flow->setContentsMargins(0, 0, 0, 0);
  flow->addWidget(m_choices);
  flow->addWidget(m_scrubber);
  return fields;
}

void PipelineView::connectState() {
  connect(m_scrubber, &Scrubber::valueChanged, this, &PipelineView::scrub);
  connect(m_canvas, &PipelineCanvas::scrubRequested, this,
          [this](int by) { m_scrubber->step(by); });
  connect(m_canvas, &PictureCanvas::placeHovered, this, &PipelineView::pointAt);
  connect(m_canvas, &PictureCanvas::placePinned, this, &PipelineView::pin);
  connect(m_choices, &QComboBox::currentIndexChanged, this, [this](int index) {
    m_operation = -1;
    if (index >= 0 && m_loops)
      showLoop(index, false);
  });
  connect(m_focus, &FocusState::selectedChanged, this, [this] { follow(); });
}

ExportedPicture PipelineView::exported() const {
  return {{titleText(), loopText(), reasonText(), infoText()},
          m_canvas->heightFor(kExportWidth),
          [this](QPainter &painter, const QRectF &target) { m_canvas->render(painter, target); }};
}

} // namespace tilescope::views
