// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/SizeValues.h"

#include <algorithm>
#include <iterator>

namespace tilescope::compiler {

/// Of loops that are shown to turn: beyond it tensors would become large.
static constexpr int64_t kLargestStep = 4096;

std::vector<SuggestedSize> sizeValues(const std::vector<SizeNeeds> &sizes) {
  // Multiples of 16, so that accesses stay as wide as for round numbers, but of no larger block.
  static constexpr int64_t kVectors[] = {4000, 3600, 4400, 2800};
  static constexpr int64_t kMatrices[] = {208, 304, 176, 272, 240};
  static constexpr int64_t kInner[] = {112, 80, 48, 144};
  static constexpr int64_t kOuter[] = {2, 3, 4};
  size_t numVectors = 0, numMatrices = 0, numInner = 0, numOuter = 0;
  const auto next = [](const auto &values, size_t &count) {
    return values[count++ % std::size(values)];
  };
  std::vector<SuggestedSize> result;
  for (const SizeNeeds &size : sizes) {
    const bool isSmall = (size.isOuter && !size.isDivided) || size.rank == 0;
    const bool isInner = size.rank >= 3 && !size.isDivided;
    int64_t value = isSmall          ? next(kOuter, numOuter)
                    : isInner        ? next(kInner, numInner)
                    : size.rank >= 2 ? next(kMatrices, numMatrices)
                                     : next(kVectors, numVectors);
    if (value <= size.loopStep && size.loopStep <= kLargestStep)
      value += 2 * size.loopStep;
    // What a loop goes over in such blocks is more than one of them.
    if (size.atMost > size.loopStep && value >= size.atMost)
      value = std::max<int64_t>(size.atMost - std::max<int64_t>(size.atMost / 16, 1), 1);
    if (size.multipleOf > 1)
      value = (value + size.multipleOf - 1) / size.multipleOf * size.multipleOf;
    result.push_back({size.name, value});
  }
  return result;
}

} // namespace tilescope::compiler
