// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/model/TimelinePanel.h"

#include "views/common/ElidedLabel.h"
#include "views/common/Theme.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace tilescope::views {

TimelinePanel::TimelinePanel(QWidget *parent)
    : QWidget(parent), m_facts(new ElidedLabel(this)), m_measure(new QPushButton(this)),
      m_canvas(new TimelineCanvas(this)) {
  m_facts->setWordWrap(true);
  m_measure->setAutoDefault(true);
  m_measure->setToolTip(tr("Run the model where Run would, on this processor as machine code, and "
                           "take the time of each kernel"));
  connect(m_measure, &QPushButton::clicked, this,
          [this] { m_isMeasuring ? Q_EMIT stopRequested() : Q_EMIT measureRequested(); });
  auto *bar = new QHBoxLayout;
  bar->setContentsMargins(8, 3, 8, 3);
  bar->setSpacing(6);
  bar->addWidget(m_measure, 0, Qt::AlignTop);
  bar->addWidget(m_facts, 1);
  auto *column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(bar);
  column->addWidget(m_canvas, 1);
  setFocusProxy(m_canvas);
  setMeasuring(false);
}

void TimelinePanel::setFacts(const QString &facts, bool isFault) {
  m_facts->setText(facts);
  const QString tone = isFault ? QStringLiteral("error") : QString();
  if (m_facts->property("tone").toString() != tone)
    setStyleProperty(m_facts, "tone", tone);
}

void TimelinePanel::setMeasuring(bool isMeasuring) {
  m_isMeasuring = isMeasuring;
  m_measure->setText(isMeasuring ? tr("Stop measuring") : tr("Measure"));
}

QString TimelinePanel::factsText() const { return m_facts->text(); }

} // namespace tilescope::views
