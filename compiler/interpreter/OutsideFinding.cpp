// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/OutsideFinding.h"

#include <algorithm>
#include <cstdlib>

namespace tilescope::compiler::interpreter {

Place findPlace(const Execution &execution, int64_t address) {
  int64_t index = (address >> kAreaBits) - 1;
  if (index < 0 || index >= static_cast<int64_t>(execution.areas.size()))
    return {};
  return {&execution.areas[index], address - areaAddress(index)};
}

void OutsideElements::add(int64_t address, uint64_t times) {
  if (count == 0)
    first = lowest = highest = address;
  count += times;
  if (std::abs(address - first) >> (kAreaBits - 1) == 0) {
    lowest = std::min(lowest, address);
    highest = std::max(highest, address);
  }
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

InterpreterFinding outsideFinding(const Execution &execution,
                                  const std::array<int32_t, 3> &programId,
                                  const AccessedElement &access, const OutsideElements &elements) {
  const Place place = findOrigin(execution, elements.first);
  InterpreterFinding finding;
  finding.programId = programId;
  finding.kind = kindOf(access.kind);
  const std::string subject = subjectOf(execution, finding);
  if (!place.area) {
    finding.kind = InterpreterFindingKind::InvalidPointer;
    finding.message = subject + "through a pointer that belongs to no argument";
    return finding;
  }
  const auto size = static_cast<int64_t>(access.sizeBytes);
  const auto elementAt = [&](int64_t address) {
    const int64_t offset = place.offset + (address - elements.first);
    return offset >= 0 ? offset / size : -((-offset + size - 1) / size);
  };
  finding.argument = place.area->name;
  finding.offset = elementAt(elements.lowest);
  finding.lastOffset = elementAt(elements.highest);
  finding.extent = static_cast<int64_t>(place.area->size) / size;
  finding.numAccesses = elements.count;
  finding.message = subject + outsideText(*place.area, finding);
  return finding;
}

static bool isOutside(InterpreterFindingKind kind) {
  using enum InterpreterFindingKind;
  return kind == OutOfBoundsLoad || kind == OutOfBoundsStore || kind == OutOfBoundsAtomic;
}

/// Counts a copy of what was found in an earlier one, and says at which elements.
static void countCopy(const Execution &execution, InterpreterFinding &earlier,
                      const InterpreterFinding &finding) {
  const bool isFirst = ++earlier.numCopies == 2;
  earlier.lowestCopied = isFirst ? finding.offset : std::min(earlier.lowestCopied, finding.offset);
  earlier.highestCopied =
      isFirst ? finding.lastOffset : std::max(earlier.highestCopied, finding.lastOffset);
  const auto area = std::ranges::find(execution.areas, finding.argument, &MemoryArea::name);
  if (finding.argument.empty() || area == execution.areas.end())
    return;
  const auto quoted = [&](int64_t number) {
    return "`" + elementName(*area, number, finding.extent) + "`";
  };
  earlier.copiesText = quoted(earlier.lowestCopied);
  if (earlier.lowestCopied != earlier.highestCopied)
    earlier.copiesText += " to " + quoted(earlier.highestCopied);
}

bool joinsCopy(const Execution &execution, const InterpreterFinding &finding,
               std::vector<InterpreterFinding> &findings) {
  // Each program that does not end is one of its own.
  if (finding.kind == InterpreterFindingKind::StepLimit)
    return false;
  const auto same = std::ranges::find_if(findings, [&](const InterpreterFinding &each) {
    return each.kind == finding.kind && each.range == finding.range &&
           each.argument == finding.argument && each.otherRange == finding.otherRange &&
           each.isInFront() == finding.isInFront();
  });
  if (same == findings.end())
    return false;
  // A copy that only later programs come to says nothing new.
  if (isOutside(finding.kind))
    return joinOutside(execution, *same, finding) || same->programId != finding.programId;
  countCopy(execution, *same, finding);
  return true;
}

} // namespace tilescope::compiler::interpreter
