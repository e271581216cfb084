// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/model/emit/Expressions.h"

namespace tilescope::model {

/// The view of a value of this shape through a space of these extents.
ElementView viewOf(size_t space, std::vector<int64_t> extents, llvm::ArrayRef<int64_t> shape,
                   std::vector<ElementView::Axis> axes);

/// The view of a value of this shape through a space that is walked through in the same order.
ElementView viewInOrder(size_t space, llvm::ArrayRef<int64_t> shape);

/// The view of the operand of a movement, from that of its result; nothing: it moves no elements, or
/// not by strides.
std::optional<ElementView> movedView(mlir::Operation *operation, const ElementView &result);

/// The view of an operand that is repeated to the result's shape; nothing: where its axes are is not known.
std::optional<ElementView> repeatedView(const ElementView &view, llvm::ArrayRef<int64_t> result,
                                        llvm::ArrayRef<int64_t> operand);

/// What NumPy computes for a movement of `operand`; empty: it is not worked out.
std::string movedNumpy(mlir::Operation *operation, const std::string &operand);

/// The view of a result through the places of an anchor, behind which the group computes it: where it
/// is transposed on the way, other elements belong to them. `view`: that of the anchor's elements.
std::optional<ElementView> viewFrom(const Group &group, mlir::Value anchor, mlir::Value result,
                                    const ElementView &view);

} // namespace tilescope::model
