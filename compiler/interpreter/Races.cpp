// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/Races.h"

#include "compiler/interpreter/Access.h"
#include "compiler/interpreter/AtomicRaces.h"
#include "compiler/interpreter/ReadRaces.h"

#include <atomic>

namespace tilescope::compiler::interpreter {

/// Programs on several threads note themselves for one element where the kernel races or uses
/// atomic operations. Any of them may be what is left; the join of the threads orders what reads it
/// later. Who sees a writer sees what it has written.
static uint32_t writerOf(uint32_t &element) {
  return std::atomic_ref(element).load(std::memory_order_acquire);
}

/// Of programs that have waited for others.
static constexpr const char *kReleaseBehind =
    "the lock has to be released, or the flag set, behind the store, by an atomic operation: "
    "`tl.atomic_xchg`, as a plain store or `sem=\"relaxed\"` orders nothing";

/// Of programs that have looked at others, but by operations that order nothing.
static constexpr const char *kOrderingLooks =
    "the atomic operation that programs look at each other with orders nothing, with "
    "`sem=\"relaxed\"` or `scope=\"cta\"`: leave that out";

static void setWriter(uint32_t &element, uint32_t writer) {
  std::atomic_ref(element).store(writer, std::memory_order_release);
}

RaceCheck::RaceCheck(const Instruction &op, Frame &frame, Element element, int64_t address)
    : m_instruction(op), m_frame(frame), m_element(element), m_size(memorySize(element)) {
  const MemoryArea *area = findPlace(frame.execution(), address).area;
  if (area && area->writers) {
    m_area = area;
    m_numParts = m_size / area->granule;
    m_self = frame.programNumber();
    if (area->warps)
      m_warps.emplace(op, frame, *area);
  }
}

void noteOtherwise(const MemoryArea &area, int64_t offsetBytes, size_t sizeBytes) {
  if (!area.writers)
    return;
  forEachGranule(area, offsetBytes, sizeBytes, [&](size_t index) {
    if (writerOf(area.writers[index]) == 0)
      setWriter(area.writers[index], kWrittenOtherwise);
  });
}

/// Scattered stores may reach other arguments.
bool RaceCheck::isInside(const WrittenRow &row) const {
  const int64_t start = row.memory - m_area->data;
  const int64_t last = start + row.stride * static_cast<int64_t>(row.count - 1);
  const auto size = static_cast<int64_t>(m_area->size);
  return start >= 0 && last >= 0 && start < size && last < size;
}

bool RaceCheck::isAligned(const WrittenRow &row) const {
  const auto granule = static_cast<int64_t>(m_area->granule);
  return m_numParts > 0 && (row.memory - m_area->data) % granule == 0 && row.stride % granule == 0;
}

/// The usual case, in a few instructions an element: no other program has written any of them.
static bool areAllOf(uint32_t *writers, size_t count, uint32_t self) {
  const uint32_t first = writerOf(writers[0]);
  uint32_t differences = 0;
  for (size_t i = 0; i < count; ++i)
    differences |= writerOf(writers[i]) ^ first;
  return differences == 0 && (first == 0 || first == self);
}

void RaceCheck::note(const WrittenRow &row) {
  if (!isInside(row))
    return;
  m_frame.noteWatched(m_instruction, *m_area, row.memory - m_area->data, row.stride, row.count,
                      m_size);
  if (!isAligned(row))
    return;
  if (m_warps)
    m_warps->noteStores(m_element, row);
  if (m_frame.isTakenAsOrdered())
    return;
  if (m_area->accesses)
    noteChanges(m_instruction, m_frame, *m_area, m_element, row, m_hasReadRace);
  if (m_area->atomics)
    checkUpdates(m_instruction, m_frame, *m_area, m_element, row, m_hasAtomicRace);
  if (!m_isReported && (m_area->stores || !m_frame.hasSynchronized))
    findWriters(row);
}

bool RaceCheck::isOrdered(size_t granule, uint32_t writer) const {
  if (!m_area->stores)
    return false;
  // Of a store that is being noted, the writer is there first.
  const uint64_t store = std::atomic_ref(m_area->stores[granule]).load();
  return programOf(store) == writer && isBefore(store, m_frame);
}

void RaceCheck::findWriters(const WrittenRow &row) {
  const auto granule = static_cast<int64_t>(m_area->granule);
  uint32_t *writers = m_area->writers + (row.memory - m_area->data) / granule;
  if (row.stride == static_cast<int64_t>(m_size) &&
      areAllOf(writers, row.count * m_numParts, m_self))
    return;
  for (size_t i = 0; i < row.count; ++i)
    for (size_t part = 0; part < m_numParts; ++part) {
      const auto index =
          row.stride / granule * static_cast<int64_t>(i) + static_cast<int64_t>(part);
      const uint32_t writer = writerOf(writers[index]);
      // What atomic operations have left is no longer what the writer has stored.
      const bool isUpdated =
          m_area->atomics && !m_area->atomics[writers - m_area->writers + index].updates.isEmpty();
      if (writer != 0 && writer != kWrittenOtherwise && writer != m_self && !isUpdated &&
          !isOrdered(static_cast<size_t>(writers - m_area->writers + index), writer))
        compare(row, i, part, writer);
    }
}

void RaceCheck::noteWriter(const WrittenRow &row) {
  if (!isInside(row))
    return;
  const int64_t start = row.memory - m_area->data;
  if (!isAligned(row)) {
    for (size_t i = 0; i < row.count; ++i)
      noteOtherwise(*m_area, start + static_cast<int64_t>(i) * row.stride, m_size);
    return;
  }
  const auto granule = static_cast<int64_t>(m_area->granule);
  uint32_t *writers = m_area->writers + start / granule;
  for (size_t i = 0; i < row.count; ++i, writers += row.stride / granule)
    for (size_t part = 0; part < m_numParts; ++part)
      setWriter(writers[part], m_self);
  if (m_area->stores && !m_frame.isTakenAsOrdered()) {
    const uint64_t self = recordOf(m_frame, m_instruction);
    uint64_t *stores = m_area->stores + start / granule;
    for (size_t i = 0; i < row.count; ++i, stores += row.stride / granule)
      for (size_t part = 0; part < m_numParts; ++part)
        std::atomic_ref(stores[part]).store(self);
  }
  if (m_area->atomics && !m_frame.isTakenAsOrdered())
    noteStores(m_instruction, m_frame, *m_area, m_element, row);
}

void RaceCheck::compare(const WrittenRow &row, size_t index, size_t part, uint32_t writer) {
  std::array<std::byte, 8> encoded{};
  const std::byte *in = row.in + (row.isDense ? index * storageSize(m_element) : 0);
  row.write(encoded.data(), static_cast<int64_t>(m_size), in, true, 1);
  const size_t begin = part * m_area->granule;
  const std::byte *old = row.memory + static_cast<int64_t>(index) * row.stride + begin;
  if (std::memcmp(encoded.data() + begin, old, m_area->granule) == 0)
    return;
  if (m_numRaces++ > 0)
    return;
  m_other = writer;
  const int64_t granule = (old - m_area->data) / static_cast<int64_t>(m_area->granule);
  m_otherStore = m_area->stores ? std::atomic_ref(m_area->stores[granule]).load() : 0;
  m_offset = (old - m_area->data) / static_cast<int64_t>(m_area->elementSize);
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
  finding.extent = static_cast<int64_t>(m_area->size / m_area->elementSize);
  finding.message = "`" + elementName(*m_area, m_offset, finding.extent) + "` is written by " +
                    programText(m_frame, m_frame.programId()) + " and, with another value, by " +
                    programText(m_frame, {other % grid[0], row % grid[1], row / grid[1]});
  // Who has waited asks why that did not help.
  const bool hasWaited = m_frame.hasSynchronized && programOf(m_otherStore) == m_other;
  if (m_numRaces > 1 && !hasWaited)
    finding.message += " (and " + std::to_string(m_numRaces - 1) + " more of this block)";
  RawFinding raw{m_instruction.location, std::move(finding), m_frame.programId()};
  raw.finding.programId = m_frame.programId();
  if (hasWaited) {
    raw.other = locationOf(m_otherStore);
    raw.cure = kReleaseBehind;
  } else if (ReleaseClocks *releases = m_frame.execution().releases.get();
             releases && releases->lookOf(m_self) == Look::Unordered) {
    raw.finding.message += std::string("; ") + kOrderingLooks;
  }
  m_frame.addOnce(std::move(raw));
}

} // namespace tilescope::compiler::interpreter
