// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/present/HeldSliders.h"

#include "views/common/Scrubber.h"

#include <QSpinBox>

#include <utility>

namespace tilescope::app {

using views::Scrubber;

std::map<QString, Scrubber *> slidersOf(const QWidget &view) {
  std::map<QString, Scrubber *> sliders;
  for (auto *each : view.findChildren<Scrubber *>())
    sliders[each->name()] = each;
  return sliders;
}

void HeldSliders::hold(QWidget &view, Wishes wishes) {
  release();
  m_view = &view;
  m_wishes = std::move(wishes);
  for (const auto &[name, slider] : slidersOf(view)) {
    if (!m_wishes.contains(name))
      continue;
    // Behind the change of the view that gave it another range.
    connect(
        slider, &Scrubber::stateChanged, this, [this, slider] { move(slider); },
        Qt::QueuedConnection);
    connect(slider, &Scrubber::valueChanged, this, [this, slider] {
      if (!m_isMoving)
        m_wishes.erase(slider->name());
    });
    move(slider);
  }
}

void HeldSliders::release() {
  m_wishes.clear();
  if (m_view)
    for (const auto &[name, slider] : slidersOf(*m_view))
      slider->disconnect(this);
  m_view = nullptr;
}

void HeldSliders::move(Scrubber *slider) {
  const auto wish = m_wishes.find(slider->name());
  const std::optional<int> wanted = wish == m_wishes.end() ? std::nullopt : wish->second();
  if (!wanted || *wanted >= slider->count() || *wanted == slider->value())
    return;
  m_isMoving = true;
  slider->field().setValue(*wanted);
  m_isMoving = false;
}

} // namespace tilescope::app
