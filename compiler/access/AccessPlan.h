// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which lane of which warp moves which elements of a block with which instruction.
//
// Worked example (asserted by the unit test "the worked example of the plan"): a block of 256
// elements, 4 warps, each thread holds two neighbours and moves them with one instruction:
//
//     register: [[1]]   lane: [[2], [4], [8], [16], [32]]   warp: [[64], [128]]   vector 2
//
// Warp 1 has one instruction, whose lane 3 moves the elements 64 + 6 and 64 + 7.
#pragma once

#include "compiler/artifacts/AccessFacts.h"
#include "compiler/artifacts/AccessRecord.h"
#include "compiler/layout/Encodings.h"

#include <vector>

namespace tilescope::compiler::access {

/// How code generation cut an access into instructions.
struct AccessPlan : AccessCut {
  MemoryAction action{};
  /// Register, lane and warp to the element, as one number: the row-major index in the block, or
  /// the offset in shared memory. Without registers that hold copies.
  LinearLayout places;
  /// Gaps between elements in shared memory.
  std::vector<PaddingRule> padding;

  int vectorBytes() const { return vectorElements * elementBytes; }
};

/// The instructions of all warps, one after another: entry `l` of each is the first element of lane
/// l, or `kIdle`.
class WarpInstructions {
public:
  static constexpr uint32_t kIdle = UINT32_MAX;

  explicit WarpInstructions(const AccessPlan &plan);

  size_t count() const { return m_elements.size() / 32; }
  /// The lanes of instruction `index`; those of one warp follow each other.
  std::span<const uint32_t> lanes(size_t index) const {
    return std::span<const uint32_t>(m_elements).subspan(index * 32, 32);
  }
  /// Instructions that each warp executes.
  size_t perWarp() const { return m_registers.size(); }
  /// The first register of each of a warp's instructions.
  const std::vector<uint32_t> &registers() const { return m_registers; }
  /// The warps that execute them, in order.
  const std::vector<int> &warps() const { return m_warps; }

private:
  std::vector<uint32_t> m_elements;
  std::vector<uint32_t> m_registers;
  std::vector<int> m_warps;
};

/// What one execution by a program costs in shared memory, where addresses are places in a buffer.
AccessCounts countSharedExecution(const AccessPlan &plan);

} // namespace tilescope::compiler::access
