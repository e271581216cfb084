// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/estimate/MemoryTraffic.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;
using namespace tilescope::compiler::estimate;

static AccessFacts access(MemoryAction action, const std::string &argument, uint64_t bytes) {
  AccessFacts facts;
  facts.action = action;
  facts.argument = argument;
  facts.vectorBytes = 16;
  facts.counts.bytesFetched = facts.counts.bytesUsed = bytes;
  facts.counts.sectors = bytes / 32;
  return facts;
}

TEST_CASE("rows that are loaded three times come from L2 once where L1 has room", "[compiler]") {
  constexpr uint64_t kRow = 8192, kRows = 32768;
  const DeviceRates device = *deviceRates("cuda:90");
  MemoryFacts memory;
  memory.programs = kRows;
  for (int pass = 0; pass < 3; ++pass)
    memory.accesses.push_back(access(MemoryAction::GlobalLoad, "x_ptr", kRow * kRows));
  memory.accesses.push_back(access(MemoryAction::GlobalStore, "out_ptr", kRow * kRows));
  TrafficInput input;
  input.memory = &memory;
  input.arrayBytes = {{"x_ptr", kRow * kRows}, {"out_ptr", kRow * kRows}};
  input.programsPerSm = 8;
  const MemoryTraffic traffic = memoryTraffic(input, device);
  CHECK(traffic.l2ReadBytes == Approx(kRow * kRows));
  CHECK(traffic.dramReadBytes == Approx(kRow * kRows));
  CHECK(traffic.dramWriteBytes == Approx(kRow * kRows));
  CHECK(traffic.shares[0].pastL1 == Approx(1.0 / 3));
  // With rows of 64 KiB there is no room for eight of them.
  memory.accesses.clear();
  for (int pass = 0; pass < 3; ++pass)
    memory.accesses.push_back(access(MemoryAction::GlobalLoad, "x_ptr", 8 * kRow * kRows));
  input.arrayBytes["x_ptr"] = 8 * kRow * kRows;
  CHECK(memoryTraffic(input, device).l2ReadBytes == Approx(3.0 * 8 * kRow * kRows));
  // L2 has no room for the array either, but a program reads its row again at once.
  CHECK(memoryTraffic(input, device).dramReadBytes == Approx(8.0 * kRow * kRows));
}

TEST_CASE("tiles come from DRAM again for each wave where L2 has no room", "[compiler]") {
  constexpr uint64_t kTile = uint64_t{1} << 20;
  DeviceRates device = *deviceRates("cuda:90");
  device.multiprocessors = 2;
  MemoryFacts memory;
  memory.programs = 4;
  memory.accesses.push_back(access(MemoryAction::AsyncCopy, "a_ptr", 4 * kTile));
  // Programs 0 and 2 load one tile, 1 and 3 the other: both waves load both.
  std::vector<ProgramFacts> programs(4);
  for (size_t i = 0; i < 4; ++i)
    programs[i].tiles.push_back({0, static_cast<int64_t>(i % 2 * kTile), kTile});
  TrafficInput input;
  input.memory = &memory;
  input.programs = &programs;
  input.arrayBytes = {{"a_ptr", 2 * kTile}};
  device.l2Bytes = 0;
  CHECK(memoryTraffic(input, device).dramReadBytes == Approx(4.0 * kTile));
  device.l2Bytes = 100.0 * kTile;
  CHECK(memoryTraffic(input, device).dramReadBytes == Approx(2.0 * kTile));
  CHECK(memoryTraffic(input, device).l2ReadBytes == Approx(4.0 * kTile));
}

TEST_CASE("atomic operations read and write what they change", "[compiler]") {
  MemoryFacts memory;
  memory.programs = 64;
  memory.accesses.push_back(access(MemoryAction::GlobalReduction, "sum_ptr", 64 * 4096));
  TrafficInput input;
  input.memory = &memory;
  input.arrayBytes = {{"sum_ptr", 4096}};
  const MemoryTraffic traffic = memoryTraffic(input, *deviceRates("cuda:90"));
  CHECK(traffic.atomicSectors == 64 * 4096 / 32);
  // All programs meet at the same sectors.
  CHECK(traffic.atomicTurns == 64);
  CHECK(traffic.dramReadBytes == 4096);
  CHECK(traffic.dramWriteBytes == 4096);
}

TEST_CASE("programs that have nothing to load leave the work to the others", "[compiler]") {
  const DeviceRates device = *deviceRates("cuda:90");
  std::vector<ProgramFacts> programs(128);
  CHECK(unevenness(programs, device) == 1);
  programs.front().lines = 131072;
  CHECK(unevenness(programs, device) == Approx(128));
  for (ProgramFacts &program : programs)
    program.lines = 16;
  CHECK(unevenness(programs, device) == 1);
  // A last program that is not full changes little.
  programs.back().lines = 8;
  CHECK(unevenness(programs, device) == Approx(16 / 15.9375));
  // Many are dealt out as they end: half of them do nothing, and nobody waits for that.
  programs.assign(13200, {});
  for (size_t i = 0; i < programs.size(); i += 2)
    programs[i].lines = 10;
  CHECK(unevenness(programs, device) == Approx(1.0));
  CHECK(unevenness({}, device) == 1);
}
