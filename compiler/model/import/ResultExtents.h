// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The extents of results that operators of all formats have. Each function returns nothing after a
// fault, which the node keeps.
#pragma once

#include "compiler/model/import/NodeBuilder.h"

namespace tilescope::model {

/// The same elements with the wanted extents, of which one may be -1: what is left. With `keepsZeros`
/// 0 stands for the extent of the same axis.
std::optional<tm::ExtentList> reshapedExtents(NodeBuilder &node, const tm::ExtentList &from,
                                              const std::vector<tm::Extent> &wanted,
                                              bool keepsZeros);

/// Of matrices, or vectors, and axes before them that are repeated.
std::optional<tm::ExtentList> productExtents(NodeBuilder &node, const tm::ExtentList &lhs,
                                             const tm::ExtentList &rhs);

/// Of tensors behind each other along the axis.
std::optional<tm::ExtentList> joinedExtents(NodeBuilder &node, llvm::ArrayRef<mlir::Value> parts,
                                            size_t axis);

/// Where the slice of an axis begins and how much it takes; bounds below 0 count from the end. Null
/// where they are out of range.
std::pair<tm::Extent, tm::Extent> slicedExtent(tm::Extent begin, tm::Extent end, int64_t step,
                                               tm::Extent extent);

/// The axes go or keep an extent of 1.
tm::ExtentList reducedExtents(llvm::ArrayRef<tm::Extent> extents, const std::vector<int64_t> &axes,
                              bool keeps);

/// How many numbers a range has; null where they are too many.
std::optional<tm::Extent> rangeExtent(NodeBuilder &node, const KnownElement &start,
                                      const KnownElement &limit, const KnownElement &step);

} // namespace tilescope::model
