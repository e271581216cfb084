// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/present/PresentState.h"

#include <algorithm>

namespace tilescope::app {

PresentState::PresentState(PresentScript script)
    : m_script(std::move(script)), m_isLoop(m_script.isLoop) {
  for (size_t step = 0; step < m_script.steps.size(); ++step)
    for (size_t view = 0; view < m_script.steps[step].views.size(); ++view)
      m_stops.push_back({step, view});
}

std::string PresentState::notes() const {
  const std::vector<std::string> &all = step().notes;
  return all.empty() ? std::string() : all[std::min(m_stops[m_position].view, all.size() - 1)];
}

const PresentStep *PresentState::nextStep() const {
  const size_t next = m_stops[m_position].step + 1;
  if (next < m_script.steps.size())
    return &m_script.steps[next];
  return m_isLoop ? &m_script.steps.front() : nullptr;
}

bool PresentState::go(int by) {
  const auto count = static_cast<int64_t>(m_stops.size());
  const int64_t wanted = static_cast<int64_t>(m_position) + by;
  return goTo(static_cast<size_t>(m_isLoop ? ((wanted % count) + count) % count
                                           : std::clamp<int64_t>(wanted, 0, count - 1)));
}

bool PresentState::goTo(size_t position) {
  const size_t before = m_position;
  m_position = std::min(position, m_stops.size() - 1);
  return m_position != before;
}

std::chrono::milliseconds PresentState::stay() const {
  return std::chrono::milliseconds(static_cast<int64_t>(step().seconds * 1000));
}

} // namespace tilescope::app
