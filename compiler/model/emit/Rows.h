// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/model/emit/EmittedKernel.h"

namespace tilescope::model {

/// How the rows of a tensor lie.
struct Rows {
  std::vector<int64_t> shape, axes;

  bool isReduced(size_t axis) const { return llvm::is_contained(axes, int64_t(axis)); }
  /// Extents of the axes that are combined, or of the others.
  std::vector<int64_t> extents(bool ofReduced) const {
    std::vector<int64_t> result;
    for (const auto &[axis, extent] : llvm::enumerate(shape))
      if (isReduced(axis) == ofReduced)
        result.push_back(extent);
    return result;
  }
  int64_t count(bool ofReduced) const { return llvm::product_of(extents(ofReduced)); }
  /// The shape with an extent of 1 for the axes that are combined.
  std::vector<int64_t> kept() const {
    std::vector<int64_t> result = shape;
    for (const int64_t axis : axes)
      result[size_t(axis)] = 1;
    return result;
  }
  /// Where elements of one kind of axes are, for places along these.
  IndexMap map(bool ofReduced) const {
    IndexMap result{extents(ofReduced), {}, 0};
    for (const auto &[axis, stride] : llvm::enumerate(rowStrides(shape)))
      if (isReduced(axis) == ofReduced)
        result.strides.push_back(stride);
    return result;
  }
};

/// Those that a reduction combines; nothing: it is none.
std::optional<Rows> rowsOf(mlir::Operation *operation);

/// Rows whose elements lie side by side with those of others, not with their own: [outer, extent, inner]. Nothing: they do
/// not, or one program would have too much to do for a few of them.
std::optional<AxisView> rowsBeside(const Rows &rows);

} // namespace tilescope::model
