// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/Races.h"

#include "compiler/interpreter/Access.h"
#include "compiler/interpreter/ReadRaces.h"

#include <atomic>

namespace tilescope::compiler::interpreter {

/// Programs on several threads note themselves for one element where the kernel races or uses
/// atomic operations. Any of them may be what is left; the join of the threads orders what reads it
/// later.
static uint32_t writerOf(uint32_t &element) {
  return std::atomic_ref(element).load(std::memory_order_relaxed);
}

static void setWriter(uint32_t &element, uint32_t writer) {
  std::atomic_ref(element).store(writer, std::memory_order_relaxed);
}

RaceCheck::RaceCheck(const Instruction &op, Frame &frame, Element element, int64_t address)
    : m_instruction(op), m_frame(frame), m_element(element) {
  const MemoryArea *area = findPlace(frame.execution(), address).area;
  if (area && area->writers) {
    m_area = area;
    // Elements of another size than the argument's would need records of single bytes.
    m_isAligned = area->granule == memorySize(element);
    m_self = frame.programNumber();
  }
}

void noteOtherwise(const MemoryArea &area, int64_t offsetBytes, size_t sizeBytes) {
  if (!area.writers)
    return;
  const size_t first = static_cast<size_t>(offsetBytes) / area.granule;
  const size_t last = (static_cast<size_t>(offsetBytes) + sizeBytes - 1) / area.granule;
  for (size_t i = first; i <= last; ++i)
    if (writerOf(area.writers[i]) == 0)
      setWriter(area.writers[i], kWrittenOtherwise);
}

/// The usual case, in a few instructions an element: no other program has written any of them.
static bool replaceWriter(uint32_t *writers, size_t count, uint32_t self) {
  const uint32_t first = writerOf(writers[0]);
  uint32_t differences = 0;
  for (size_t i = 0; i < count; ++i)
    differences |= writerOf(writers[i]) ^ first;
  if (differences != 0 || (first != 0 && first != self))
    return false;
  for (size_t i = 0; i < count; ++i)
    setWriter(writers[i], self);
  return true;
}

void RaceCheck::note(const WrittenRow &row) {
  auto granule = static_cast<int64_t>(m_area->granule);
  int64_t start = row.memory - m_area->data;
  // Scattered stores may reach other arguments, and elements that are not aligned.
  int64_t last = start + row.stride * static_cast<int64_t>(row.count - 1);
  auto size = static_cast<int64_t>(m_area->size);
  if (start < 0 || last < 0 || start >= size || last >= size)
    return;
  m_frame.noteWatched(m_instruction, *m_area, start, row.stride, row.count, memorySize(m_element));
  if (!m_isAligned || start % granule != 0 || row.stride % granule != 0) {
    for (size_t i = 0; i < row.count; ++i)
      noteOtherwise(*m_area, start + static_cast<int64_t>(i) * row.stride, memorySize(m_element));
    return;
  }
  if (m_area->accesses && !m_frame.hasSynchronized)
    noteChanges(m_instruction, m_frame, *m_area, m_element, row, m_hasReadRace);
  uint32_t *writers = m_area->writers + start / granule;
  int64_t step = row.stride / granule;
  if (step == 1 && replaceWriter(writers, row.count, m_self))
    return;
  for (size_t i = 0; i < row.count; ++i) {
    uint32_t &element = writers[static_cast<int64_t>(i) * step];
    const uint32_t writer = writerOf(element);
    const bool isKnown = writer != 0 && writer != kWrittenOtherwise;
    if (isKnown && writer != m_self && !m_frame.hasSynchronized && !m_isReported)
      compare(row, i, writer);
    setWriter(element, m_self);
  }
}

void RaceCheck::compare(const WrittenRow &row, size_t index, uint32_t writer) {
  std::array<std::byte, 8> encoded{};
  size_t size = m_area->granule;
  const std::byte *in = row.in + (row.isDense ? index * storageSize(m_element) : 0);
  row.write(encoded.data(), static_cast<int64_t>(size), in, true, 1);
  const std::byte *old = row.memory + static_cast<int64_t>(index) * row.stride;
  if (std::memcmp(encoded.data(), old, size) == 0)
    return;
  if (m_numRaces++ > 0)
    return;
  m_other = writer;
  m_offset = (old - m_area->data) / static_cast<int64_t>(size);
}

RaceCheck::~RaceCheck() {
  if (m_numRaces == 0)
    return;
  const std::array<int32_t, 3> &grid = m_frame.execution().grid;
  const int32_t other = static_cast<int32_t>(m_other - 1), row = other / grid[0];
  InterpreterFinding finding;
  finding.kind = InterpreterFindingKind::WriteRace;
  finding.argument = m_area->name;
  finding.offset = finding.lastOffset = m_offset;
  finding.extent = static_cast<int64_t>(m_area->size / m_area->granule);
  finding.message = "element " + std::to_string(m_offset) + " of `" + m_area->name +
                    "` is written by " + programText(m_frame, m_frame.programId()) +
                    " and, with another value, by " +
                    programText(m_frame, {other % grid[0], row % grid[1], row / grid[1]});
  if (m_numRaces > 1)
    finding.message += " (and " + std::to_string(m_numRaces - 1) + " more of this block)";
  m_frame.reportOnce(m_instruction, std::move(finding));
}

} // namespace tilescope::compiler::interpreter
