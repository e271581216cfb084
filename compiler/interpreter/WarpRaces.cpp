// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/WarpRaces.h"

#include "compiler/interpreter/Access.h"
#include "compiler/interpreter/RaceRecords.h"

namespace tilescope::compiler::interpreter {

// A record: the program's identity, the store's number and the warp.
static constexpr int kIdentityShift = 32;
static constexpr int kStoreShift = 16;
static constexpr uint64_t kLow = 0xffff;

void noteWarps(const Instruction &op, Frame &frame, const MemoryArea &area, size_t size,
               const WrittenRow &row) {
  const UnorderedWarps *unordered = unorderedWarps(op);
  const uint64_t store = unordered ? unordered->store : 0;
  const uint64_t begin = (uint64_t{frame.identity()} << kIdentityShift) | (store << kStoreShift);
  for (size_t i = 0; i < row.count; ++i) {
    const uint64_t warp = store ? (*unordered->warps)[row.position + i] : 0;
    forEachGranule(
        area, row.memory - area.data + row.stride * static_cast<int64_t>(i), size,
        [&](size_t index) {
          std::atomic_ref(area.warps[index]).store(begin | warp, std::memory_order_relaxed);
        });
  }
}

bool reportsOtherWarp(const Instruction &op, Frame &frame, const MemoryArea &area, size_t index,
                      size_t position) {
  const UnorderedWarps &unordered = *unorderedWarps(op);
  const uint64_t record = std::atomic_ref(area.warps[index]).load(std::memory_order_relaxed);
  const auto store = static_cast<uint32_t>((record >> kStoreShift) & kLow);
  if (record >> kIdentityShift != frame.identity() || store == 0 ||
      store >= unordered.stores.size() || !unordered.stores[store])
    return false;
  const auto storing = static_cast<uint16_t>(record & kLow);
  const uint16_t loading = (*unordered.warps)[position];
  if (storing == loading)
    return false;
  RawFinding raw;
  raw.location = op.location;
  raw.other = frame.execution().storeLocations[store];
  raw.cure = "separate the two by `tl.debug_barrier()`";
  InterpreterFinding &finding = raw.finding;
  finding.kind = InterpreterFindingKind::WriteRace;
  finding.programId = raw.lastProgram = frame.programId();
  finding.argument = area.name;
  finding.offset = finding.lastOffset =
      static_cast<int64_t>(index * area.granule / area.elementSize);
  finding.extent = static_cast<int64_t>(area.size / area.elementSize);
  finding.message = "element " + std::to_string(finding.offset) + " of `" + area.name +
                    "` is read by warp " + std::to_string(loading) + " of " +
                    programText(frame, finding.programId) + " and stored by its warp " +
                    std::to_string(storing);
  frame.addOnce(std::move(raw));
  return true;
}

} // namespace tilescope::compiler::interpreter
