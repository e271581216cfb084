// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/model/import/NodeBuilder.h"

namespace tilescope::model {

/// Larger numbers of a window make no sense, and their products are out of range.
inline constexpr int64_t kMostOfWindow = int64_t{1} << 31;

/// Windows over the axes behind the first two, of an input or, transposed, of the result.
struct Window {
  std::vector<int64_t> kernel, strides, dilations;
  /// All begins, then all ends.
  llvm::SmallVector<tm::Extent> pads;
  /// ONNX's word for pads that follow from the extents; empty or `NOTSET`: they are given.
  std::string automatic;

  size_t rank() const { return kernel.size(); }
  /// From the first element of a window to its last.
  int64_t reach(size_t axis) const { return (kernel[axis] - 1) * dilations[axis] + 1; }
};

/// A fault where there are more or less numbers, or one is below `least` or too large.
bool expectNumbers(NodeBuilder &node, const char *what, const std::vector<int64_t> &numbers,
                   size_t count, int64_t least);
/// A fault where kernel, strides, dilations or pads are no window.
bool expectWindow(NodeBuilder &node, const Window &window, const std::vector<int64_t> &pads);

/// `total` on both sides; the odd one where the mode puts it.
void splitPads(NodeBuilder &node, Window &window, size_t axis, tm::Extent total, bool isUpper);

/// The extents of the axes behind the first two that the windows make of `extents`; sets automatic
/// pads. With `ceilMode` also windows that begin inside and end outside. Nothing after a fault.
std::optional<tm::ExtentList> windowedExtents(NodeBuilder &node, Window &window,
                                              const tm::ExtentList &extents, bool ceilMode);

/// What a transposed window makes of an extent, without what the pads cut off.
tm::Extent spreadExtent(NodeBuilder &node, const Window &window, size_t axis, tm::Extent extent,
                        int64_t outputPadding);

/// A fault where channels are not those of all groups of the filter together.
bool expectChannels(NodeBuilder &node, const tm::ExtentList &input, const tm::ExtentList &filter,
                    int64_t groups, bool isTransposed);

/// The filter's extents behind the first two; nothing, and a fault, where it does not go with the
/// input.
std::optional<std::vector<int64_t>> filterKernel(NodeBuilder &node, const tm::ExtentList &input,
                                                 const tm::ExtentList &filter);

tm::ExtentsAttr padsAttr(NodeBuilder &node, const Window &window);

} // namespace tilescope::model
