// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Types.h"

namespace mlir {
class AsmParser;
class AsmPrinter;
} // namespace mlir

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
/// The text of a described block in angle brackets. Two forms are read: with the block type spelled
/// out, `<tensor<16x64xf16, #e>>`, and the later `<16x64xf16, #e>`. Null: it is wrong, which the
/// parser was told.
mlir::RankedTensorType parseDescribedBlock(mlir::AsmParser &parser);
/// As the version of Triton prints it that the context asks for.
void printDescribedBlock(mlir::AsmPrinter &printer, mlir::RankedTensorType block);
/// The block with signless integer elements: what loads return and stores take.
mlir::RankedTensorType signlessBlock(mlir::RankedTensorType block);
/// Width in bits of a scalar or of a block's elements; pointers have 64.
unsigned getElementBitWidth(mlir::Type type);

} // namespace tilescope::tt
