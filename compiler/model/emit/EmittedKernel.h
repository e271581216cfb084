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

/// A `@triton.jit` function and one launch of it.
///
/// Operations of the same kinds and patterns of indices have the same function: sizes are its arguments.
struct EmittedKernel {
  /// What the function's name begins with: `add`, `reduce_mean`.
  std::string name;
  /// The parameters: these in order, then numbers, then constexprs.
  std::vector<EmittedTensor> tensors = {};
  std::vector<std::pair<std::string, std::string>> numbers = {};
  std::vector<std::pair<std::string, int64_t>> constexprs = {};
  /// Of the launch, as its block writes them: `num_warps`. Without them it has those of every kernel.
  std::vector<std::pair<std::string, int64_t>> options = {};
  /// A function that the body calls; empty: none.
  std::string helper = {};
  /// Lines, indented by 4.
  std::string body = {};
  /// Lines of a template that has them written out, and how often the others are there, once for each block of a program.
  size_t templateLines = 0, numBlocks = 1;
  /// Numbers and expressions of the launch's grid.
  std::vector<std::string> grid = {};

  void read(const std::string &tensor, mlir::Value value);
  void read(const std::string &tensor, mlir::Value value, std::vector<int64_t> shape);
  void write(const std::string &tensor, mlir::Value value, std::vector<int64_t> shape,
             const std::string &expected);
  void number(const std::string &parameter, int64_t value);
  /// Has programs go through so many elements, a block each: `kElementLines` say which.
  void walkElements(int64_t elements);
};

/// Of the tensors that a kernel reads and writes, each counted once.
uint64_t bytesMoved(const EmittedKernel &kernel);
/// A launch that moves this much is worth code of its own: sizes are known when it is compiled, so divisions by them are
/// multiplications and shifts.
inline constexpr uint64_t kLargeLaunch = uint64_t(32) << 20;
/// The lines that its operations need.
size_t numLines(const EmittedKernel &kernel);

inline constexpr const char *kElementLines =
    "    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
    "    mask = at < n\n";

/// Triton's name of an element type, as launch blocks write it; empty: it has none there.
std::string tritonType(mlir::Type element);
mlir::RankedTensorType tensorType(mlir::Value value);
bool isSmallReal(mlir::Type element);
/// One that products and windows are computed of, in fp32 or, of fp64, in fp64.
bool isComputedReal(mlir::Type element);
/// The type that elements are summed in: `tl.float32`, `tl.float64`, of whole numbers `tl.int64`.
std::string combinedType(mlir::Type element);
/// Of `tl.dot`: all bits of the factors count, and of fp64 those of the sums.
std::string dotOptions(mlir::Type element);
/// Those of fp32 in parts of bf16, which tensor cores multiply: three parts of a number have all its bits.
inline constexpr const char *kDotInParts = "input_precision=\"bf16x6\"";
/// `.to(tl.float32)` where elements are of another type than the one that they are summed in; else nothing.
std::string toCombinedType(mlir::Type element);
/// `.to(tl.float32)` behind a load of a narrow type, which is computed with in fp32; else nothing.
std::string widened(mlir::Value value);
/// The least or largest number of a type, which changes no extremum; 0 for sums, 1 for products.
std::string neutralText(tm::ReduceKind kind, mlir::Type element);
/// A row that is held in registers.
inline constexpr int64_t kMostHeld = 16384;
/// `0.25`, so that the same number in fp32 is read.
std::string numberText(double value);
/// A power of 2 that holds so many, or the largest that a program takes.
int64_t blockFor(int64_t elements, int64_t most = 1024);

/// An expression that a kernel already has for `at // inner % extent`.
struct Coordinate {
  int64_t inner, extent;
  std::string text;
  /// It is a number of the program, and not a block.
  bool isOne = false;
  /// Which of a block's places are inside; empty: the mask of all coordinates says so.
  std::string mask = {};
};

/// A stretch of axes that a tensor is walked through in one stride.
struct Run {
  int64_t inner, extent, stride;
  bool isOutermost;
  bool operator==(const Run &) const = default;
  auto operator<=>(const Run &) const = default;
};

/// Where an operand's element is for each element `at` of a space of these extents.
struct IndexMap {
  std::vector<int64_t> extents;
  /// For each axis of the space.
  std::vector<int64_t> strides;
  int64_t offset = 0;

  /// The same for all extents that make the same walk.
  std::vector<Run> runs() const;
  /// Whether it is `at` itself.
  bool isIdentity() const;
  /// Whether it is the same element throughout a program.
  bool isOne(llvm::ArrayRef<Coordinate> coordinates) const;
  /// The mask of the only coordinate that is a block, so that elements are loaded once along it; empty: there are others.
  std::string mask(llvm::ArrayRef<Coordinate> coordinates) const;

  /// The expression, with names for its numbers, which become arguments of the kernel: `at`,
  /// `at // b_inner % b_extent`, `b_offset + …`.
  /// Without any stride and offset it is empty.
  std::string text(const std::string &name, EmittedKernel &kernel, const std::string &at = "at",
                   llvm::ArrayRef<Coordinate> coordinates = {}) const;
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
