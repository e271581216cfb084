// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/ProgramTally.h"

#include <algorithm>

namespace tilescope::compiler {

static uint64_t sizeOf(const std::array<int32_t, 3> &grid) {
  uint64_t count = 1;
  for (const int32_t extent : grid)
    count *= static_cast<uint64_t>(extent);
  return count;
}

/// The first dimension is the fastest.
static uint64_t numberOf(const std::array<int32_t, 3> &program,
                         const std::array<int32_t, 3> &grid) {
  uint64_t number = 0;
  for (size_t axis = grid.size(); axis-- > 0;)
    number = number * static_cast<uint64_t>(grid[axis]) + static_cast<uint64_t>(program[axis]);
  return number;
}

ProgramTally::ProgramTally(const std::vector<PlannedAccesses> &operations,
                           const std::array<int32_t, 3> &grid)
    : AccessTally(operations), m_grid(grid), m_elementBytes(operations.size()),
      m_isLoad(operations.size()) {
  for (size_t number = 0; number < operations.size(); ++number)
    for (const OperationAccess &access : operations[number].accesses) {
      const MemoryAction action = access.plan.action;
      if (isShared(action))
        continue;
      m_elementBytes[number] = static_cast<uint64_t>(access.plan.elementBytes);
      m_isLoad[number] = action == MemoryAction::GlobalLoad || action == MemoryAction::AsyncCopy;
    }
}

void ProgramTally::begin(uint64_t number) {
  m_number = number;
  m_program = &m_programs[number];
  m_tiles.assign(m_isLoad.size(), -1);
}

/// Of an operation, so far.
uint64_t ProgramTally::linesOf(uint32_t operation) const {
  const auto &counter = entries()[operation].counter;
  return counter ? counter->counts().lines : 0;
}

void ProgramTally::note(const TracedAccess &access) {
  const uint64_t linesBefore = linesOf(access.number);
  AccessTally::note(access);
  const uint64_t elementBytes = m_elementBytes[access.number];
  if (elementBytes == 0 || !access.hasAddresses)
    return;
  if (const uint64_t number = numberOf(access.programId, m_grid); number != m_number)
    begin(number);
  const uint64_t bytes = access.count() * elementBytes;
  m_program->bytes += bytes;
  m_program->lines += linesOf(access.number) - linesBefore;
  if (!m_isLoad[access.number])
    return;
  int64_t &tile = m_tiles[access.number];
  if (tile < 0) {
    const std::optional<TracedAccess::Affine> affine = access.affine();
    tile = static_cast<int64_t>(m_program->tiles.size());
    m_program->tiles.push_back(
        {access.number, affine ? affine->base : access.addresses().front(), 0});
  }
  m_program->tiles[static_cast<size_t>(tile)].bytes += bytes;
}

std::vector<ProgramFacts> programsOf(const std::vector<const ProgramTally *> &tallies,
                                     const std::array<int32_t, 3> &grid) {
  std::vector<ProgramFacts> programs(sizeOf(grid));
  for (const ProgramTally *tally : tallies)
    for (const auto &[number, facts] : tally->programs())
      programs[number] = facts;
  return programs;
}

} // namespace tilescope::compiler
