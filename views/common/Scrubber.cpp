// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/Scrubber.h"

#include "views/common/NearestSpinBox.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>

#include <algorithm>
#include <limits>

namespace tilescope::views {

/// What is left of a slider where room is small.
static constexpr int kLeastSliderPx = 48;

Scrubber::Scrubber(const QString &name, QWidget *parent)
    : QWidget(parent), m_name(name), m_slider(new QSlider(Qt::Horizontal, this)),
      m_field(new NearestSpinBox(this)) {
  auto *label = new QLabel(name, this);
  label->setBuddy(m_field);
  m_slider->setAccessibleName(name);
  m_slider->setMinimumWidth(kLeastSliderPx);
  m_slider->setMaximumWidth(96);
  m_slider->setPageStep(8);
  m_field->setAccessibleName(name);
  m_field->setKeyboardTracking(false);
  m_field->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  auto *row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  row->addWidget(label);
  row->addWidget(m_slider);
  row->addWidget(m_field);
  // What is left over is behind the field, not between a name and its slider.
  row->addStretch(1);
  // Narrower where that saves a row.
  setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
  connect(m_slider, &QSlider::valueChanged, this, &Scrubber::change);
  connect(m_field, &QSpinBox::valueChanged, this, &Scrubber::change);
  setState(1, 0);
}

void Scrubber::setState(qint64 count, qint64 value) {
  const QSignalBlocker slider(m_slider), field(m_field);
  m_count = static_cast<int>(std::clamp<qint64>(count, 1, std::numeric_limits<int>::max()));
  m_slider->setRange(0, m_count - 1);
  m_field->setRange(0, m_count - 1);
  m_slider->setValue(static_cast<int>(std::clamp<qint64>(value, 0, m_count - 1)));
  m_field->setValue(m_slider->value());
  setNote({});
  setVisible(m_count > 1);
  Q_EMIT stateChanged();
}

void Scrubber::setNote(const QString &note) {
  m_note = note;
  // Counted from 0 on, as in kernels, unless the first stands for all.
  const QString suffix = (m_hasAll ? tr(" of %1") : tr(" of 0–%1")).arg(m_count - 1);
  const QString end = note.isEmpty() ? QString() : u' ' + note;
  const bool isShort = m_isCompact || m_isLow;
  m_field->setToolTip(isShort ? tr("0 to %1").arg(m_count - 1) : QString());
  m_field->setSuffix(isShort ? end : suffix + end);
}

void Scrubber::setCompact() {
  m_isCompact = true;
  m_slider->setMaximumWidth(m_slider->minimumWidth());
  setNote({});
}

void Scrubber::setLow(bool isLow) {
  m_isLow = isLow;
  m_slider->setVisible(!isLow);
  setNote(m_note);
}

void Scrubber::setAllText(const QString &text) {
  m_hasAll = true;
  m_field->setSpecialValueText(text);
  setNote({});
}

int Scrubber::value() const { return m_slider->value(); }

void Scrubber::step(int by) {
  m_field->setValue(
      static_cast<int>(std::clamp<qint64>(static_cast<qint64>(value()) + by, 0, m_count - 1)));
}

void Scrubber::change(int value) {
  const QSignalBlocker slider(m_slider), field(m_field);
  m_slider->setValue(value);
  m_field->setValue(value);
  Q_EMIT valueChanged(value);
}

} // namespace tilescope::views
