// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/AffineCounts.h"

#include "compiler/layout/Encodings.h"

#include <catch2/catch.hpp>
#include <random>

using namespace tilescope::compiler;
using namespace tilescope::compiler::access;

namespace {

/// Deterministic random accesses: blocked layouts of one to three dimensions, with copies in lanes
/// and warps, and addresses with steps that are rows, elements, odd, zero or negative.
class RandomAccesses {
public:
  int number(int low, int high) { return std::uniform_int_distribution<int>(low, high)(m_engine); }

  AccessPlan plan() {
    const int rank = number(1, 3);
    m_shape.clear();
    BlockedParameters blocked;
    int laneBits = 5, warpBits = number(0, 3);
    for (int dim = 0; dim < rank; ++dim) {
      m_shape.push_back(int64_t(1) << number(0, 7 - rank));
      blocked.sizePerThread.push_back(1u << number(0, 2));
      const int lanes = dim + 1 == rank ? laneBits : number(0, laneBits);
      const int warps = dim + 1 == rank ? warpBits : number(0, warpBits);
      laneBits -= lanes;
      warpBits -= warps;
      blocked.threadsPerWarp.push_back(1u << lanes);
      blocked.warpsPerBlock.push_back(1u << warps);
      blocked.order.push_back(static_cast<unsigned>(rank - 1 - dim));
    }
    AccessPlan plan;
    plan.places = blockedLayout(m_shape, blocked, singleBlockCluster(rank))
                      .dropIn(Dim::Block)
                      .removeZeroBases(Dim::Register);
    plan.elementBytes = 1 << number(0, 3);
    plan.numWarps = 1;
    for (const unsigned warps : blocked.warpsPerBlock)
      plan.numWarps *= static_cast<int>(warps);
    makeVector(plan);
    if (number(0, 1))
      for (const DimValue &free : plan.places.freeVariableMasks())
        plan.idleThreads |= free.dim == Dim::Lane   ? static_cast<uint32_t>(free.value)
                            : free.dim == Dim::Warp ? static_cast<uint32_t>(free.value) << 5
                                                    : 0;
    plan.isJumpedOver = number(0, 1);
    return plan;
  }

  /// Steps for `plan`; those within a vector are fixed.
  std::vector<int64_t> steps(const AccessPlan &plan) {
    std::vector<int64_t> steps;
    for (size_t dim = 0; dim < m_shape.size(); ++dim) {
      const std::vector<int64_t> choices{0, 1, 2, 3, 8, 24, 64, 100, 1024, -1, -16, -1024};
      steps.push_back(choices[static_cast<size_t>(number(0, 11))] * plan.vectorBytes());
    }
    if (plan.vectorElements > 1)
      steps.back() = plan.elementBytes;
    return steps;
  }

  std::vector<int64_t> addresses(const AffineAddresses &affine) const {
    std::vector<int64_t> addresses{affine.base};
    for (size_t dim = 0; dim < m_shape.size(); ++dim) {
      std::vector<int64_t> next;
      for (const int64_t address : addresses)
        for (int64_t index = 0; index < m_shape[dim]; ++index)
          next.push_back(address + index * affine.step[dim]);
      addresses = std::move(next);
    }
    return addresses;
  }

private:
  /// The widest vector that registers along the last dimension allow, or a narrower one.
  void makeVector(AccessPlan &plan) {
    const LinearLayout places = plan.places.canonicalOuts();
    int bits = 0;
    while (bits < places.inBits(Dim::Register) && plan.elementBytes << (bits + 1) <= 16 &&
           m_shape.back() > int64_t(1) << bits &&
           places.columns(Dim::Register)[static_cast<size_t>(bits)] == uint64_t(1) << bits)
      ++bits;
    bits = number(0, bits);
    plan.vectorElements = 1 << bits;
    plan.vectorRegisters = (1u << bits) - 1;
  }

  std::mt19937_64 m_engine{20261123};
  std::vector<int64_t> m_shape;
};

} // namespace

TEST_CASE("the closed form agrees with the trace of every element", "[access]") {
  RandomAccesses random;
  constexpr int kCases = 4000;
  int solved = 0;
  for (int i = 0; i < kCases; ++i) {
    const AccessPlan plan = random.plan();
    const std::vector<int64_t> steps = random.steps(plan);
    const AffineAddresses affine{int64_t(random.number(0, 63)) * plan.vectorBytes() + 65536, steps};
    AccessCounter traced(plan);
    traced.add(random.addresses(affine), nullptr);
    const std::optional<AccessCounts> counts = countAffine(plan, affine);
    INFO("case " << i << ": " << plan.places.toString() << ", " << plan.vectorBytes()
                 << " bytes a lane, base " << affine.base);
    if (counts) {
      ++solved;
      REQUIRE(*counts == traced.counts());
    }
    AccessCounter counter(plan);
    counter.addAffine(affine);
    REQUIRE(counter.counts() == traced.counts());
  }
  // Those that are left have runs that are neither side by side nor whole lines apart.
  CHECK(solved > kCases / 2);
}

TEST_CASE("the closed form counts the example of its header", "[access]") {
  AccessPlan plan;
  plan.numWarps = 1;
  const Dim row = tensorDim(0), column = tensorDim(1);
  plan.places =
      LinearLayout::identity(8, Dim::Lane, column) * LinearLayout::identity(4, Dim::Lane, row);
  const std::vector<int64_t> steps{256, 4};
  const std::optional<AccessCounts> counts = countAffine(plan, {0, steps});
  REQUIRE(counts);
  CHECK(counts->sectors == 4);
  CHECK(counts->lines == 4);
  CHECK(counts->bytesUsed == 128);
  // From the middle of a sector on, each run touches two.
  CHECK(countAffine(plan, {16, steps})->sectors == 8);
}
