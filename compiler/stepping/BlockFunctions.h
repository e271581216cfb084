// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/stepping/BlockExpression.h"

#include <optional>
#include <string_view>

namespace tilescope::compiler::stepping {

using BinaryFunction = double (*)(double, double);

/// Which defined element decides about a pair, though the other one is undefined.
enum class Decider { Nothing, Zero, Other };

/// `function` of each pair of elements, broadcast as in NumPy.
Result<NumberBlock> combine(const NumberBlock &a, const NumberBlock &b, BinaryFunction function,
                            Decider decider = Decider::Nothing);

/// A function of a block by its name, such as `isnan`, `any` or `sum`; `axis` is for those that
/// bring many elements to one. An error for a name that is none.
Result<NumberBlock> applyFunction(std::string_view name, const NumberBlock &block,
                                  std::optional<int64_t> axis);

bool isFunction(std::string_view name);
/// `any, all, count, …`, for messages.
std::string functionNames();

/// The part of a block at an index of its first axes.
Result<NumberBlock> elementsAt(const NumberBlock &block, const std::vector<int64_t> &index);

} // namespace tilescope::compiler::stepping
