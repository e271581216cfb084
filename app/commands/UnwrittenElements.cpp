// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/UnwrittenElements.h"

#include <cstring>

namespace tilescope::app {

using profiler::Tensor;

void countUnwritten(const Tensor &tensor, const profiler::Unwritten &unwritten,
                    profiler::OutputResult &output) {
  int64_t count = 0;
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    if (unwritten.has(tensor, i) && count++ == 0)
      output.firstNeverWritten = profiler::elementCoordinates(i, tensor.shape);
  output.neverWritten = count;
}

profiler::OutputComparison
compareSides(const ComparedSides &sides,
             const std::function<profiler::OutputComparison(const Tensor &actual)> &compare) {
  const Tensor &actual = sides.actual, &expected = sides.expected;
  const bool isComparable = actual.shape == expected.shape && actual.dtype == expected.dtype;
  if (!isComparable || (sides.unwritten.isNone() && sides.unwrittenExpected.isNone()))
    return compare(actual);
  const size_t size = profiler::dtypeSize(actual.dtype);
  // Mostly there is none.
  std::vector<int64_t> unlike;
  for (int64_t i = 0, count = actual.numElements(); i < count; ++i)
    if (sides.unwritten.has(actual, i) != sides.unwrittenExpected.has(expected, i) &&
        std::memcmp(actual.element(i), expected.element(i), size) == 0)
      unlike.push_back(i);
  if (unlike.empty())
    return compare(actual);
  const Tensor other = profiler::otherPoison(actual);
  Tensor told = actual;
  for (const int64_t i : unlike)
    std::memcpy(told.element(i), other.element(i), size);
  profiler::OutputComparison comparison = compare(told);
  if (!comparison.firstMismatch.empty())
    comparison.firstActual =
        actual.at(profiler::elementIndex(comparison.firstMismatch, actual.shape));
  if (!comparison.worst.empty())
    comparison.worstActual = actual.at(profiler::elementIndex(comparison.worst, actual.shape));
  return comparison;
}

} // namespace tilescope::app
