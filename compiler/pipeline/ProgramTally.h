// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/ComputeFacts.h"
#include "compiler/pipeline/KernelAccesses.h"

#include <map>

namespace tilescope::compiler {

/// More programs are not told apart: what a grid of so many leaves undone at its end is little.
inline constexpr uint64_t kMostProgramFacts = 16384;

/// Counts, and keeps what each program of its thread accesses. A thread executes one program after
/// another.
class ProgramTally : public AccessTally {
public:
  ProgramTally(const std::vector<PlannedAccesses> &operations, const std::array<int32_t, 3> &grid);

  void note(const TracedAccess &access) override;

  /// By number, in the order of the grid.
  const std::map<uint64_t, ProgramFacts> &programs() const { return m_programs; }

private:
  void begin(uint64_t number);
  uint64_t linesOf(uint32_t operation) const;

  std::array<int32_t, 3> m_grid;
  /// By operation: bytes of an element, 0 for what is not in global memory; and whether it loads.
  std::vector<uint64_t> m_elementBytes;
  std::vector<bool> m_isLoad;
  std::map<uint64_t, ProgramFacts> m_programs;
  /// The program that runs, and by operation the tile that it has of it; -1: none yet.
  uint64_t m_number = UINT64_MAX;
  ProgramFacts *m_program = nullptr;
  std::vector<int64_t> m_tiles;
};

/// What all threads found, in the order of the grid; programs that access nothing have none.
std::vector<ProgramFacts> programsOf(const std::vector<const ProgramTally *> &tallies,
                                     const std::array<int32_t, 3> &grid);

} // namespace tilescope::compiler
