// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/SizeValues.h"

#include <algorithm>
#include <iterator>

namespace tilescope::compiler {

/// Of loops that are shown to turn: beyond it tensors would become large.
static constexpr int64_t kLargestStep = 4096;

static int64_t valueOf(const std::string &name, const std::vector<SuggestedSize> &values) {
  const auto found = std::ranges::find(values, name, &SuggestedSize::name);
  return found == values.end() ? 0 : found->value;
}

/// The last windows reach behind the end.
static void passWindows(const std::vector<SizeNeeds> &sizes, std::vector<SuggestedSize> &values) {
  for (size_t i = 0; i < sizes.size(); ++i)
    if (const int64_t number = valueOf(sizes[i].windows, values); number > 0)
      values[i].value = number * sizes[i].apart;
}

/// Dividends are so large that quotients fill more than one block. They leave no rest, which kernels that round down do
/// not touch.
static void passDivided(const std::vector<SizeNeeds> &sizes, std::vector<SuggestedSize> &values) {
  static constexpr int64_t kAlignment = 16;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const SizeNeeds &needs = sizes[i];
    const int64_t divisor = valueOf(needs.divisor, values);
    if (divisor < 1)
      continue;
    int64_t &value = values[i].value;
    if (value / divisor <= 2 * needs.loopStep && needs.loopStep <= kLargestStep)
      value += 2 * needs.loopStep * divisor;
    int64_t added = needs.addend;
    for (const auto &[name, times] : needs.dividend)
      added += times * valueOf(name, values);
    const int64_t step = std::max(needs.multipleOf, kAlignment);
    for (int64_t turn = 0; turn < divisor && (value + added) % divisor != 0; ++turn)
      value += step;
  }
}

std::vector<SuggestedSize> sizeValues(const std::vector<SizeNeeds> &sizes) {
  // Multiples of 16, so that accesses stay as wide as for round numbers, but of no larger block.
  static constexpr int64_t kVectors[] = {4000, 3600, 4400, 2800};
  static constexpr int64_t kMatrices[] = {208, 304, 176, 272, 240};
  static constexpr int64_t kInner[] = {112, 80, 48, 144};
  static constexpr int64_t kOuter[] = {2, 3, 4};
  // No multiples of another, nor divisors of those above.
  static constexpr int64_t kFew[] = {7, 3, 5, 9};
  size_t numVectors = 0, numMatrices = 0, numInner = 0, numOuter = 0, numFew = 0;
  const auto next = [](const auto &values, size_t &count) {
    return values[count++ % std::size(values)];
  };
  std::vector<SuggestedSize> result;
  for (const SizeNeeds &size : sizes) {
    const bool isSmall = (size.isOuter && !size.isDivided) || size.rank == 0;
    const bool isInner = size.rank >= 3 && !size.isDivided;
    int64_t value = size.isFew       ? next(kFew, numFew)
                    : isSmall        ? next(kOuter, numOuter)
                    : isInner        ? next(kInner, numInner)
                    : size.rank >= 2 ? next(kMatrices, numMatrices)
                                     : next(kVectors, numVectors);
    if (value <= size.loopStep && size.loopStep <= kLargestStep)
      value += 2 * size.loopStep;
    // What a loop goes over in such blocks is more than one of them.
    if (size.atMost > size.loopStep && value >= size.atMost)
      value = std::max<int64_t>(size.atMost - std::max<int64_t>(size.atMost / 16, 1), 1);
    if (size.leavesRest)
      value -= 3;
    if (size.multipleOf > 1 && !size.lacksMask)
      value = (value + size.multipleOf - 1) / size.multipleOf * size.multipleOf;
    result.push_back({size.name, value});
  }
  passWindows(sizes, result);
  passDivided(sizes, result);
  return result;
}

} // namespace tilescope::compiler
