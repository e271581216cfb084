// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/model/emit/Anchor.h"
#include "compiler/model/emit/WindowView.h"

#include "llvm/Support/MathExtras.h"

namespace tilescope::model {

/// The rows of a tile for tensor cores, and how many such tiles keep a device busy.
inline constexpr int64_t kRowsOfTensorCores = 64, kTilesOfDevice = 132;

/// A convolution with the filter [M, C, …], or a transposed one with [C, M, …].
struct Convolution {
  mlir::Value operand, filter, bias, result;
  WindowView view;
  int64_t images, groups;
  /// Of one group.
  int64_t channels, filters;
  bool isTransposed;
  /// Whether the filter is […, M, C].
  bool hasTapsFirst = false;

  mlir::Type element() const { return tensorType(operand).getElementType(); }
  /// Whether fp32 is multiplied in parts that tensor cores take, which keeps its bits: of many large tiles that is faster.
  bool isInParts() const {
    return element().isF32() && filters >= kRowsOfTensorCores && channels >= kRowsOfTensorCores &&
           images * groups * int64_t(llvm::divideCeil(filters, kRowsOfTensorCores)) *
                   int64_t(llvm::divideCeil(view.pixels(), 64)) >=
               kTilesOfDevice;
  }
  std::string dotOptions() const {
    return isInParts() ? kDotInParts : model::dotOptions(element());
  }
  /// The beginning of the sums in a block.
  std::string zeros(const std::string &shape) const {
    return "    total = tl.zeros([" + shape + "], " + combinedType(element()) + ")\n";
  }
};

/// The kernel with its tensors, without a body.
Anchor withTensors(const std::string &name, const Convolution &conv);
/// What is transposed, where each pixel of the operand makes a window of its own, beside those of its neighbors: one product.
bool hasWindowsOfTheirOwn(const Convolution &conv);
Anchor separateWindows(const Convolution &conv);

} // namespace tilescope::model
