// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/data/Trace.h"

#include <optional>
#include <span>
#include <vector>

namespace tilescope::profiler {

struct DecodedTrace {
  /// Those that ran, by program and warp as the table has them.
  std::vector<TraceWarp> warps;
  /// Of the multiprocessors, in MHz: from the warp that was measured for longest; absent where none
  /// ran long enough to tell.
  std::optional<double> clockMhz;
};

/// What a traced kernel left in its scratch (`Trace.h` describes it). The error says what does not
/// fit: bytes that are missing, scopes that the table does not have, a clock that runs back.
Result<DecodedTrace> decodeTrace(const TraceTable &table, std::span<const uint8_t> scratch);

} // namespace tilescope::profiler
