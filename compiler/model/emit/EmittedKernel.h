// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/tm/ir/Dialect.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope::model {

/// A `@triton.jit` function and one launch of it, for one operation.
///
/// Operations of one kind and one pattern of indices have the same function: sizes are its arguments.
struct EmittedKernel {
  /// What the function's name begins with: `add`, `reduce_mean`.
  std::string name;
  /// With their annotations, in order: `a_ptr`, `BLOCK: tl.constexpr`.
  std::vector<std::string> parameters;
  /// Lines, indented by 4.
  std::string body;
  /// Numbers and expressions of the launch's grid.
  std::vector<std::string> grid;
  /// `n = 1024`, `a_ptr = { dtype = "fp32", … }`, a line each.
  std::vector<std::string> arguments;
  std::vector<std::string> constexprs;
};

/// Nothing: there is no template for the operation, or not for its shapes. All shapes are numbers.
std::optional<EmittedKernel> emitPointwise(mlir::Operation *operation);
std::optional<EmittedKernel> emitReduction(mlir::Operation *operation);
std::optional<EmittedKernel> emitMovement(mlir::Operation *operation);
std::optional<EmittedKernel> emitMatmul(mlir::Operation *operation);

/// Triton's name of an element type, as launch blocks write it; empty: it has none there.
std::string tritonType(mlir::Type element);

/// A tensor as an argument. `init` is its data, `expected` what it holds after the run, or empty.
std::string tensorArgument(const std::string &name, llvm::ArrayRef<int64_t> shape,
                           mlir::Type element, const std::string &more);
/// Data for an input, from a seed of its own; truth values and whole numbers are small.
std::string inputData(mlir::Type element, unsigned seed);
/// `, expected = "…"`, if the tensor is small enough to be worked out element by element.
std::string expectedData(const std::string &expression, int64_t numElements);

/// Where an operand's element is for each element `at` of the result.
struct IndexMap {
  std::vector<int64_t> extents;
  /// For each axis of the result.
  std::vector<int64_t> strides;
  int64_t offset = 0;

  /// The expression, with names for its numbers, which become arguments of the kernel: `at`,
  /// `at // b_inner % b_extent`, `b_offset + …`.
  std::string text(const std::string &name, EmittedKernel &kernel) const;
};
/// The strides of a tensor whose rows lie behind each other.
std::vector<int64_t> rowStrides(llvm::ArrayRef<int64_t> shape);

} // namespace tilescope::model
