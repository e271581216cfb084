// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/docks/ScrollPlaces.h"

#include <QAbstractScrollArea>

#include <algorithm>

namespace tilescope::app {

void ScrollPlaces::note(const QWidget &window) {
  std::erase_if(m_places, [](const Place &place) { return place.bar.isNull(); });
  for (const QAbstractScrollArea *area : window.findChildren<QAbstractScrollArea *>())
    for (QScrollBar *bar : {area->verticalScrollBar(), area->horizontalScrollBar()}) {
      const auto known =
          std::ranges::find_if(m_places, [bar](const Place &place) { return place.bar == bar; });
      if (known == m_places.end())
        m_places.push_back({bar, bar->value(), bar->value()});
      else if (known->reached != bar->value())
        known->wanted = bar->value();
    }
}

void ScrollPlaces::apply() {
  for (Place &place : m_places)
    if (place.bar) {
      place.bar->setValue(place.wanted);
      place.reached = place.bar->value();
    }
}

} // namespace tilescope::app
