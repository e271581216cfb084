// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/tm/ir/Dialect.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope::model {

/// A tensor that a kernel reads or writes.
struct EmittedTensor {
  std::string name;
  mlir::Value value;
  /// As the kernel sees it: the same elements in the same order.
  std::vector<int64_t> shape;
  /// What NumPy computes of the others, where it is a result and there are few enough elements; else empty.
  std::string expected = {};
  bool isResult = false;
  /// Whole numbers that the launch tries are below.
  int64_t limit = 10;
};

/// A `@triton.jit` function and one launch of it, for one operation.
///
/// Operations of one kind and one pattern of indices have the same function: sizes are its arguments.
struct EmittedKernel {
  /// What the function's name begins with: `add`, `reduce_mean`.
  std::string name;
  /// The parameters: these in order, then numbers, then constexprs.
  std::vector<EmittedTensor> tensors = {};
  std::vector<std::pair<std::string, std::string>> numbers = {};
  std::vector<std::pair<std::string, int64_t>> constexprs = {};
  /// Lines, indented by 4.
  std::string body = {};
  /// Numbers and expressions of the launch's grid.
  std::vector<std::string> grid = {};

  void read(const std::string &tensor, mlir::Value value);
  void read(const std::string &tensor, mlir::Value value, std::vector<int64_t> shape);
  /// `terms`: the elements that are combined to all of the result, where these are more.
  void write(const std::string &tensor, mlir::Value value, std::vector<int64_t> shape,
             const std::string &expected, int64_t terms = 0);
  void number(const std::string &parameter, int64_t value);
};

/// Nothing: there is no template for the operation, or not for its shapes. All shapes are numbers.
std::optional<EmittedKernel> emitPointwise(mlir::Operation *operation);
std::optional<EmittedKernel> emitReduction(mlir::Operation *operation);
std::optional<EmittedKernel> emitMovement(mlir::Operation *operation);
std::optional<EmittedKernel> emitGathering(mlir::Operation *operation);
std::optional<EmittedKernel> emitProduct(mlir::Operation *operation);
std::optional<EmittedKernel> emitConvolution(mlir::Operation *operation);
std::optional<EmittedKernel> emitPooling(mlir::Operation *operation);
std::optional<EmittedKernel> emitResize(mlir::Operation *operation);

/// Products of a batch of matrices, the second one of each a row of `columns` elements after the other.
struct Product {
  mlir::Value left, right, addend, result;
  int64_t batch = 1, rows = 1, columns = 1, depth = 1;
  /// How far the next matrix is; 0: there is one for all.
  int64_t leftBatch = 0, rightBatch = 0;
  bool isLeftTransposed = false, isRightTransposed = false;
  /// Steps of what is added, for each row and column of the result.
  int64_t addendRow = 0, addendColumn = 0;
};
EmittedKernel productKernel(const Product &product);

/// Triton's name of an element type, as launch blocks write it; empty: it has none there.
std::string tritonType(mlir::Type element);
mlir::RankedTensorType tensorType(mlir::Value value);
bool isSmallReal(mlir::Type element);
/// `0.25`, so that the same number in fp32 is read.
std::string numberText(double value);
/// A power of 2 that holds so many, or the largest that a program takes.
int64_t blockFor(int64_t elements, int64_t most = 1024);

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

/// A tensor seen as [outer, extent, inner], so that `extent` is that of the axes.
struct AxisView {
  int64_t outer = 1, extent = 1, inner = 1;
};
/// Nothing where the axes do not lie beside each other.
std::optional<AxisView> viewAround(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> axes);

} // namespace tilescope::model
