// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Windows over large images. A thread computes pixels below each other, a strip, so what it loads of a row of the image
// serves all windows that the row is in:
//
//   window 3 × 3, strips of 4 pixels:     row -1    pixel  0
//                                         row  0    pixels 0, 1
//                                         row  1    pixels 0, 1, 2
//                                         …         18 loads in place of 36
//
// Where rows are long, pixels of the image are loaded two by two, in whole vectors:
//
//   window of 3, stride 1:    x0 | x1 x2 | x3     two results from x0, x1, x2 and x1, x2, x3
//                stride 2:    x0 | x1 x2          one result
#pragma once

#include "compiler/model/emit/Anchor.h"
#include "compiler/model/emit/WindowView.h"

namespace tilescope::model {

/// A convolution with one channel in each group, or, without a filter, the largest elements.
struct WindowOperation {
  std::string name;
  mlir::Value operand, result;
  mlir::Value filter = {}, bias = {};
  WindowView view;
  bool isChannelsLast = false;
};

/// Nothing: the images are small, have three axes, or the window is large.
std::optional<Anchor> emitStrips(const WindowOperation &window);

/// `x3`.
std::string numbered(const std::string &name, int64_t number);
/// `x + 3`, `x - 3`, `x`.
std::string plus(const std::string &text, int64_t number);

} // namespace tilescope::model
