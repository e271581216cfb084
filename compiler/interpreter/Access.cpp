// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/Access.h"

#include <algorithm>

namespace tilescope::compiler::interpreter {

/// Of what is told to the observer of writes at once.
static constexpr size_t kMostWatchedRange = size_t{64} << 10;

std::byte *Checker::range(int64_t low, int64_t high) {
  Place place = findPlace(m_frame.execution(), low);
  if (!place.area || place.offset < 0 ||
      high - low + place.offset + static_cast<int64_t>(m_size) >
          static_cast<int64_t>(place.area->size))
    return nullptr;
  if (isWatched()) {
    const size_t size = static_cast<size_t>(high - low) + m_size;
    // Rows that are far apart: between them nothing is written.
    if (size > kMostWatchedRange)
      return nullptr;
    m_frame.writeObserver->beforeWrite(*place.area, place.offset, size);
  }
  return place.area->data + place.offset;
}

std::byte *Checker::find(int64_t address) {
  Place place = findPlace(m_frame.execution(), address);
  if (place.area && place.offset >= 0 && place.offset + m_size <= place.area->size) {
    // The next one comes here, too.
    if (isWatched()) {
      m_frame.writeObserver->beforeWrite(*place.area, place.offset, m_size);
      return place.area->data + place.offset;
    }
    m_start = address - place.offset;
    m_usable = place.area->size - m_size + 1;
    m_data = place.area->data;
    return m_data + place.offset;
  }
  m_outside.add(address);
  return nullptr;
}

std::string programText(const Frame &frame, const std::array<int32_t, 3> &id) {
  const std::array<int32_t, 3> &grid = frame.execution().grid;
  return compiler::programText(id, {grid[0], grid[1], grid[2]});
}

void noteOutcome(const Instruction &instruction, Frame &frame, uint32_t addresses,
                 const AccessOutcomes &outcomes, bool isReached) {
  const Execution &execution = frame.execution();
  if (isReached)
    return outcomes.noteReached(instruction.location);
  if (!outcomes.isNew(instruction.location))
    return;
  const Slot &pointer = frame.value(addresses);
  const int64_t first =
      pointer.form == Form::Dense ? frame.dense<int64_t>(addresses)[0] : pointer.base();
  const MemoryArea *area = findPlace(execution, first).area;
  outcomes.noteMaskedOff(
      instruction.location,
      static_cast<uint32_t>(area ? area - execution.areas.data() : execution.areas.size()));
}

Checker::~Checker() {
  if (m_outside.count == 0)
    return;
  // What kept it from its elements was no mask.
  const Execution &execution = m_frame.execution();
  (m_kind == AccessKind::Load ? execution.reads : execution.writes)
      .noteReached(m_instruction.location);
  InterpreterFinding finding =
      outsideFinding(m_frame.execution(), m_frame.programId(), {m_kind, m_size}, m_outside);
  // What rounds of a loop access is one finding about all of them.
  InterpreterFinding *earlier = m_frame.findingHere(m_instruction, finding.kind);
  if (earlier && finding.kind != InterpreterFindingKind::InvalidPointer &&
      joinOutside(m_frame.execution(), *earlier, finding))
    return;
  m_frame.reportOnce(m_instruction, std::move(finding));
}

} // namespace tilescope::compiler::interpreter
