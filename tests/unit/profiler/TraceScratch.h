// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Trace.h"

#include <cstring>
#include <vector>

/// Writes what a traced kernel would write.
namespace tilescope::profiler::test {

struct WrittenRecord {
  uint64_t clock = 0;
  uint32_t ended = 0, begun = 0;
};

struct WrittenWarp {
  uint32_t multiprocessor = 0;
  uint64_t startNs = 0, startClock = 0, endNs = 0, endClock = 0;
  std::vector<WrittenRecord> records;
};

template <typename Number> void writeNumber(uint8_t *to, Number number) {
  std::memcpy(to, &number, sizeof(number));
}

/// `part`: the program's position in the table times the number of warps, and the warp's position.
inline void writeWarp(const TraceTable &table, uint8_t *scratch, size_t part,
                      const WrittenWarp &warp) {
  uint8_t *header =
      scratch + part * static_cast<size_t>(kTraceHeaderBytes + table.records * kTraceRecordBytes);
  writeNumber(header, kTraceMagic);
  writeNumber(header + 4, warp.multiprocessor);
  writeNumber(header + 8, warp.startNs);
  writeNumber(header + 16, warp.startClock);
  writeNumber(header + 24, warp.endNs);
  writeNumber(header + 32, warp.endClock);
  writeNumber(header + 40, static_cast<uint32_t>(warp.records.size()));
  for (size_t i = 0; i < warp.records.size(); ++i) {
    uint8_t *at =
        header + kTraceHeaderBytes + i % static_cast<size_t>(table.records) * kTraceRecordBytes;
    writeNumber(at, static_cast<uint32_t>(warp.records[i].clock));
    writeNumber(at + 4, warp.records[i].ended << 16 | warp.records[i].begun);
  }
}

/// A load with its wait, a group of copies with its wait, and a barrier.
inline TraceTable sampleTable() {
  TraceTable table;
  table.scopes = {
      {1, TraceKind::Load, "tt.load", "k.py", 6, 8, 1, 1, std::nullopt},
      {2, TraceKind::Wait, "tt.load", "k.py", 6, 8, 1, 0, 0},
      {3, TraceKind::Copy, "ttg.async_commit_group", "k.py", 9, 4, 2, 1, std::nullopt},
      {4, TraceKind::Wait, "ttg.async_wait", "k.py", 9, 4, 2, 0, 1},
      {5, TraceKind::Barrier, "ttg.barrier", "", std::nullopt, std::nullopt, 0, 0, std::nullopt}};
  table.programs = {0, 7};
  table.warps = {0, 2};
  table.records = 16;
  return table;
}

} // namespace tilescope::profiler::test
