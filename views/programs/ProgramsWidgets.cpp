// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// What a ProgramsView is put together from; what it shows is in ProgramsView.cpp.
#include "compiler/access/arrays/ProgramOrder.h"
#include "views/common/ElidedComboBox.h"
#include "views/common/ElidedLabel.h"
#include "views/common/FlowLayout.h"
#include "views/common/Scrubber.h"
#include "views/common/Theme.h"
#include "views/programs/ProgramsView.h"

#include <QComboBox>
#include <QLabel>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

namespace tilescope::views {

using Scrub = ArrayCanvas::Scrub;

/// What is read at least of what is drawn over the arrays.
static constexpr int kLeastLetters = 11;

ProgramsView::ProgramsView(FocusState *focus, QWidget *parent)
    : PictureView(parent), m_focus(focus), m_mark(focus, this), m_title(new ElidedLabel(this)),
      m_order(new ElidedLabel(this)), m_canvas(new ArrayCanvas(this)),
      m_x(new Scrubber(tr("Program x"), this)), m_y(new Scrubber(tr("y"), this)),
      m_z(new Scrubber(tr("z"), this)), m_iteration(new Scrubber(tr("Iteration"), this)),
      m_slice(new Scrubber(tr("Slice"), this)), m_wave(new Scrubber(tr("Wave"), this)),
      m_overlay(new ElidedComboBox(this)), m_device(new QWidget(this)),
      m_atOnce(new QSpinBox(m_device)), m_memory(new QWidget(this)),
      m_cache(new QSpinBox(m_memory)), m_playButton(new QToolButton(this)) {
  setUpFields();
  m_order->setWordWrap(true);
  setParts(createBar(createBarFields()), createHeader({m_title, m_order}), m_canvas);
  setFocusProxy(m_canvas);
  connectState();
  clear(tr("No kernel is compiled yet."));
}

static void nameField(QWidget *holder, const QString &name, QWidget *field) {
  auto *label = new QLabel(name, holder);
  label->setBuddy(field);
  auto *row = new QHBoxLayout(holder);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  row->addWidget(label);
  row->addWidget(field);
}

void ProgramsView::setUpFields() {
  m_canvas->setAccessibleName(tr("Arguments as arrays"));
  m_canvas->setToolTip(
      tr("Arrow keys move, Enter goes to the access, A to the next array. P, X, "
         "Y, Z, T, S and W show the next program, iteration, slice and wave; with "
         "Shift the one before. O: what is counted; Space: play; E: enlarge. Rising "
         "lines are read, falling lines are written."));
  m_iteration->setToolTip(tr("Turns of the program's innermost loop"));
  m_slice->setToolTip(tr("Which slice of the marked array is drawn"));
  m_wave->setToolTip(tr("The programs that run at the same time"));
  m_overlay->addItems(
      {tr("One program"), tr("Programs per element"), tr("Wave"), tr("Reuse distance")});
  m_overlay->setAccessibleName(tr("What is drawn over the arrays"));
  // Narrower where that saves a row.
  m_overlay->setMinimumContentsLength(kLeastLetters);
  m_overlay->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  m_overlay->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  m_overlay->setToolTip(
      tr("Draw what one program touches; or how many programs touch each "
         "element, of the whole grid or of those that run at the same time; or how "
         "much is read before an element is read again"));
  m_atOnce->setRange(1, 1 << 20);
  m_atOnce->setValue(compiler::access::kUsualMultiprocessors);
  m_atOnce->setKeyboardTracking(false);
  m_atOnce->setAccessibleName(tr("Programs at once"));
  m_device->setToolTip(tr("How many programs run at the same time: 132 are one for each "
                          "multiprocessor of an H200"));
  nameField(m_device, tr("At once"), m_atOnce);
  m_cache->setRange(1, 1 << 12);
  m_cache->setValue(static_cast<int>(compiler::access::kUsualCacheBytes >> 20));
  m_cache->setSuffix(tr(" MiB"));
  m_cache->setKeyboardTracking(false);
  m_cache->setAccessibleName(tr("Size of the L2 cache"));
  m_memory->setToolTip(tr("What the L2 cache holds: 50 MiB on an H200"));
  nameField(m_memory, tr("L2"), m_cache);
  m_playButton->setText(tr("Play"));
  m_playButton->setIcon(themedIcon(QStringLiteral("run")));
  m_playButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_playButton->setCheckable(true);
  m_playButton->setToolTip(tr("Show one iteration, or wave, after another (Space)"));
}

QWidget *ProgramsView::createBarFields() {
  auto *fields = new QWidget(this);
  auto *flow = new FlowLayout(fields);
  flow->setSpacing(12);
  flow->setContentsMargins(0, 0, 0, 0);
  for (QWidget *field :
       std::initializer_list<QWidget *>{m_overlay, m_x, m_y, m_z, m_iteration, m_slice, m_wave,
                                        m_device, m_memory, m_playButton})
    flow->addWidget(field);
  return fields;
}

void ProgramsView::connectState() {
  for (const Scrub scrub :
       {Scrub::X, Scrub::Y, Scrub::Z, Scrub::Iteration, Scrub::Slice, Scrub::Wave})
    connect(&scrubber(scrub), &Scrubber::valueChanged, this, [this, scrub] { scrubTo(scrub); });
  connect(m_canvas, &ArrayCanvas::scrubRequested, this, &ProgramsView::stepBy);
  connect(m_canvas, &ArrayCanvas::overlayRequested, this, [this] {
    m_overlay->setCurrentIndex((m_overlay->currentIndex() + 1) % m_overlay->count());
  });
  connect(m_canvas, &ArrayCanvas::playRequested, this, [this] { play(!isPlaying()); });
  connect(m_canvas, &ArrayCanvas::placeHovered, this, &ProgramsView::point);
  connect(m_canvas, &ArrayCanvas::placeChosen, this, &ProgramsView::choose);
  connect(m_overlay, &QComboBox::currentIndexChanged, this, [this] { refresh(); });
  connect(m_atOnce, &QSpinBox::valueChanged, this, [this] { refresh(); });
  connect(m_cache, &QSpinBox::valueChanged, this, [this] { refresh(); });
  connect(m_playButton, &QToolButton::toggled, this, &ProgramsView::play);
  connect(&m_play, &QTimer::timeout, this, &ProgramsView::playOn);
  connect(&m_maker, &OverlayMaker::made, this, &ProgramsView::takeOverlay);
  connect(m_focus, &FocusState::selectedChanged, this, [this] { follow(); });
}

} // namespace tilescope::views
