// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/ReadRaces.h"

#include "compiler/interpreter/Access.h"
#include "compiler/interpreter/AtomicRaces.h"

namespace tilescope::compiler::interpreter {

static constexpr const char *kApart =
    "store to another tensor than %, or read it in a second launch";
/// Of a program that waits for others.
static constexpr const char *kRelease =
    "what the reader waits for has to be set behind the store, by an atomic operation such as "
    "`tl.atomic_xchg` (a plain store or `sem=\"relaxed\"` orders nothing), and a count has to be "
    "that of all writers";

/// Of a program that has looked at others, but by an operation that orders nothing.
static constexpr const char *kOrderingLook =
    "the atomic operation that the reader looks at others with orders nothing, with "
    "`sem=\"relaxed\"` or `scope=\"cta\"`: leave that out, and change what is looked at behind "
    "the store";

/// The same for what is updated.
static constexpr const char *kOrderingUpdate =
    "what the reader waits for has to be changed behind the update of %, by an atomic operation "
    "that orders: not one with `sem=\"relaxed\"` or `scope=\"cta\"`";
static constexpr const char *kLast =
    "read % in a second launch, or in the program that an atomic counter tells to be the last";

static Look lookOf(const Frame &frame, uint64_t record) {
  ReleaseClocks *releases = frame.execution().releases.get();
  return releases ? releases->lookOf(programOf(record)) : Look::Never;
}

static void reportChangedRead(Frame &frame, const MemoryArea &area, size_t index, uint64_t read,
                              uint64_t change) {
  const Look look = lookOf(frame, read);
  reportPair(frame, {area, index, read, "read", change, "changed by",
                     look == Look::Ordered     ? kRelease
                     : look == Look::Unordered ? kOrderingLook
                                               : kApart});
}

void reportUpdatedRead(Frame &frame, const MemoryArea &area, size_t index, uint64_t read,
                       uint64_t update) {
  const Look look = lookOf(frame, read);
  reportPair(frame, {area, index, read, "read", update, "changed by an atomic operation of",
                     look == Look::Ordered     ? kOrderingUpdate
                     : look == Look::Unordered ? kOrderingLook
                                               : kLast});
}

ReadCheck::ReadCheck(const Instruction &op, Frame &frame, Element element, int64_t address)
    : m_instruction(op), m_frame(frame), m_size(memorySize(element)) {
  const MemoryArea *area = findPlace(frame.execution(), address).area;
  if (!area)
    return;
  // Of an update, the stores say what it leaves; of a guess, the atomic operation that tries it.
  const bool isForgiven = op.number[1] != 0;
  m_notesPrograms = area->accesses && !isForgiven && !frame.isTakenAsOrdered();
  m_looksForPrograms = m_notesPrograms;
  if (area->warps && unorderedWarps(op))
    m_warps.emplace(op, frame, *area);
  if (m_notesPrograms || m_warps)
    m_area = area;
  m_self = frame.programNumber();
}

void ReadCheck::note(const std::byte *memory, int64_t stride, size_t count, size_t position) {
  for (size_t i = 0; i < count; ++i) {
    const int64_t offset = memory - m_area->data + stride * static_cast<int64_t>(i);
    // Scattered loads may reach other arguments.
    if (offset < 0 || static_cast<uint64_t>(offset) + m_size > m_area->size)
      continue;
    forEachGranule(*m_area, offset, m_size, [&](size_t index) {
      if (m_notesPrograms)
        noteElement(index);
      if (m_warps)
        m_warps->noteRead(index, position + i);
    });
  }
}

void ReadCheck::noteElement(size_t index) {
  // What the program itself has written last.
  if (std::atomic_ref(m_area->writers[index]).load(std::memory_order_relaxed) == m_self)
    return;
  ElementAccesses &element = m_area->accesses[index];
  const uint64_t self = recordOf(m_frame, m_instruction);
  element.readers.add(self, m_frame);
  if (!m_looksForPrograms)
    return;
  const uint64_t change = std::atomic_ref(element.change).load();
  const bool isChanged = change != 0 && !isBefore(change, m_frame);
  const uint64_t update =
      m_area->atomics && !isChanged ? m_area->atomics[index].updates.other(m_frame) : 0;
  if (isChanged)
    reportChangedRead(m_frame, *m_area, index, self, change);
  else if (update != 0)
    reportUpdatedRead(m_frame, *m_area, index, self, update);
  m_looksForPrograms = !isChanged && update == 0;
}

void noteChanges(const Instruction &op, Frame &frame, const MemoryArea &area, Element element,
                 const WrittenRow &row, bool &hasReported) {
  const uint64_t self = recordOf(frame, op);
  forEachWritten(area, element, row, [&](size_t index, bool isChange) {
    if (!isChange)
      return;
    ElementAccesses &accesses = area.accesses[index];
    std::atomic_ref(accesses.change).store(self);
    const uint64_t reader = hasReported ? 0 : accesses.readers.other(frame);
    if (reader == 0)
      return;
    hasReported = true;
    reportChangedRead(frame, area, index, reader, self);
  });
}

} // namespace tilescope::compiler::interpreter
