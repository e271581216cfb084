// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/Transactions.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <set>
#include <vector>

using namespace tilescope::compiler;
using namespace tilescope::compiler::access;

namespace {

/// 32 lanes, lane l at `base` + `stride` * l.
std::vector<int64_t> strided(int64_t base, int64_t stride) {
  std::vector<int64_t> lanes;
  for (int lane = 0; lane < kLanes; ++lane)
    lanes.push_back(base + stride * lane);
  return lanes;
}

/// What a GPU of compute capability 9.0 counted (`l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld`,
/// `_st`) for one warp whose lane l moves `bytes` at the XOR of the bases of l's bits.
struct MeasuredPattern {
  int bytes;
  MemoryAction action;
  std::array<int64_t, 5> bases;
  uint64_t wavefronts;
};
using enum MemoryAction;
constexpr MeasuredPattern kMeasured[] = {
    {2, SharedLoad, {0, 0, 256, 4, 0}, 2},        {2, SharedStore, {16, 512, 128, 32, 64}, 4},
    {4, SharedLoad, {4, 0, 256, 4, 1024}, 4},     {4, SharedLoad, {512, 16, 8, 0, 0}, 2},
    {4, SharedStore, {1024, 32, 4, 0, 16}, 2},    {4, SharedStore, {0, 8, 8, 32, 64}, 1},
    {8, SharedLoad, {32, 128, 0, 0, 8}, 4},       {8, SharedLoad, {0, 512, 32, 512, 64}, 2},
    {8, SharedLoad, {512, 16, 512, 256, 0}, 8},   {8, SharedLoad, {0, 128, 128, 1024, 128}, 4},
    {8, SharedLoad, {1024, 0, 1024, 0, 0}, 2},    {8, SharedLoad, {1024, 0, 512, 512, 0}, 4},
    {8, SharedLoad, {1024, 128, 128, 8, 64}, 8},  {8, SharedStore, {32, 1024, 0, 0, 0}, 4},
    {8, SharedStore, {32, 48, 256, 16, 16}, 4},   {8, SharedStore, {128, 256, 0, 32, 16}, 8},
    {16, SharedLoad, {64, 256, 768, 128, 0}, 16}, {16, SharedLoad, {0, 0, 0, 256, 0}, 4},
    {16, SharedLoad, {0, 0, 0, 0, 0}, 2},         {16, SharedLoad, {64, 0, 16, 512, 64}, 4},
    {16, SharedLoad, {0, 512, 32, 0, 32}, 4},     {16, SharedLoad, {0, 256, 128, 0, 64}, 8},
    {16, SharedLoad, {256, 0, 64, 32, 0}, 4},     {16, SharedLoad, {128, 0, 32, 32, 0}, 4},
    {16, SharedStore, {256, 128, 0, 0, 0}, 16},   {16, SharedStore, {128, 64, 128, 32, 0}, 8},
    {16, SharedStore, {64, 0, 512, 0, 0}, 8},     {16, SharedStore, {0, 128, 32, 64, 64}, 8},
};

} // namespace

TEST_CASE("the worked example of the header", "[access]") {
  const AccessCounts global = countGlobal(strided(0, 8), 4);
  CHECK(global.requests == 1);
  CHECK(global.sectors == 8);
  CHECK(global.lines == 2);
  CHECK(global.bytesAsked == 128);
  CHECK(global.bytesUsed == 128);
  CHECK(global.bytesFetched == 256);
  const AccessCounts shared = countShared(strided(0, 8), 4, MemoryAction::SharedLoad);
  CHECK(shared.wavefronts == 2);
  CHECK(shared.minimumWavefronts == 1);
}

TEST_CASE("neighbouring lanes share sectors and lines", "[access]") {
  CHECK(countGlobal(strided(0, 4), 4).sectors == 4);
  CHECK(countGlobal(strided(0, 16), 16).sectors == 16);
  CHECK(countGlobal(strided(0, 16), 16).lines == 4);
  CHECK(countGlobal(strided(0, 2), 2).sectors == 2);
}

TEST_CASE("a request that begins within a sector touches one more", "[access]") {
  CHECK(countGlobal(strided(4, 4), 4).sectors == 5);
  CHECK(countGlobal(strided(4, 4), 4).lines == 2);
  CHECK(countGlobal(strided(32, 4), 4).sectors == 4);
  CHECK(countGlobal(strided(32, 4), 4).lines == 2);
}

TEST_CASE("lanes that are a row apart fetch a sector each", "[access]") {
  const AccessCounts counts = countGlobal(strided(0, 4096), 4);
  CHECK(counts.sectors == 32);
  CHECK(counts.lines == 32);
  CHECK(counts.bytesFetched == 1024);
  CHECK(counts.bytesUsed == 128);
}

TEST_CASE("lanes at one address ask for it together", "[access]") {
  const AccessCounts counts = countGlobal(strided(64, 0), 4);
  CHECK(counts.sectors == 1);
  CHECK(counts.bytesAsked == 128);
  CHECK(counts.bytesUsed == 4);
  CHECK(countShared(strided(64, 0), 4, MemoryAction::SharedLoad).wavefronts == 1);
}

TEST_CASE("an instruction without a lane that is on requests nothing", "[access]") {
  const AccessCounts counts = countGlobal(std::vector<int64_t>(kLanes, kOff), 16);
  CHECK(counts.instructions == 1);
  CHECK(counts.requests == 0);
  CHECK(counts.sectors == 0);
}

TEST_CASE("conflicts are lanes that need different words of one bank", "[access]") {
  CHECK(countShared(strided(0, 4), 4, MemoryAction::SharedLoad).wavefronts == 1);
  CHECK(countShared(strided(0, 128), 4, MemoryAction::SharedLoad).wavefronts == 32);
  // A gap of one word after each row.
  CHECK(countShared(strided(0, 132), 4, MemoryAction::SharedLoad).wavefronts == 1);
  // Two halves of one word are one word.
  CHECK(countShared(strided(0, 2), 2, MemoryAction::SharedLoad).wavefronts == 1);
}

TEST_CASE("wide accesses take as many passes as there are 128 bytes", "[access]") {
  CHECK(countShared(strided(0, 8), 8, MemoryAction::SharedLoad).wavefronts == 2);
  const AccessCounts counts = countShared(strided(0, 16), 16, MemoryAction::SharedLoad);
  CHECK(counts.wavefronts == 4);
  CHECK(counts.minimumWavefronts == 4);
  // Half of the warp at a time, though all lanes want the same words.
  const AccessCounts broadcast = countShared(strided(64, 0), 16, MemoryAction::SharedLoad);
  CHECK(broadcast.wavefronts == 2);
  // No bank has two words to give.
  CHECK(broadcast.minimumWavefronts == 2);
  CHECK(countShared(strided(64, 0), 8, MemoryAction::SharedLoad).wavefronts == 1);
  CHECK(countShared(strided(64, 0), 16, MemoryAction::SharedStore).wavefronts == 4);
  CHECK(countShared(strided(64, 0), 16, MemoryAction::SharedStore).minimumWavefronts == 4);
  // With conflicts it is less: lanes of each quarter need words of one bank.
  const AccessCounts column = countShared(strided(0, 128), 16, MemoryAction::SharedLoad);
  CHECK(column.wavefronts == 32);
  CHECK(column.minimumWavefronts == 4);
  CHECK(countShared(strided(64, 0), 8, MemoryAction::SharedStore).wavefronts == 2);
}

/// The address of each lane.
static std::vector<int64_t> lanesOf(const MeasuredPattern &pattern) {
  std::vector<int64_t> lanes(kLanes, 0);
  for (size_t lane = 0; lane < kLanes; ++lane)
    for (size_t bit = 0; bit < pattern.bases.size(); ++bit)
      if (lane >> bit & 1)
        lanes[lane] ^= pattern.bases[bit];
  return lanes;
}

TEST_CASE("passes through the banks are those that a GPU counted", "[access]") {
  for (const MeasuredPattern &pattern : kMeasured) {
    const std::vector<int64_t> lanes = lanesOf(pattern);
    CAPTURE(pattern.bytes, pattern.action == SharedLoad, pattern.bases);
    CHECK(countShared(lanes, pattern.bytes, pattern.action).wavefronts == pattern.wavefronts);
  }
}

TEST_CASE("lanes that are off agree with their neighbors, and make no pass", "[access]") {
  std::vector<int64_t> lanes(kLanes, 0);
  for (size_t lane = 1; lane < kLanes; lane += 2)
    lanes[lane] = kOff;
  CHECK(countShared(lanes, 16, SharedLoad).wavefronts == 2);
  std::fill(lanes.begin() + kLanes / 2, lanes.end(), kOff);
  CHECK(countShared(lanes, 16, SharedLoad).wavefronts == 1);
  CHECK(countShared(lanes, 16, SharedStore).wavefronts == 2);
}

/// As many passes as are counted; of each bank one word in each pass; to each lane all of its bytes.
static void checkWords(const std::vector<int64_t> &lanes, int bytes, MemoryAction action) {
  CAPTURE(lanes, bytes, memoryActionName(action));
  const std::vector<SharedWord> words = sharedWords(lanes, bytes, action);
  std::set<int> passes;
  std::set<std::pair<int, int>> bankInPass;
  for (const SharedWord &word : words) {
    passes.insert(word.pass);
    CHECK(bankInPass.insert({word.pass, word.bank()}).second);
  }
  CHECK(passes.size() == countShared(lanes, bytes, action).wavefronts);
  if (!passes.empty())
    CHECK(*passes.rbegin() == static_cast<int>(passes.size()) - 1);
  for (size_t lane = 0; lane < lanes.size(); ++lane)
    for (int64_t at = lanes[lane]; lanes[lane] != kOff && at < lanes[lane] + bytes; at += 2)
      CHECK(std::ranges::count_if(words, [&](const SharedWord &word) {
              return word.address == (at & -kBankBytes) && (word.lanes >> lane & 1);
            }) == 1);
}

TEST_CASE("the words of a request are given in as many passes as are counted", "[access]") {
  for (const MeasuredPattern &pattern : kMeasured) {
    std::vector<int64_t> lanes = lanesOf(pattern);
    checkWords(lanes, pattern.bytes, pattern.action);
    lanes[5] = lanes[6] = kOff;
    checkWords(lanes, pattern.bytes, pattern.action);
  }
}

TEST_CASE("words that wait for others of their bank conflict", "[access]") {
  // Lanes l and l + 16 need different words of one bank.
  const std::vector<SharedWord> words = sharedWords(strided(0, 8), 4, SharedLoad);
  REQUIRE(words.size() == 32);
  CHECK(words[3] == SharedWord{24, 1u << 3, 0, true});
  CHECK(words[19] == SharedWord{152, 1u << 19, 1, true});
  CHECK(words[19].bank() == words[3].bank());
  // Wide accesses go group by group, which is no conflict.
  for (const SharedWord &word : sharedWords(strided(0, 16), 16, SharedLoad))
    CHECK_FALSE(word.conflicts);
}
