// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/analysis/Differences.h"
#include "profiler/data/Measurement.h"
#include "views/common/tensor/TensorStatistics.h"

#include <QImage>

#include <memory>
#include <optional>

namespace tilescope::views {

/// What a pixel of a tensor's picture stands for: below `kNumShades` a value, from the lowest to
/// the highest of the color scale.
inline constexpr int kNumShades = 250;
enum class PixelKind : uint8_t {
  Nan = kNumShades,
  Infinite,
  /// Two of them, in turns like the squares of a chessboard.
  Unwritten,
  UnwrittenOther,
  /// Behind the last element.
  PastEnd,
};

/// A tensor as a picture of bytes, each a shade or a `PixelKind`. Large tensors are sampled, but
/// elements that are not numbers are seen however few they are.
struct TensorPicture {
  QImage image;
  /// The values at both ends of the color scale.
  double low = 0;
  double high = 0;
  /// There are values beyond the ends, which have the colors of these.
  bool isClippedBelow = false;
  bool isClippedAbove = false;
  /// Each step of the color scale is a factor and not a distance; the ends are above 0.
  bool isLogarithmic = false;
  /// Elements down and across.
  int64_t rows = 0;
  int64_t columns = 0;
};

/// A tensor, and what it was compared with if it differs from that.
struct ComparedTensor {
  profiler::Tensor tensor;
  profiler::Unwritten unwritten = {};
  /// What was not written is the elements that a mask has left undefined.
  bool isMasked = false;
  std::optional<profiler::Tensor> expected = {};
  /// Its tolerances decide which elements differ.
  profiler::OutputComparison comparison = {};
  /// What passes of the elements, where each has its own range.
  std::optional<profiler::ElementRanges> ranges = {};
  /// Of what it was compared with.
  profiler::Unwritten unwrittenExpected = {};

  bool isUnwritten(int64_t element) const { return unwritten.has(tensor, element); }
  /// Never, without something to compare with.
  bool differs(int64_t element) const;
};

/// A tensor with what is shown of it.
struct TensorDigest : ComparedTensor {
  TensorStatistics statistics;
  TensorPicture picture;
  /// Pixels of the picture with an element that differs are 1; null: no element does.
  QImage marks;
  int64_t numDiffering = 0;
  /// How far elements are from what is expected; without an image where that is not known.
  TensorPicture difference;

  /// Marks would leave little to see of anything else.
  bool differsMostly() const { return numDiffering > tensor.numElements() / 2; }
};

using TensorDigestPointer = std::shared_ptr<const TensorDigest>;

/// Null when `stop` is requested first. Takes seconds for a tensor of a GiB. Thread: any.
TensorDigestPointer digestTensor(ComparedTensor compared, const std::stop_token &stop = {});
inline TensorDigestPointer digestTensor(profiler::Tensor tensor,
                                        const profiler::Unwritten &unwritten,
                                        const std::stop_token &stop = {}) {
  return digestTensor({std::move(tensor), unwritten, false}, stop);
}

/// The values that the two ends of the colors stand for: few outliers must not make all others
/// look alike, so one element of a hundred may lie beyond either.
std::pair<double, double> heatRange(const profiler::Tensor &tensor,
                                    const TensorStatistics &statistics,
                                    const profiler::Unwritten &unwritten = {});

} // namespace tilescope::views
