// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/RaceRecords.h"

#include "compiler/interpreter/Access.h"

namespace tilescope::compiler::interpreter {

static std::array<int32_t, 3> idOf(uint64_t record, const std::array<int32_t, 3> &grid) {
  const auto number = static_cast<int32_t>(programOf(record) - 1), row = number / grid[0];
  return {number % grid[0], row % grid[1], row / grid[1]};
}

void reportPair(Frame &frame, const RacingPair &pair) {
  const std::array<int32_t, 3> &grid = frame.execution().grid;
  const MemoryArea &area = pair.area;
  RawFinding raw;
  raw.location = locationOf(pair.shown);
  raw.other = locationOf(pair.other);
  raw.cure = pair.cure;
  raw.effect = pair.effect;
  InterpreterFinding &finding = raw.finding;
  finding.kind = InterpreterFindingKind::WriteRace;
  finding.programId = raw.lastProgram = idOf(pair.shown, grid);
  finding.argument = area.name;
  finding.offset = finding.lastOffset =
      static_cast<int64_t>(pair.index * area.granule / area.elementSize);
  finding.extent = static_cast<int64_t>(area.size / area.elementSize);
  finding.message = "`" + elementName(area, finding.offset, finding.extent) + "` is " +
                    pair.isDone + " by " + programText(frame, finding.programId) + " and " +
                    pair.otherDoes + " " + programText(frame, idOf(pair.other, grid));
  frame.addOnce(std::move(raw));
}

} // namespace tilescope::compiler::interpreter
