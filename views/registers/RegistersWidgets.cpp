// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The widgets of a RegistersView and how they are connected.
#include "views/common/ElidedLabel.h"
#include "views/common/FlowLayout.h"
#include "views/common/Scrubber.h"
#include "views/common/ShortTexts.h"
#include "views/common/TableMetrics.h"
#include "views/common/TurningSplitter.h"
#include "views/registers/AliveModel.h"
#include "views/registers/LiveStrip.h"
#include "views/registers/RegistersView.h"

#include <QComboBox>
#include <QHeaderView>
#include <QTableView>
#include <QToolButton>

namespace tilescope::views {

RegistersView::RegistersView(FocusState *focus, QWidget *parent)
    : PictureView(parent), m_focus(focus), m_stages(new QComboBox(this)),
      m_registers(new Scrubber(tr("Registers"), this)),
      m_shared(new Scrubber(tr("Shared KiB"), this)), m_warps(new Scrubber(tr("Warps"), this)),
      m_reset(new QToolButton(this)), m_title(new ElidedLabel(this)),
      m_relation(new ElidedLabel(this)), m_occupancy(new ElidedLabel(this)),
      m_strip(new LiveStrip(this)), m_table(new QTableView(this)), m_alive(new AliveModel(this)) {
  m_occupancy->setWordWrap(true);
  m_relation->setWordWrap(true);
  setParts(createBar(createFields()), createHeader({m_title, m_occupancy, m_relation}),
           createPicture());
  setFocusProxy(m_strip);
  connectState();
  clear(tr("No kernel is compiled yet."));
}

QWidget *RegistersView::createFields() {
  m_stages->setAccessibleName(tr("Which code"));
  m_stages->setToolTip(tr("The code whose live registers are drawn"));
  m_registers->setToolTip(tr("What if: registers of a thread"));
  m_shared->setToolTip(tr("What if: shared memory of a program, in KiB"));
  m_warps->setToolTip(tr("What if: warps of a program"));
  m_reset->setText(tr("As compiled"));
  m_reset->setToolTip(tr("Back to what the compiled kernel takes"));
  auto *fields = new QWidget(this);
  auto *flow = new FlowLayout(fields);
  flow->setSpacing(12);
  flow->setContentsMargins(0, 0, 0, 0);
  flow->addWidget(m_stages);
  for (Scrubber *scrubber : {m_registers, m_shared, m_warps}) {
    // All in one row of a small screen, so that the strip is in sight below.
    scrubber->setCompact();
    flow->addWidget(scrubber);
  }
  flow->addWidget(m_reset);
  return fields;
}

QWidget *RegistersView::createPicture() {
  m_table->setModel(m_alive);
  setUpRows(m_table);
  chooseColumns(m_table, AliveModel::Which, AliveModel::Which, AliveModel::Name);
  useShortTexts(m_table, AliveModel::Name);
  m_table->setAccessibleName(tr("Values that are alive"));
  m_table->verticalHeader()->hide();
  auto *splitter = new TurningSplitter(this);
  splitter->addWidget(m_strip);
  splitter->addWidget(m_table);
  // Where the strip has its steps, names of values are read as well.
  giveRoom(m_table, splitter, 40);
  return splitter;
}

void RegistersView::connectState() {
  connect(m_stages, &QComboBox::currentIndexChanged, this, &RegistersView::showCode);
  for (Scrubber *scrubber : {m_registers, m_shared, m_warps})
    connect(scrubber, &Scrubber::valueChanged, this, [this] { updateOccupancy(); });
  connect(m_reset, &QToolButton::clicked, this, &RegistersView::showCompiled);
  connect(m_strip, &PictureCanvas::placeHovered, this, &RegistersView::pointAt);
  connect(m_strip, &PictureCanvas::placePinned, this, [this](int step) {
    if (step >= 0)
      setStep(step);
  });
  connect(m_strip, &LiveStrip::peakRequested, this, &RegistersView::showPeak);
  connect(m_table, &QTableView::clicked, this,
          [this](const QModelIndex &index) { goToRow(index.row()); });
  connect(m_table, &QTableView::activated, this,
          [this](const QModelIndex &index) { goToRow(index.row()); });
  connect(m_focus, &FocusState::selectedChanged, this, [this] { follow(); });
}

} // namespace tilescope::views
