// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/WarpRaces.h"

#include "compiler/interpreter/Access.h"
#include "compiler/interpreter/Operations.h"
#include "compiler/interpreter/ReadRaces.h"

#include <algorithm>

namespace tilescope::compiler::interpreter {

// A record: the program's identity, how often its warps had waited, the access's number and the warp.
static constexpr int kIdentityShift = 32;
static constexpr int kWaitsShift = 16;
static constexpr int kNumberShift = 6;
static constexpr uint64_t kWarps = (1 << kNumberShift) - 1;

static uint16_t warpOf(uint64_t record) { return static_cast<uint16_t>(record & kWarps); }

static uint32_t numberOf(uint64_t record) {
  return static_cast<uint32_t>((record >> kNumberShift) & (kMostUnordered - 1));
}

/// As records have it.
static uint16_t packed(uint16_t warp) {
  return static_cast<uint16_t>(std::min<uint64_t>(warp, kWarps));
}

static bool areDifferent(uint16_t first, uint16_t second) {
  return first != second || first == kWarps;
}

static uint64_t load(uint64_t &record) {
  return std::atomic_ref(record).load(std::memory_order_relaxed);
}

static void store(uint64_t &record, uint64_t value) {
  std::atomic_ref(record).store(value, std::memory_order_relaxed);
}

void runWarpWait(const Instruction &, Frame &frame) { ++frame.numWarpWaits; }

uint64_t WarpCheck::recordOf(uint16_t warp) const {
  const uint64_t number = m_unordered ? m_unordered->number : 0;
  if (number == 0)
    return 0;
  return (uint64_t{m_frame.identity()} << kIdentityShift) |
         (uint64_t{m_frame.numWarpWaits & 0xffff} << kWaitsShift) | (number << kNumberShift) | warp;
}

bool WarpCheck::racesWith(uint64_t record, uint16_t warp) const {
  const uint32_t number = numberOf(record);
  return record >> kIdentityShift == m_frame.identity() && number < m_unordered->before.size() &&
         m_unordered->before[number] && areDifferent(warpOf(record), warp) &&
         ((record >> kWaitsShift) & 0xffff) == (m_frame.numWarpWaits & 0xffff);
}

/// The number of a warp of an access; all of them stand for one that is not `other`.
static std::string warpText(uint16_t warp, uint16_t other) {
  const int number = warp == kWarps ? (other == 0 ? 1 : 0) : warp;
  return "warp " + std::to_string(number);
}

void WarpCheck::report(size_t index, uint64_t record, uint16_t warp, const WarpPair &pair) {
  m_hasReported = true;
  RawFinding raw;
  raw.location = m_instruction.location;
  raw.other = m_frame.execution().accessLocations[numberOf(record)];
  // A barrier would only settle which of the values stays.
  const bool isItself = !pair.isWithRead && raw.other == raw.location;
  raw.cure = isItself ? "let each turn store elements of its own"
                      : "separate the two by `tl.debug_barrier()`";
  InterpreterFinding &finding = raw.finding;
  finding.kind = InterpreterFindingKind::WriteRace;
  finding.programId = raw.lastProgram = m_frame.programId();
  finding.isWithinProgram = true;
  finding.isWithRead = pair.isWithRead;
  finding.argument = m_area.name;
  finding.offset = finding.lastOffset =
      static_cast<int64_t>(index * m_area.granule / m_area.elementSize);
  finding.extent = static_cast<int64_t>(m_area.size / m_area.elementSize);
  finding.message = "`" + elementName(m_area, finding.offset, finding.extent) + "` is " +
                    pair.here + " by " + warpText(warp, warpOf(record)) + " of " +
                    programText(m_frame, finding.programId) + " and " + pair.there + " by its " +
                    warpText(warpOf(record), warp);
  m_frame.addOnce(std::move(raw));
}

void WarpCheck::noteRead(size_t index, size_t position) {
  const uint16_t warp = packed((*m_unordered->warps)[position]);
  ElementWarps &element = m_area.warps[index];
  const uint64_t stored = load(element.store);
  if (!m_hasReported && racesWith(stored, warp))
    report(index, stored, warp, {"read", "stored", true});
  const uint64_t self = recordOf(warp);
  if (self == 0)
    return;
  const uint64_t last = load(element.loads[0]);
  if (warpOf(last) != warp)
    store(element.loads[1], last);
  store(element.loads[0], self);
}

void WarpCheck::noteStore(size_t index, size_t position, bool isChange) {
  ElementWarps &element = m_area.warps[index];
  const uint16_t warp = m_unordered ? packed((*m_unordered->warps)[position]) : 0;
  if (m_unordered && isChange && !m_hasReported) {
    for (uint64_t &each : element.loads)
      if (const uint64_t loaded = load(each); !m_hasReported && racesWith(loaded, warp))
        report(index, loaded, warp, {"stored", "read", true});
    if (const uint64_t stored = load(element.store); !m_hasReported && racesWith(stored, warp))
      report(index, stored, warp, {"stored", "with another value"});
  }
  store(element.store, recordOf(warp));
}

void WarpCheck::noteStores(Element element, const WrittenRow &row) {
  const size_t numParts = std::max<size_t>(1, memorySize(element) / m_area.granule);
  size_t part = 0;
  forEachWritten(m_area, element, row, [&](size_t index, bool isChange) {
    noteStore(index, row.position + part++ / numParts, isChange);
  });
}

} // namespace tilescope::compiler::interpreter
