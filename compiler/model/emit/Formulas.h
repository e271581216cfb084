// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/model/emit/EmittedKernel.h"

namespace tilescope::model {

/// What an operation computes of `a`, `b`, …, for the kernel and for NumPy; empty: it is not pointwise.
struct Formula {
  std::string triton, numpy;
  /// So many operands are read.
  unsigned numRead = 5;
  /// A function that the kernel calls, as `EmittedKernel` has it.
  std::string helper = {};
};
Formula formulaOf(mlir::Operation *operation);

/// `a` becomes the first name: letters that stand alone.
std::string filledFormula(llvm::StringRef formula, llvm::ArrayRef<std::string> names);

/// Whether the formula takes few instructions, so that computing it twice costs little.
bool isCheap(mlir::Operation *operation);

/// The extents of an operand, so that axes of 1 and in front are repeated.
std::vector<int64_t> operandShape(mlir::Operation *operation, unsigned i);

/// The number that a constant has everywhere, as the kernel and NumPy write it; empty: there is none.
std::string literalOf(mlir::Value value);

/// Whether the number says something by itself, as 0.5 and 1e-05 do. Others are trained: kernels of
/// the same form differ in them.
bool isPlainLiteral(llvm::StringRef literal);

} // namespace tilescope::model
