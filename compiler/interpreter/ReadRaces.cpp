// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/ReadRaces.h"

#include "compiler/interpreter/Access.h"

#include <algorithm>
#include <atomic>

namespace tilescope::compiler::interpreter {
namespace {

uint64_t recordOf(uint32_t program, const Instruction &op) {
  return (uint64_t(program) << 32) | op.location;
}

uint32_t programOf(uint64_t record) { return static_cast<uint32_t>(record >> 32); }

/// Programs are numbered from 1.
std::array<int32_t, 3> idOf(uint64_t record, const std::array<int32_t, 3> &grid) {
  const auto number = static_cast<int32_t>(programOf(record) - 1), row = number / grid[0];
  return {number % grid[0], row % grid[1], row / grid[1]};
}

/// Notes a reader where two programs at most are kept; the order makes either it or a writer see
/// the other.
void addReader(ElementAccesses &element, uint64_t self) {
  uint64_t known = 0;
  if (std::atomic_ref(element.reader).compare_exchange_strong(known, self) ||
      programOf(known) == programOf(self))
    return;
  known = 0;
  std::atomic_ref(element.otherReader).compare_exchange_strong(known, self);
}

/// A read of the argument's element `index` by one program, a change of it by another.
void report(Frame &frame, const MemoryArea &area, size_t index, uint64_t read, uint64_t change) {
  const std::array<int32_t, 3> &grid = frame.execution().grid;
  RawFinding raw;
  raw.location = static_cast<uint32_t>(read);
  raw.store = static_cast<uint32_t>(change);
  InterpreterFinding &finding = raw.finding;
  finding.kind = InterpreterFindingKind::WriteRace;
  finding.programId = raw.lastProgram = idOf(read, grid);
  finding.argument = area.name;
  finding.offset = finding.lastOffset = static_cast<int64_t>(index);
  finding.extent = static_cast<int64_t>(area.size / area.granule);
  finding.message = "element " + std::to_string(index) + " of `" + area.name + "` is read by " +
                    programText(frame, finding.programId) + " and changed by " +
                    programText(frame, idOf(change, grid));
  frame.addOnce(std::move(raw));
}

} // namespace

ReadCheck::ReadCheck(const Instruction &op, Frame &frame, Element element, int64_t address)
    : m_instruction(op), m_frame(frame) {
  const MemoryArea *area = findPlace(frame.execution(), address).area;
  // Of an update, the stores say what it leaves.
  const bool isOfUpdate = op.number[1] != 0;
  if (!area || !area->accesses || isOfUpdate || frame.hasSynchronized ||
      area->granule != memorySize(element))
    return;
  m_area = area;
  m_self = frame.programNumber();
}

void ReadCheck::note(const std::byte *memory, int64_t stride, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const int64_t offset = memory - m_area->data + stride * static_cast<int64_t>(i);
    // Scattered loads may reach other arguments, and elements that are not aligned.
    if (offset >= 0 && static_cast<uint64_t>(offset) < m_area->size &&
        static_cast<size_t>(offset) % m_area->granule == 0)
      noteElement(static_cast<size_t>(offset) / m_area->granule);
  }
}

void ReadCheck::noteElement(size_t index) {
  // What the program itself has written last.
  if (std::atomic_ref(m_area->writers[index]).load(std::memory_order_relaxed) == m_self)
    return;
  ElementAccesses &element = m_area->accesses[index];
  const uint64_t self = recordOf(m_self, m_instruction);
  addReader(element, self);
  const uint64_t change = std::atomic_ref(element.change).load();
  if (change == 0 || programOf(change) == m_self || m_isReported)
    return;
  m_isReported = true;
  report(m_frame, *m_area, index, self, change);
}

/// Calls changed(i) for the elements of a row that are going to be other ones.
template <typename F> static void forEachChange(const WrittenRow &row, Element element, F changed) {
  constexpr size_t kChunk = 64;
  const size_t size = memorySize(element);
  std::array<std::byte, kChunk * 8> encoded{};
  for (size_t begin = 0; begin < row.count; begin += kChunk) {
    const size_t count = std::min(kChunk, row.count - begin);
    row.write(encoded.data(), static_cast<int64_t>(size),
              row.in + (row.isDense ? begin * storageSize(element) : 0), row.isDense, count);
    for (size_t i = 0; i < count; ++i)
      if (std::memcmp(encoded.data() + i * size,
                      row.memory + row.stride * static_cast<int64_t>(begin + i), size) != 0)
        changed(begin + i);
  }
}

void noteChanges(const Instruction &op, Frame &frame, const MemoryArea &area, Element element,
                 const WrittenRow &row, bool &hasReported) {
  const uint64_t self = recordOf(frame.programNumber(), op);
  const auto granule = static_cast<int64_t>(area.granule);
  const int64_t first = (row.memory - area.data) / granule, step = row.stride / granule;
  forEachChange(row, element, [&](size_t i) {
    const auto index = static_cast<size_t>(first + step * static_cast<int64_t>(i));
    ElementAccesses &accesses = area.accesses[index];
    std::atomic_ref(accesses.change).store(self);
    for (uint64_t *slot : {&accesses.reader, &accesses.otherReader}) {
      const uint64_t reader = std::atomic_ref(*slot).load();
      if (reader == 0 || programOf(reader) == programOf(self) || hasReported)
        continue;
      hasReported = true;
      report(frame, area, index, reader, self);
    }
  });
}

} // namespace tilescope::compiler::interpreter
