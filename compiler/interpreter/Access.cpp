// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/Access.h"

#include <algorithm>
#include <cstdlib>

namespace tilescope::compiler::interpreter {

/// Of what is told to the observer of writes at once.
static constexpr size_t kMostWatchedRange = size_t{64} << 10;

Place findPlace(const Execution &execution, int64_t address) {
  int64_t index = (address >> kAreaBits) - 1;
  if (index < 0 || index >= static_cast<int64_t>(execution.areas.size()))
    return {};
  return {&execution.areas[index], address - areaAddress(index)};
}

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
  if (m_numOutside++ == 0)
    m_firstOutside = m_lowestOutside = m_highestOutside = address;
  if (std::abs(address - m_firstOutside) >> (kAreaBits - 1) == 0) {
    m_lowestOutside = std::min(m_lowestOutside, address);
    m_highestOutside = std::max(m_highestOutside, address);
  }
  return nullptr;
}

/// Nothing: no shape of so many elements is known.
static std::vector<int64_t> coordinates(const MemoryArea &area, int64_t number, int64_t extent) {
  int64_t count = area.shape.empty() ? 0 : 1;
  for (const int64_t each : area.shape)
    count *= each;
  if (count <= 0 || count != extent)
    return {};
  std::vector<int64_t> at(area.shape.size());
  for (size_t i = at.size(); i-- > 1;) {
    at[i] = ((number % area.shape[i]) + area.shape[i]) % area.shape[i];
    number = (number - at[i]) / area.shape[i];
  }
  at.front() = number;
  return at;
}

/// `[0, 32]`, or `[32]`.
static std::string indexText(const MemoryArea &area, int64_t number, int64_t extent) {
  std::string text;
  for (const int64_t each : coordinates(area, number, extent))
    text += (text.empty() ? "" : ", ") + std::to_string(each);
  return "[" + (text.empty() ? std::to_string(number) : text) + "]";
}

std::string elementName(const MemoryArea &area, int64_t number, int64_t extent) {
  return area.name + indexText(area, number, extent);
}

std::string programText(const Frame &frame, const std::array<int32_t, 3> &id) {
  const std::array<int32_t, 3> &grid = frame.execution().grid;
  return compiler::programText(id, {grid[0], grid[1], grid[2]});
}

static const char *verb(InterpreterFindingKind kind) {
  switch (kind) {
  case InterpreterFindingKind::OutOfBoundsLoad:
    return "reads";
  case InterpreterFindingKind::OutOfBoundsStore:
    return "writes";
  default:
    return "updates";
  }
}

static InterpreterFindingKind kindOf(AccessKind kind) {
  switch (kind) {
  case AccessKind::Load:
    return InterpreterFindingKind::OutOfBoundsLoad;
  case AccessKind::Store:
    return InterpreterFindingKind::OutOfBoundsStore;
  case AccessKind::Atomic:
    return InterpreterFindingKind::OutOfBoundsAtomic;
  }
  return {};
}

/// The tensor that an address outside of all was computed from. Offsets of terabytes lead beyond
/// its area, perhaps into that of an argument which is not a tensor at all: then it is the last
/// tensor before.
static Place findOrigin(const Execution &execution, int64_t address) {
  Place place = findPlace(execution, address);
  constexpr int64_t kFar = int64_t(1) << (kAreaBits - 6);
  if (!place.area || place.area->data || std::abs(place.offset) < kFar)
    return place;
  for (int64_t index = place.area - execution.areas.data(); index-- > 0;)
    if (execution.areas[index].data)
      return {&execution.areas[index], address - areaAddress(index)};
  return {};
}

/// "`x_ptr[4000…4095]`, past its last element 3999", or "`x_ptr[3, 0]` to `x_ptr[3, 5]`, past its
/// last element [2, 9]".
static std::string outsideText(const MemoryArea &area, const InterpreterFinding &finding) {
  const bool isOne = finding.offset == finding.lastOffset;
  const bool hasRows = coordinates(area, finding.offset, finding.extent).size() > 1;
  const std::string first = elementName(area, finding.offset, finding.extent);
  std::string text = "`" + first + "`";
  if (!isOne && hasRows)
    text += " to `" + elementName(area, finding.lastOffset, finding.extent) + "`";
  else if (!isOne)
    text =
        "`" + first.substr(0, first.size() - 1) + "…" + std::to_string(finding.lastOffset) + "]`";
  const auto length = static_cast<uint64_t>(finding.lastOffset - finding.offset) + 1;
  if (!isOne && finding.numAccesses != length)
    text += " (" + std::to_string(finding.numAccesses) + " accesses)";
  if (finding.extent == 0)
    return text + ", but it has no elements";
  const int64_t last = finding.extent - 1;
  if (finding.offset > last)
    return text + ", past its last element " +
           (hasRows ? indexText(area, last, finding.extent) : std::to_string(last));
  if (finding.lastOffset < 0)
    return text + ", before its first element";
  return text + ", outside of its " + std::to_string(finding.extent) + " elements";
}

void noteOutcome(const Instruction &instruction, Frame &frame, uint32_t addresses,
                 uint64_t bytesBefore) {
  const Execution &execution = frame.execution();
  if (frame.bytesStored != bytesBefore)
    return execution.writes.noteWritten(instruction.location);
  if (!execution.writes.isNew(instruction.location))
    return;
  const Slot &pointer = frame.value(addresses);
  const int64_t first =
      pointer.form == Form::Dense ? frame.dense<int64_t>(addresses)[0] : pointer.base();
  const MemoryArea *area = findPlace(execution, first).area;
  execution.writes.noteMaskedOff(
      instruction.location,
      static_cast<uint32_t>(area ? area - execution.areas.data() : execution.areas.size()));
}

static std::string subjectOf(const Execution &execution, const InterpreterFinding &finding) {
  const std::array<int32_t, 3> &grid = execution.grid;
  return compiler::programText(finding.programId, {grid[0], grid[1], grid[2]}) + " " +
         verb(finding.kind) + " ";
}

bool joinOutside(const Execution &execution, InterpreterFinding &earlier,
                 const InterpreterFinding &finding) {
  const auto area = std::ranges::find(execution.areas, finding.argument, &MemoryArea::name);
  if (earlier.programId != finding.programId || earlier.argument != finding.argument ||
      earlier.extent != finding.extent || area == execution.areas.end())
    return false;
  earlier.offset = std::min(earlier.offset, finding.offset);
  earlier.lastOffset = std::max(earlier.lastOffset, finding.lastOffset);
  earlier.numAccesses += finding.numAccesses;
  earlier.message = subjectOf(execution, earlier) + outsideText(*area, earlier);
  return true;
}

Checker::~Checker() {
  if (m_numOutside == 0)
    return;
  const Place place = findOrigin(m_frame.execution(), m_firstOutside);
  InterpreterFinding finding;
  finding.programId = m_frame.programId();
  finding.kind = kindOf(m_kind);
  const std::string subject = subjectOf(m_frame.execution(), finding);
  if (!place.area) {
    finding.kind = InterpreterFindingKind::InvalidPointer;
    finding.message = subject + "through a pointer that belongs to no argument";
  } else {
    const auto size = static_cast<int64_t>(m_size);
    const auto elementAt = [&](int64_t address) {
      const int64_t offset = place.offset + (address - m_firstOutside);
      return offset >= 0 ? offset / size : -((-offset + size - 1) / size);
    };
    finding.argument = place.area->name;
    finding.offset = elementAt(m_lowestOutside);
    finding.lastOffset = elementAt(m_highestOutside);
    finding.extent = static_cast<int64_t>(place.area->size) / size;
    finding.numAccesses = m_numOutside;
    // What rounds of a loop access is one finding about all of them.
    InterpreterFinding *earlier = m_frame.findingHere(m_instruction, finding.kind);
    if (earlier && joinOutside(m_frame.execution(), *earlier, finding))
      return;
    finding.message = subject + outsideText(*place.area, finding);
  }
  m_frame.reportOnce(m_instruction, std::move(finding));
}

} // namespace tilescope::compiler::interpreter
