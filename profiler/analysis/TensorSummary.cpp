// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/Comparison.h"
#include "profiler/analysis/ElementBits.h"
#include "profiler/analysis/Segments.h"
#include "profiler/data/Element.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tilescope::profiler {

namespace {
/// Elements that hold certain bits.
struct Holders {
  int64_t count = 0;
  /// Flat index of the first of them; −1: there is none.
  int64_t first = -1;
};
} // namespace

template <typename Bits>
static Holders holdersOf(const Tensor &tensor, Bits wanted, int64_t begin, int64_t end) {
  Holders holders;
  for (int64_t i = begin; i < end; ++i)
    holders.count += bitsAt<Bits>(tensor, i) == wanted;
  if (holders.count > 0)
    for (holders.first = begin; bitsAt<Bits>(tensor, holders.first) != wanted;)
      ++holders.first;
  return holders;
}

void noteUnwritten(const Tensor &tensor, OutputResult &output) {
  Holders all;
  withBits(tensor.dtype, [&](auto zero) {
    const auto poison = decltype(zero)(poisonBits(tensor.dtype));
    for (const Holders &each : mapSegments(tensor.numElements(), [&](int64_t begin, int64_t end) {
           return holdersOf(tensor, poison, begin, end);
         })) {
      all.count += each.count;
      all.first = all.first < 0 ? each.first : all.first;
    }
  });
  output.neverWritten = all.count;
  if (all.first >= 0)
    output.firstNeverWritten = elementCoordinates(all.first, tensor.shape);
}

/// `mean` is the sum.
static void addNumber(double number, TensorSummary &summary) {
  if (!std::isfinite(number)) {
    ++(std::isnan(number) ? summary.numNan : summary.numInfinite);
    return;
  }
  summary.least = summary.numFinite ? std::min(summary.least, number) : number;
  summary.most = summary.numFinite ? std::max(summary.most, number) : number;
  ++summary.numFinite;
  summary.mean += number;
}

/// `mean` is the sum. `unwritten`: bits that do not count.
static TensorSummary summarizeSegment(const Tensor &tensor, std::optional<uint64_t> unwritten,
                                      int64_t begin, int64_t end) {
  constexpr int64_t kChunk = 1024;
  std::array<double, kChunk> numbers;
  TensorSummary summary;
  for (int64_t at = begin; at < end; at += kChunk) {
    const int64_t count = std::min(kChunk, end - at);
    readElements(tensor.dtype, tensor.element(at), count, numbers.data());
    for (int64_t i = 0; i < count; ++i)
      if (unwritten && elementBits(tensor.dtype, tensor.element(at + i)) == *unwritten)
        ++summary.numUnwritten;
      else
        addNumber(numbers[size_t(i)], summary);
  }
  return summary;
}

static void append(const TensorSummary &next, TensorSummary &summary) {
  if (next.numFinite > 0) {
    summary.least = summary.numFinite ? std::min(summary.least, next.least) : next.least;
    summary.most = summary.numFinite ? std::max(summary.most, next.most) : next.most;
  }
  summary.numFinite += next.numFinite;
  summary.numNan += next.numNan;
  summary.numInfinite += next.numInfinite;
  summary.numUnwritten += next.numUnwritten;
  summary.mean += next.mean;
}

TensorSummary summarizeTensor(const Tensor &tensor, bool poisoned) {
  const std::optional<uint64_t> unwritten =
      poisoned ? std::optional(poisonBits(tensor.dtype)) : std::nullopt;
  TensorSummary summary;
  for (const TensorSummary &each :
       mapSegments(tensor.numElements(), [&](int64_t begin, int64_t end) {
         return summarizeSegment(tensor, unwritten, begin, end);
       }))
    append(each, summary);
  if (summary.numFinite > 0)
    summary.mean /= double(summary.numFinite);
  return summary;
}

void noteNonFinite(const Tensor &tensor, OutputResult &output) {
  const TensorSummary summary = summarizeTensor(tensor, output.neverWritten.has_value());
  output.numNan = summary.numNan;
  output.numInfinite = summary.numInfinite;
}

} // namespace tilescope::profiler
