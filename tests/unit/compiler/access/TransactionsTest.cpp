// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/Transactions.h"

#include <catch2/catch.hpp>
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

} // namespace

TEST_CASE("the worked example of the header", "[access]") {
  const AccessCounts global = countGlobal(strided(0, 8), 4);
  CHECK(global.requests == 1);
  CHECK(global.sectors == 8);
  CHECK(global.lines == 2);
  CHECK(global.bytesAsked == 128);
  CHECK(global.bytesUsed == 128);
  CHECK(global.bytesFetched == 256);
  const AccessCounts shared = countShared(strided(0, 8), 4);
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
  CHECK(countShared(strided(64, 0), 4).wavefronts == 1);
}

TEST_CASE("an instruction without a lane that is on requests nothing", "[access]") {
  const AccessCounts counts = countGlobal({}, 16);
  CHECK(counts.instructions == 1);
  CHECK(counts.requests == 0);
  CHECK(counts.sectors == 0);
}

TEST_CASE("conflicts are lanes that need different words of one bank", "[access]") {
  CHECK(countShared(strided(0, 4), 4).wavefronts == 1);
  CHECK(countShared(strided(0, 128), 4).wavefronts == 32);
  // A gap of one word after each row.
  CHECK(countShared(strided(0, 132), 4).wavefronts == 1);
  // Two halves of one word are one word.
  CHECK(countShared(strided(0, 2), 2).wavefronts == 1);
}

TEST_CASE("wide accesses take as many passes as there are 128 bytes", "[access]") {
  CHECK(countShared(strided(0, 8), 8).wavefronts == 2);
  const AccessCounts counts = countShared(strided(0, 16), 16);
  CHECK(counts.wavefronts == 4);
  CHECK(counts.minimumWavefronts == 4);
  // Each half of the warp takes a pass of its own, though all lanes want the same words.
  CHECK(countShared(strided(64, 0), 16).wavefronts == 2);
  CHECK(countShared(strided(64, 0), 8).wavefronts == 1);
}
