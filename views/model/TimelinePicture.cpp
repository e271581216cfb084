// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/model/TimelinePicture.h"

#include <algorithm>
#include <cmath>

namespace tilescope::views {

/// In the first lane that is free; the clock's last digit makes no lane.
static constexpr double kTouchUs = 1e-6;

TimelinePicture::TimelinePicture(std::vector<TimelineSpan> spans) : m_spans(std::move(spans)) {
  std::ranges::stable_sort(m_spans, {}, &TimelineSpan::startUs);
  std::vector<double> ends;
  for (const TimelineSpan &span : m_spans) {
    auto lane =
        std::ranges::find_if(ends, [&](double end) { return end <= span.startUs + kTouchUs; });
    if (lane == ends.end())
      lane = ends.insert(lane, 0);
    *lane = span.startUs + span.us;
    m_lanes.push_back(static_cast<int>(lane - ends.begin()));
    const double begin = std::max(m_endUs, span.startUs);
    m_busyUs += std::max(0.0, *lane - begin);
    m_endUs = std::max(m_endUs, *lane);
  }
  m_numLanes = static_cast<int>(ends.size());
}

int TimelinePicture::spanAt(double us, int lane) const {
  for (size_t i = 0; i < m_spans.size(); ++i)
    if (m_lanes[i] == lane && us >= m_spans[i].startUs && us < m_spans[i].startUs + m_spans[i].us)
      return static_cast<int>(i);
  return -1;
}

int TimelinePicture::beside(int span, int by) const {
  return std::clamp(span + by, 0, static_cast<int>(m_spans.size()) - 1);
}

int TimelinePicture::acrossLanes(int span, int by) const {
  const auto middleOf = [&](size_t i) { return m_spans[i].startUs + m_spans[i].us / 2; };
  const auto from = static_cast<size_t>(span);
  int best = span;
  double apart = INFINITY;
  for (size_t i = 0; i < m_spans.size(); ++i)
    if (const double distance = std::abs(middleOf(i) - middleOf(from));
        m_lanes[i] == m_lanes[from] + by && distance < apart) {
      best = static_cast<int>(i);
      apart = distance;
    }
  return best;
}

int TimelinePicture::spanOf(int kernel) const {
  const auto found = std::ranges::find(m_spans, kernel, &TimelineSpan::kernel);
  return found == m_spans.end() ? -1 : static_cast<int>(found - m_spans.begin());
}

} // namespace tilescope::views
