// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace tilescope::app {

/// Watches how far a run on the CPU comes, and says once that no program ends: on a terminal, silence looks
/// like a run that hangs.
class SlowRun {
public:
  using Clock = std::chrono::steady_clock;

  /// `limit`: time that one program may take; nothing: the usual time.
  explicit SlowRun(std::optional<double> limit) : m_limit(limit) {}

  /// Takes how many programs have ended by now; returns what there is to say, mostly nothing.
  std::string take(uint64_t done, uint64_t total, Clock::time_point now);

private:
  std::optional<double> m_limit;
  std::optional<uint64_t> m_done;
  Clock::time_point m_since{};
  bool m_hasSpoken = false;
};

} // namespace tilescope::app
