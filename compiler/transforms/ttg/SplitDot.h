// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Products of `float` that are more exact than one matrix instruction's.
#pragma once

#include "compiler/dialects/tt/ir/Dialect.h"

#include <optional>

namespace tilescope::ttg {

/// A factor of `float` as a sum of `count` parts that matrix instructions take, largest first.
struct FactorParts {
  mlir::Type type;
  /// What the products of parts ask for.
  tt::InputPrecision precision;
  unsigned count;
};

/// The parts for `tf32x3`, `bf16x3` and `bf16x6`; none for other precisions and types.
std::optional<FactorParts> partsOfFactors(tt::DotOp dot);

/// The two factors, each where its parts are to be.
struct SplitFactors {
  mlir::Value left, right;
};

/// The product of a part of each factor, added to a sum.
using MultiplyParts =
    llvm::function_ref<mlir::Value(mlir::Value left, mlir::Value right, mlir::Value sum)>;

/// The products of two factors' parts, summed from the smallest to the largest, and `addend`; of
/// the products of small parts only those are made that can change the result:
///
///   a b + c with tf32x3, a = a0 + a1, b = b0 + b1   =>   a0 b0 + (a0 b1 + a1 b0) + c
///
/// Where a part is not a number because the factor is infinite, the product of the largest parts
/// alone decides.
/// Source: Henry, Tang, Heinecke, "Leveraging the bfloat16 Artificial Intelligence Datatype For
/// Higher-Precision Computations", ARITH 2019.
mlir::Value sumOfProducts(mlir::OpBuilder &builder, mlir::Location loc, const SplitFactors &factors,
                          mlir::Value addend, const FactorParts &parts, MultiplyParts multiply);

/// Replaces the dot by dots of its factors' parts, in the registers that the factors are in.
void splitDot(tt::DotOp dot, const FactorParts &parts);

} // namespace tilescope::ttg
