// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "compiler/syntax/Ast.h"
#include "profiler/data/Tensor.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace tilescope::app {

/// A part of an expression that is not element by element, with NumPy's rules:
///
///     a_ptr @ b_ptr     np.matmul(a_ptr, b_ptr)     a_ptr.T     x_ptr[0, 1:n, None]
///     concatenate((a_ptr, b_ptr), axis=1)     q_ptr[arange(n) // 2]
struct ArrayPart {
  enum class Kind {
    Product,
    Transpose,
    Index,
    Concatenation,
    Stack,
    Roll,
    Repeat,
    Axes,
    Range,
    CumulativeSum,
    Sort,
    SortedOrder,
    Take,
    TakeAlong
  };
  /// One of those between the brackets.
  struct Item {
    enum class Kind { Number, Slice, NewAxis, Ellipsis };
    Kind kind = Kind::Slice;
    /// Of a number `begin`; null: left out.
    const compiler::ast::Expr *begin = nullptr;
    const compiler::ast::Expr *end = nullptr;
    const compiler::ast::Expr *step = nullptr;
  };
  Kind kind = Kind::Product;
  /// As written.
  std::string text;
  std::string operand;
  /// Of a product.
  std::string right;
  std::vector<Item> items;
  /// Of a join (ArrayJoins.h), with its axis and, of `roll`, by how much, of `repeat`, how
  /// often; null: not stated.
  std::vector<std::string> operands = {};
  const compiler::ast::Expr *axis = nullptr;
  const compiler::ast::Expr *shift = nullptr;
  /// The axis where nobody writes one: that of an array between brackets, negative from the last.
  std::optional<int64_t> axisOfIndices = {};
  /// Of a sort: the largest first.
  bool isDescending = false;
  /// Of another order of axes (ArrayAxes.h): the function, and the axes that it is given; of a range
  /// its ends.
  std::string function = {};
  std::vector<const compiler::ast::Expr *> axes = {};
  /// Where it stands in its expression, in bytes.
  size_t begin = 0;
  size_t end = 0;
};

/// The first part of an expression that is in no other one; nothing: there is none. `isTensor` says
/// whether an expression names a tensor: the items of a tuple are not a part.
std::optional<ArrayPart>
findArrayPart(const compiler::ast::SyntaxTree &tree, const compiler::ast::Expr &expr,
              const std::function<bool(const compiler::ast::Expr &)> &isTensor);

/// That something is wrong with a part.
Error partError(const ArrayPart &part, const std::string &what);

/// Of what a part makes, with memory where it `hasData`; an error: that would be too large.
Result<profiler::Tensor> partTensor(const ArrayPart &part, profiler::Dtype dtype,
                                    std::vector<int64_t> shape, bool hasData);

/// Whether a tensor has data, or needs none: what has no elements is complete.
bool hasElements(const profiler::Tensor &tensor);

/// The value of a number in brackets.
using IndexValue = std::function<Result<int64_t>(const compiler::ast::Expr &expr)>;

/// What these make of tensors. One without data has a result without data: its shape is what is
/// asked for. The error says what does not fit.
Result<profiler::Tensor> multiplied(const ArrayPart &part, const profiler::Tensor &left,
                                    const profiler::Tensor &right, const std::stop_token &stop);
/// `order`: which axis of the tensor each axis of the result is.
profiler::Tensor permuted(const profiler::Tensor &tensor, const std::vector<size_t> &order);
/// With its axes reversed.
profiler::Tensor transposed(const profiler::Tensor &tensor);
Result<profiler::Tensor> indexed(const ArrayPart &part, const profiler::Tensor &tensor,
                                 const IndexValue &valueOf);

} // namespace tilescope::app
