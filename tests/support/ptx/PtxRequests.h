// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/AccessFacts.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tilescope::tests {

/// What a GPU would count of the memory instructions that a CTA executes.
///
/// Threads come here one by one. What lanes of a warp do in their n-th execution of an instruction
/// they do together, as long as they agree on the way through the kernel.
class PtxRequests {
public:
  /// One thread moves `bytes` at `address`. `place`: which instruction.
  void add(const std::string &name, const void *place, size_t thread, uint64_t address, int bytes);

  /// A thread that is off passes the instruction: its next execution belongs to the next request.
  void skip(const void *place, size_t thread) { ++executionsOf(place, thread); }

  /// By name (`global load`, `shared store`, …); clears what was collected.
  void addTo(std::map<std::string, compiler::AccessCounts> &counts);

private:
  struct Place {
    std::string name;
    int bytes = 0;
    std::vector<uint32_t> executions;
    /// By warp and execution: the address of each lane.
    std::map<std::pair<size_t, uint32_t>, std::array<int64_t, 32>> lanes;
  };
  uint32_t &executionsOf(const void *place, size_t thread);

  std::map<const void *, Place> m_places;
};

} // namespace tilescope::tests
