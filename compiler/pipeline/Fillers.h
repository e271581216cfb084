// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What an element must be to leave a reduction as it is, and what it must be in front of an operation for
// that: `exp(x - m)` adds nothing to a sum where `x` is minus infinity.
#pragma once

#include "llvm/ADT/APInt.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

#include <string>

namespace tilescope::compiler {

/// `LeastUnsigned`, `LargestUnsigned`: among integers without a sign, 0 and the number of ones alone.
enum class Filler { Unknown, Zero, One, MinusInfinity, Infinity, LeastUnsigned, LargestUnsigned };

/// Whether it is what leaves a maximum or a minimum as it is.
bool isInfinite(Filler filler);

/// Of elements that are read as integers without a sign.
Filler withoutSign(Filler filler);

/// Reductions and scans.
bool isReduction(mlir::Operation *op);

/// Whether an operation only converts its elements, or moves them.
bool keepsElements(mlir::Operation *op);

/// What a value is, through operations that keep its elements and do not round them.
mlir::Value withoutShape(mlir::Value value);

/// What leaves a reduction as it is.
Filler fillerOf(mlir::Operation *reduction);

/// What an element of the operand `source` must be for that of the result to be `filler`, whatever
/// numbers the other operands hold; for exceptions see `dependsOnSign`.
/// Null: nothing is done.
Filler before(mlir::Operation *op, mlir::Value source, Filler filler);

/// Whether what `before` returns is right only for some numbers that another operand may hold: positive ones, or
/// such as are not 0.
bool dependsOnSign(mlir::Operation *op, mlir::Value source, Filler filler);

/// Of integers of `width` bits; for infinity, the number that is nearest to it.
llvm::APInt integerFor(Filler filler, unsigned width);

/// `0.0` for elements of floats like those of `value`; empty when it is not told.
std::string fillerCode(Filler filler, mlir::Value value);

/// Whether a number leaves a reduction as it is that needs `filler`. Very large numbers stand for
/// infinity; an integer comes with its sign, as `numberConstant` has it.
bool fits(double number, Filler filler);

/// Whether it combines the results of maxima and minima alone, as `tl.max(x) - tl.min(x)` does: nothing else is
/// there that would take what they see out again.
bool combinesExtremes(mlir::Operation *op);

/// Whether a maximum or minimum is used only behind a bound that `number` keeps to, so that it may be among the elements:
/// `tl.maximum(tl.max(x), 0.0)` is the same with a 0.0 more.
bool isBoundedBehind(mlir::Operation *reduction, double number);

/// Whether a number is made of what a reduction returns; `isShared`: also where it is not the same for all
/// elements along an axis.
bool isOfReduction(mlir::Value value, bool isShared = false);

/// Whether something divides by the number, or takes its logarithm, so that 0 in its place makes an infinity.
bool hasPoleAtZero(mlir::Value value);

/// Whether it sets some elements to what a reduction passes over, those that another one found: `x` of
/// `tl.where(cols == tl.argmax(x, 0), float("-inf"), x)`.
bool dropsFound(mlir::Operation *op, mlir::Value source, Filler filler);

} // namespace tilescope::compiler
