// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/model/emit/EmittedKernel.h"

namespace tilescope::model {

/// How windows go over an image: convolutions and pooling. An image with one axis has a height of 1; only one with three
/// has a depth.
struct WindowView {
  struct Axis {
    int64_t extent = 1, result = 1, window = 1, stride = 1, begin = 0, end = 0, dilation = 1;
  };
  Axis z, y, x;
  bool hasDepth = false;

  int64_t pixels() const { return z.result * y.result * x.result; }
  int64_t taps() const { return z.window * y.window * x.window; }
  /// The window is one pixel, and each pixel has one.
  bool isPointwise() const;
  /// `height`, `width`, `out_height`, …, `stride_y`, …, `pad_y`, …, `dilation_y`, …; for images with a depth also `depth`,
  /// `out_depth`, `stride_z`, ….
  void addNumbers(EmittedKernel &kernel) const;
  /// `window_height` and `window_width`, also `window_depth`, as numbers.
  void addWindow(EmittedKernel &kernel) const;
  /// The same, known when the kernel is compiled.
  void addConstantWindow(EmittedKernel &kernel) const;
  /// What the places in a constant window are counted by: written out one by one where there are few.
  std::string rangeName() const { return taps() <= 49 ? "tl.static_range" : "range"; }
  /// Code of two loops over a constant window at each pixel of `walkPixels`, whose body has the place's `value` of
  /// `x_ptr`; `other` where the window is outside. With a depth, each slice of the result is a plane, and `i` goes
  /// through the rows of all slices of the window.
  std::string loadWindow(const std::string &other) const;
};

/// Nothing: it has more than three axes, or a pad is not a number. `firstAxis`: of the image, 1 with channels last.
std::optional<WindowView> windowView(mlir::RankedTensorType operand, mlir::RankedTensorType result,
                                     llvm::ArrayRef<int64_t> window,
                                     llvm::ArrayRef<int64_t> strides, tm::ExtentsAttr pads,
                                     llvm::ArrayRef<int64_t> dilations, unsigned firstAxis = 2);

} // namespace tilescope::model
