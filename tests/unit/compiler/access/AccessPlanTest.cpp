// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Counts worked out by hand, from the layout of a block to the sum over all warps.
#include "compiler/access/AccessCounter.h"
#include "compiler/layout/Encodings.h"

#include <catch2/catch.hpp>
#include <numeric>

using namespace tilescope::compiler;
using namespace tilescope::compiler::access;

namespace {

struct Block {
  std::vector<int64_t> shape;
  std::vector<unsigned> sizePerThread, threadsPerWarp, warps, order;
  int vector = 1;
  int elementBytes = 4;
};

AccessPlan makePlan(const Block &block) {
  AccessPlan plan;
  plan.action = MemoryAction::GlobalLoad;
  const int rank = static_cast<int>(block.shape.size());
  plan.places = blockedLayout(block.shape,
                              {block.sizePerThread, block.threadsPerWarp, block.warps, block.order},
                              singleBlockCluster(rank))
                    .dropIn(Dim::Block)
                    .removeZeroBases(Dim::Register);
  plan.elementBytes = block.elementBytes;
  plan.vectorElements = block.vector;
  plan.vectorRegisters = static_cast<uint32_t>(block.vector - 1);
  plan.numWarps = static_cast<int>(
      std::accumulate(block.warps.begin(), block.warps.end(), 1u, std::multiplies<>()));
  return plan;
}

/// The address of every element, row by row.
std::vector<int64_t> addressesOf(const std::vector<int64_t> &shape, std::vector<int64_t> step,
                                 int64_t base = 0) {
  std::vector<int64_t> addresses{base};
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    std::vector<int64_t> next;
    for (const int64_t address : addresses)
      for (int64_t index = 0; index < shape[dim]; ++index)
        next.push_back(address + index * step[dim]);
    addresses = std::move(next);
  }
  return addresses;
}

AccessCounts countOnce(const AccessPlan &plan, const std::vector<int64_t> &addresses,
                       const std::vector<uint8_t> &mask = {}) {
  AccessCounter counter(plan);
  counter.add(addresses, mask.empty() ? nullptr : mask.data());
  return counter.counts();
}

} // namespace

TEST_CASE("the worked example of the plan", "[access]") {
  const WarpInstructions instructions(makePlan({{256}, {2}, {32}, {4}, {0}, 2}));
  CHECK(instructions.count() == 4);
  CHECK(instructions.perWarp() == 1);
  CHECK(instructions.lanes(1)[3] == 64 + 6);
}

TEST_CASE("a coalesced load of 1024 floats takes 8 requests of 16 bytes per lane", "[access]") {
  // 128 threads of 4 elements: two instructions for each of the 4 warps.
  const AccessPlan plan = makePlan({{1024}, {4}, {32}, {4}, {0}, 4});
  const AccessCounts counts = countOnce(plan, addressesOf({1024}, {4}));
  CHECK(counts.instructions == 8);
  CHECK(counts.requests == 8);
  CHECK(counts.sectors == 4096 / 32);
  CHECK(counts.lines == 4096 / 128);
  CHECK(counts.bytesAsked == 4096);
  CHECK(counts.bytesUsed == 4096);
  CHECK(counts.bytesFetched == 4096);
}

TEST_CASE("the same without vectors takes 32 requests and fetches as much", "[access]") {
  const AccessPlan plan = makePlan({{1024}, {1}, {32}, {4}, {0}, 1});
  const AccessCounts counts = countOnce(plan, addressesOf({1024}, {4}));
  CHECK(counts.requests == 32);
  CHECK(counts.sectors == 128);
  // One element further: each of the 32 requests of 128 bytes touches one sector more.
  CHECK(countOnce(plan, addressesOf({1024}, {4}, 4)).sectors == 160);
}

TEST_CASE("every second element fetches twice as much as is used", "[access]") {
  const AccessPlan plan = makePlan({{1024}, {1}, {32}, {4}, {0}, 1});
  const AccessCounts counts = countOnce(plan, addressesOf({1024}, {8}));
  CHECK(counts.requests == 32);
  CHECK(counts.sectors == 256);
  CHECK(counts.bytesUsed == 4096);
  CHECK(counts.bytesFetched == 8192);
}

TEST_CASE("a transposed tile fetches a sector for every element", "[access]") {
  // 32 x 32 floats; lanes walk the columns of a row, whose elements are 4096 bytes apart.
  const AccessPlan plan = makePlan({{32, 32}, {1, 1}, {1, 32}, {4, 1}, {1, 0}, 1});
  const AccessCounts counts = countOnce(plan, addressesOf({32, 32}, {4, 4096}));
  CHECK(counts.requests == 32);
  CHECK(counts.sectors == 1024);
  CHECK(counts.bytesFetched == 8 * counts.bytesUsed);
}

TEST_CASE("elements that are off are neither asked for nor fetched", "[access]") {
  const AccessPlan plan = makePlan({{1024}, {4}, {32}, {4}, {0}, 4});
  std::vector<uint8_t> mask(1024, 0);
  // 520 elements: five requests; of the fifth, two lanes with 32 bytes together.
  std::fill_n(mask.begin(), 520, 1);
  const AccessCounts counts = countOnce(plan, addressesOf({1024}, {4}), mask);
  CHECK(counts.instructions == 8);
  CHECK(counts.requests == 5);
  CHECK(counts.sectors == 65);
  CHECK(counts.bytesAsked == 2080);
}

TEST_CASE("lanes that hold copies load what the others load, and store nothing", "[access]") {
  // 64 elements for 128 threads: warps 2 and 3 hold what warps 0 and 1 hold.
  AccessPlan plan = makePlan({{64}, {1}, {32}, {4}, {0}, 1});
  const std::vector<int64_t> addresses = addressesOf({64}, {4});
  CHECK(countOnce(plan, addresses).requests == 4);
  CHECK(countOnce(plan, addresses).sectors == 16);
  plan.idleThreads = 64;
  CHECK(countOnce(plan, addresses).instructions == 4);
  CHECK(countOnce(plan, addresses).requests == 2);
  CHECK(countOnce(plan, addresses).sectors == 8);
  plan.isJumpedOver = true;
  CHECK(countOnce(plan, addresses).instructions == 2);
}

TEST_CASE("copies within a warp ask for an element together", "[access]") {
  // 16 elements for 32 lanes of one warp.
  AccessPlan plan = makePlan({{16}, {1}, {32}, {1}, {0}, 1});
  const AccessCounts loaded = countOnce(plan, addressesOf({16}, {4}));
  CHECK(loaded.requests == 1);
  CHECK(loaded.sectors == 2);
  CHECK(loaded.bytesAsked == 128);
  CHECK(loaded.bytesUsed == 64);
  plan.idleThreads = 16;
  CHECK(countOnce(plan, addressesOf({16}, {4})).bytesAsked == 64);
}

TEST_CASE("half precision moves eight elements in 16 bytes", "[access]") {
  const AccessPlan plan = makePlan({{1024}, {8}, {32}, {4}, {0}, 8, 2});
  const AccessCounts counts = countOnce(plan, addressesOf({1024}, {2}));
  CHECK(counts.requests == 4);
  CHECK(counts.sectors == 64);
  CHECK(plan.vectorBytes() == 16);
}

TEST_CASE("a column of a buffer without a swizzle needs one bank", "[access]") {
  // 32 x 32 floats row by row in shared memory; a warp stores a row, or a column.
  AccessPlan plan = makePlan({{32, 32}, {1, 1}, {1, 32}, {1, 1}, {1, 0}, 1});
  plan.action = MemoryAction::SharedStore;
  CHECK(countSharedExecution(plan).wavefronts == 32);
  CHECK(countSharedExecution(plan).minimumWavefronts == 32);
  plan = makePlan({{32, 32}, {1, 1}, {32, 1}, {1, 1}, {1, 0}, 1});
  CHECK(countSharedExecution(plan).requests == 32);
  CHECK(countSharedExecution(plan).wavefronts == 32 * 32);
  CHECK(countSharedExecution(plan).minimumWavefronts == 32);
}
