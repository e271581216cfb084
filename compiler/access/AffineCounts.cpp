// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/access/AffineCounts.h"

#include "compiler/access/Transactions.h"

#include <algorithm>
#include <array>
#include <bit>

namespace tilescope::compiler::access {
namespace {

/// Whether XOR and addition are the same for the images of all places.
bool bitsNeverMeet(const LinearLayout &places) {
  uint64_t taken = 0;
  for (const uint64_t column : places.columns()) {
    if (taken & column)
      return false;
    taken |= column;
  }
  return true;
}

/// How far an address moves with a bit whose image is `column`.
int64_t weightOf(const LinearLayout &places, uint64_t column, std::span<const int64_t> step) {
  int64_t weight = 0;
  for (const DimValue &at : places.unpackOut(column))
    if (const auto dim = static_cast<size_t>(tensorDimIndex(at.dim)); dim < step.size())
      weight += at.value * step[dim];
  return weight;
}

/// The addresses of one request, from its lowest: sums of subsets of `weights`, which ascend.
struct LaneSums {
  std::vector<int64_t> weights;
  /// What negative steps take off the address of lane 0.
  int64_t shift = 0;
  uint64_t numLanes = 1;
  uint64_t numDistinct = 1;
};

/// Nothing where accesses may overlap without being equal.
std::optional<LaneSums> sumsOfLanes(const std::vector<int64_t> &laneWeights, int bytes) {
  LaneSums sums;
  for (const int64_t weight : laneWeights) {
    sums.numLanes *= 2;
    if (weight == 0)
      continue;
    sums.numDistinct *= 2;
    sums.shift += std::min<int64_t>(weight, 0);
    sums.weights.push_back(weight < 0 ? -weight : weight);
  }
  std::ranges::sort(sums.weights);
  int64_t span = bytes;
  for (const int64_t weight : sums.weights) {
    if (weight < span)
      return std::nullopt;
    span += weight;
  }
  return sums;
}

/// Units of `size` bytes that a request touches which begins `start` bytes behind one.
std::optional<uint64_t> unitsOf(const LaneSums &sums, int64_t start, int bytes, int64_t size) {
  // First as far as no unit is left out, then whole repetitions.
  int64_t span = bytes, reach = 0;
  size_t next = 0;
  for (; next < sums.weights.size() && sums.weights[next] < span + size; ++next)
    span += sums.weights[next];
  auto units = static_cast<uint64_t>((start + span - 1) / size + 1);
  reach = static_cast<int64_t>(units) * size;
  for (; next < sums.weights.size(); ++next) {
    const int64_t distance = sums.weights[next];
    if (distance % size != 0 || distance < reach)
      return std::nullopt;
    units *= 2;
    reach += distance;
  }
  return units;
}

/// How many instructions start at each place within a line.
using Starts = std::array<uint64_t, kLineBytes>;

void addBit(Starts &starts, int64_t weight) {
  Starts moved{};
  for (int64_t at = 0; at < kLineBytes; ++at)
    moved[static_cast<size_t>((at + weight) & (kLineBytes - 1))] = starts[static_cast<size_t>(at)];
  for (size_t at = 0; at < starts.size(); ++at)
    starts[at] += moved[at];
}

} // namespace

std::optional<AccessCounts> countAffine(const AccessPlan &plan, const AffineAddresses &addresses) {
  const LinearLayout places = plan.places.canonicalOuts();
  if (!bitsNeverMeet(places) || plan.numLanes != kLanes)
    return std::nullopt;
  const auto weight = [&](Dim in, int bit) {
    return bit < places.inBits(in)
               ? weightOf(places, places.columns(in)[static_cast<size_t>(bit)], addresses.step)
               : 0;
  };
  const auto isIdle = [&](int bit) { return (plan.idleThreads >> bit & 1) != 0; };
  constexpr int kLaneBits = 5;
  std::vector<int64_t> laneWeights;
  for (int bit = 0; bit < kLaneBits; ++bit)
    if (!isIdle(bit))
      laneWeights.push_back(weight(Dim::Lane, bit));
  const std::optional<LaneSums> sums = sumsOfLanes(laneWeights, plan.vectorBytes());
  if (!sums)
    return std::nullopt;

  Starts starts{};
  starts[static_cast<size_t>((addresses.base + sums->shift) & (kLineBytes - 1))] = 1;
  uint64_t instructions = static_cast<uint64_t>(plan.numWarps);
  for (int bit = 0; bit < places.inBits(Dim::Register); ++bit)
    if ((plan.vectorRegisters >> bit & 1) == 0) {
      addBit(starts, weight(Dim::Register, bit));
      instructions *= 2;
    }
  for (int bit = 0; 1 << bit < plan.numWarps; ++bit)
    if (!isIdle(kLaneBits + bit))
      addBit(starts, weight(Dim::Warp, bit));
    else if (plan.isJumpedOver)
      instructions /= 2;

  AccessCounts counts;
  counts.instructions = instructions;
  const int bytes = plan.vectorBytes();
  for (int64_t at = 0; at < kLineBytes; ++at) {
    const uint64_t requests = starts[static_cast<size_t>(at)];
    if (requests == 0)
      continue;
    const std::optional<uint64_t> sectors = unitsOf(*sums, at % kSectorBytes, bytes, kSectorBytes);
    const std::optional<uint64_t> lines = unitsOf(*sums, at, bytes, kLineBytes);
    if (!sectors || !lines)
      return std::nullopt;
    counts.requests += requests;
    counts.sectors += requests * *sectors;
    counts.lines += requests * *lines;
    counts.bytesAsked += requests * sums->numLanes * static_cast<uint64_t>(bytes);
    counts.bytesUsed += requests * sums->numDistinct * static_cast<uint64_t>(bytes);
  }
  counts.bytesFetched = counts.sectors * kSectorBytes;
  return counts;
}

} // namespace tilescope::compiler::access
