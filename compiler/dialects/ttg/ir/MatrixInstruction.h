// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which matrix instruction of a warp computes a dot.
#pragma once

#include "compiler/dialects/tt/ir/Dialect.h"

#include <optional>

namespace tilescope::ttg {

/// One form of `mma.sync` with 16 rows and 8 columns of the result.
/// Source: PTX ISA, "Matrix multiply-accumulate operation using mma instruction".
struct MatrixInstruction {
  /// How many elements of K one instruction takes.
  int depth = 16;
  /// PTX's names of the element types of the result and of the factors.
  llvm::StringRef result, left, right;
};

/// The instruction for these element types; none when the product takes fused multiply-adds.
/// Factors of `float` qualify only where the program lets them be rounded to tf32.
std::optional<MatrixInstruction> findMatrixInstruction(mlir::Type left, mlir::Type right,
                                                       mlir::Type result,
                                                       tt::InputPrecision precision);
std::optional<MatrixInstruction> findMatrixInstruction(tt::DotOp dot);

} // namespace tilescope::ttg
