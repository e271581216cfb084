// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tilescope::tests {

/// How often which times were taken. It is as large after five minutes as at the beginning, so that
/// it can measure a program whose memory is measured as well.
class TimeHistogram {
public:
  void add(double ms) {
    ++m_counts[std::min(static_cast<size_t>(ms / kStepMs), m_counts.size() - 1)];
    ++m_size;
    m_longestMs = std::max(m_longestMs, ms);
  }
  size_t size() const { return m_size; }
  double longestMs() const { return m_longestMs; }

  /// The time that a part of them, up to 1, does not exceed, up to a step.
  double quantileMs(double part) const {
    const auto rank = static_cast<size_t>(std::ceil(part * static_cast<double>(m_size)));
    size_t numBelow = 0;
    for (size_t step = 0; step + 1 < m_counts.size(); ++step)
      if ((numBelow += m_counts[step]) >= rank)
        return std::min(kStepMs * static_cast<double>(step + 1), m_longestMs);
    return m_longestMs;
  }

private:
  static constexpr double kStepMs = 0.02;

  std::array<uint32_t, 1001> m_counts{};
  size_t m_size = 0;
  double m_longestMs = 0;
};

} // namespace tilescope::tests
