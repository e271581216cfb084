// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Matrices that are read where another tensor has their elements. An axis is a number of digits, which reshapes join
// and split:
//
//   q [2, 12, 128, 64] = transpose(reshape(slice(x, 0..768)))  of x [2, 128, 2304]
//
//   axis of x     2     128     2304 = 0 + 12 · 64        so an element of q is at
//   digits        a      c             b    d             a · 294912 + c · 2304 + b · 64 + d
//
// The slice adds to where the first element is. As long as each axis of the matrices has one stride, nothing is copied.
#pragma once

#include "compiler/model/emit/EmittedKernel.h"

namespace tilescope::model {

/// Where the elements of matrices [batch…, row, column] are in a tensor.
struct StridedMatrix {
  /// Of the axes before the last two, or parts of them.
  IndexMap batches;
  int64_t row = 0, column = 0;
};

/// Goes from the matrices to the tensor, one movement after the other.
class MatrixWalk {
public:
  /// Of the matrices.
  explicit MatrixWalk(llvm::ArrayRef<int64_t> shape);

  /// From the result of a reshape, a transposition, a slice or a repetition to its operand. False: elements are not where digits say.
  bool goThrough(mlir::Operation *movement);

  /// Where the walk is now. Nothing: a row or a column has several strides.
  std::optional<StridedMatrix> matrix() const;

private:
  struct Digit {
    int64_t extent;
    /// Once axes are not told apart any more.
    int64_t stride = 0;
  };
  /// Digits, the most significant one first.
  using Digits = std::vector<size_t>;
  struct Axis {
    Digits digits;
    int64_t begin = 0, step = 1;
  };

  bool reshape(tm::ReshapeOp op);
  bool expand(tm::ExpandOp op);
  bool slice(tm::SliceOp op);
  bool sliceFlat(tm::SliceOp op);
  void flatten(llvm::ArrayRef<int64_t> shape);
  void splitDigit(size_t digit, int64_t lower);
  int64_t extentOf(const Digits &digits) const;
  std::optional<int64_t> strideOf(const Digits &digits) const;

  std::vector<Digit> m_digits;
  /// Of the matrices: all axes before the last two, rows, columns.
  Digits m_batch, m_row, m_column;
  /// Of the tensor that the walk has come to.
  std::vector<Axis> m_axes;
  std::vector<int64_t> m_shape;
  bool m_isFlat = false;
  int64_t m_offset = 0;
};

} // namespace tilescope::model
