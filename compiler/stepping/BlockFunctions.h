// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/stepping/BlockExpression.h"

#include <array>
#include <optional>
#include <string_view>

namespace tilescope::compiler::stepping {

using BinaryFunction = double (*)(double, double);

/// Which defined element decides about a pair, though the other one is undefined.
enum class Decider { Nothing, Zero, Other };

/// `function` of each pair of elements, broadcast as in NumPy.
Result<NumberBlock> combine(const NumberBlock &a, const NumberBlock &b, BinaryFunction function,
                            Decider decider = Decider::Nothing);

/// `function` of three numbers. Where the first is a truth value that `chooses` between the others,
/// the one that is not chosen may be undefined.
Result<NumberBlock> combine(const std::array<NumberBlock, 3> &blocks,
                            double (*function)(double, double, double), bool chooses);

/// `function` of each element.
NumberBlock mapped(NumberBlock block, double (*function)(double));

/// How a reduction is made.
struct ReductionOptions {
  /// Nothing: over all axes.
  std::optional<int64_t> axis;
  bool keepsDims = false;
};
/// Brings the elements of a block to one by the name of the function, such as `any` or `sum`.
Result<NumberBlock> reduce(std::string_view name, const NumberBlock &block,
                           const ReductionOptions &options);
bool isReduction(std::string_view name);

/// Of reductions, functions of elements, casts and loads.
bool isFunction(std::string_view name);
/// `any, all, count, …`, for messages.
std::string functionNames();

/// `[2, 3]`.
std::string shapeText(const std::vector<int64_t> &shape);

/// One place in brackets: an index, `a:b:c`, or `None`.
struct BlockIndex {
  enum class Kind { At, Slice, NewAxis };
  Kind kind = Kind::At;
  /// Of an index.
  int64_t at = 0;
  /// Of a slice, as Python counts them.
  std::optional<int64_t> begin, end;
  int64_t step = 1;
};
/// The part of a block at places of its first axes.
Result<NumberBlock> elementsAt(const NumberBlock &block, const std::vector<BlockIndex> &index);

/// What lies at addresses; undefined where they are outside of their array.
Result<NumberBlock> loaded(const NumberBlock &addresses);

} // namespace tilescope::compiler::stepping
