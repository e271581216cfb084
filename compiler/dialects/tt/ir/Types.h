// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Types.h"

#define GET_TYPEDEF_CLASSES
#include "compiler/dialects/tt/ir/TritonTypes.h.inc"

namespace tilescope::tt {

/// What a load through this pointer (or block of pointers, or block pointer) returns; the type
/// itself if no pointer.
mlir::Type getPointeeType(mlir::Type type);
/// `i1`, or a block of `i1` with the shape and encoding of `type`.
mlir::Type getI1SameShape(mlir::Type type);
/// `i32`, or a block of `i32` with the shape and encoding of `type`.
mlir::Type getI32SameShape(mlir::Type type);
/// A pointer to `type`, or a block of pointers to its elements.
mlir::Type getPointerTypeSameShape(mlir::Type type);
/// The type of a pointer to one element of what a block pointer points to.
mlir::Type getPointerToElement(mlir::Type blockPointer);
/// Whether this is a block pointer.
bool isTensorPointerType(mlir::Type type);
/// Width in bits of a scalar or of a block's elements; pointers have 64.
unsigned getElementBitWidth(mlir::Type type);

} // namespace tilescope::tt
