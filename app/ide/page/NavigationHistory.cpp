// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/page/NavigationHistory.h"

#include "app/ide/page/EditorPage.h"

namespace tilescope::app {

/// Older places are forgotten.
static constexpr size_t kMaxPlaces = 100;

void NavigationHistory::leave(NavigationPlace place) {
  m_forward.clear();
  m_back.push_back(std::move(place));
  if (m_back.size() > kMaxPlaces)
    m_back.erase(m_back.begin());
}

static std::optional<NavigationPlace> step(std::vector<NavigationPlace> &from,
                                           std::vector<NavigationPlace> &to,
                                           NavigationPlace current) {
  if (from.empty())
    return std::nullopt;
  NavigationPlace place = std::move(from.back());
  from.pop_back();
  to.push_back(std::move(current));
  return place;
}

std::optional<NavigationPlace> NavigationHistory::back(NavigationPlace current) {
  return step(m_back, m_forward, std::move(current));
}

std::optional<NavigationPlace> NavigationHistory::forward(NavigationPlace current) {
  return step(m_forward, m_back, std::move(current));
}

} // namespace tilescope::app
