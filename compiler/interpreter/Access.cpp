// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/Access.h"

#include <cstdlib>

namespace tilescope::compiler::interpreter {

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
  return place.area->data + place.offset;
}

std::byte *Checker::find(int64_t address) {
  Place place = findPlace(m_frame.execution(), address);
  if (place.area && place.offset >= 0 && place.offset + m_size <= place.area->size) {
    m_start = address - place.offset;
    m_usable = place.area->size - m_size + 1;
    m_data = place.area->data;
    return m_data + place.offset;
  }
  if (m_numOutside++ == 0)
    m_firstOutside = address;
  return nullptr;
}

static const char *verb(AccessKind kind) {
  switch (kind) {
  case AccessKind::Load:
    return "read";
  case AccessKind::Store:
    return "written";
  case AccessKind::Atomic:
    return "changed atomically";
  }
  return "";
}

/// The tensor that an address outside of all was computed from. Offsets of terabytes lead beyond
/// its area, perhaps into that of an argument which is no tensor at all: then it is the last tensor
/// before.
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

Checker::~Checker() {
  if (m_numOutside == 0)
    return;
  Place place = findOrigin(m_frame.execution(), m_firstOutside);
  InterpreterFinding finding;
  if (!place.area) {
    finding.kind = InterpreterFindingKind::InvalidPointer;
    finding.message = std::string("a pointer that belongs to no argument is ") + verb(m_kind);
  } else {
    finding.kind = m_kind == AccessKind::Load    ? InterpreterFindingKind::OutOfBoundsLoad
                   : m_kind == AccessKind::Store ? InterpreterFindingKind::OutOfBoundsStore
                                                 : InterpreterFindingKind::OutOfBoundsAtomic;
    int64_t size = static_cast<int64_t>(m_size);
    finding.argument = place.area->name;
    finding.offset = place.offset >= 0 ? place.offset / size : -((-place.offset + size - 1) / size);
    finding.extent = static_cast<int64_t>(place.area->size) / size;
    finding.message = "`" + finding.argument + "` is " + verb(m_kind) + " at element " +
                      std::to_string(finding.offset) + ", but it has " +
                      std::to_string(finding.extent) + " elements";
  }
  if (m_numOutside > 1)
    finding.message +=
        " (and " + std::to_string(m_numOutside - 1) + " more of this block are outside)";
  m_frame.report(m_instruction, std::move(finding));
}

} // namespace tilescope::compiler::interpreter
