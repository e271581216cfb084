// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/LoopFacts.h"
#include "profiler/data/Trace.h"

#include <QString>

#include <optional>
#include <vector>

namespace tilescope::views {

/// How long an operation took in the traced warps: medians of all its executions, in cycles.
struct MeasuredOperation {
  uint64_t executions = 0;
  /// Until the warp went on.
  uint64_t cycles = 0;
  /// Of what goes on behind it: from there to the end of the wait that made sure of it. Absent where
  /// nothing does, or it belongs to a group that a later operation closes.
  std::optional<uint64_t> underWay = std::nullopt;
  bool operator==(const MeasuredOperation &) const = default;
};

/// By operation of the loop; nothing for one that was not traced. A trace knows operations by their
/// name and place, so those before and behind the loop that the same line became are among them.
std::vector<std::optional<MeasuredOperation>> measuredLoop(const compiler::LoopFacts &loop,
                                                           const profiler::TraceData &trace);

/// `Measured: 212 cycles (0.11 µs) until it is on its way, 2,669 cycles (1.35 µs) until it is waited
/// for; medians of 248.`
QString measuredWords(const MeasuredOperation &operation, const profiler::TraceData &trace);

} // namespace tilescope::views
