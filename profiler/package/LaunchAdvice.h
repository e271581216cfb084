// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What was meant by words of a launch block that it does not know:
//
//     dtype = "torch.float32"      "fp32"
//     init = "random"              "randn"
//     grid = ["n / BLOCK"]         "cdiv(n, BLOCK)"
//     x = …, of a kernel's x_ptr   x_ptr
#pragma once

#include "profiler/package/EvaluateLaunch.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::profiler {

LaunchProblem unknownDtype(const LaunchExpression &dtype);
/// Of its `init`, which may be a call: `randint(0, 16)`.
LaunchProblem unknownInit(const LaunchArgument &argument);

/// What a function from a script that launches kernels returns, in the words of a launch block:
/// `cdiv(n, BLOCK)` of `lambda meta: (triton.cdiv(n, meta["BLOCK"]),)`. Empty: it is none.
std::vector<std::string> returnedBy(std::string_view text);

/// Completes the problem of an extent of the grid, if it is a quotient that is not a whole
/// number, or the function that scripts have there.
void offerGridExtent(const LaunchExpression &extent, LaunchProblem &problem);
/// Of an extent of the grid that leaves no program; nothing where there are some, or a size is 0 and nothing to be
/// done.
std::optional<LaunchProblem> emptyGrid(const LaunchExpression &extent, int64_t number,
                                       const std::map<std::string, std::string> &sizes);
/// Completes that of an extent of a tensor, if it is a quotient.
void offerExtent(const LaunchExpression &extent, LaunchProblem &problem);

/// Of an argument whose value is a call as in a script, `torch.randn(n)`: how a block says it. Nothing:
/// it is none.
std::optional<LaunchProblem> arrayInScript(const LaunchArgument &argument);

/// Warns that an argument has another value than the size of its name.
LaunchProblem otherThanSize(const LaunchArgument &argument, const LaunchValue &value,
                            const LaunchValue &size);

/// Of the parameter `name`, for which the block has no value: a key that is no parameter, and is a
/// misspelling of it or lacks its ending. Nothing where there is none.
std::optional<LaunchProblem> calledOtherwise(const LaunchBlock &block,
                                             const std::vector<LaunchParameter> &parameters,
                                             const std::string &name);

/// Of the constexpr `name`, which an expression uses and `[constexprs]` does not have: the key that is
/// meant for it. Nothing where there is none.
std::optional<LaunchProblem>
constexprCalledOtherwise(const LaunchBlock &block, const std::vector<LaunchParameter> &parameters,
                         const std::string &name);

/// That an expression uses a constexpr of the kernel that the block gives no value; nothing: `name` is another.
std::optional<LaunchProblem> missingConstexpr(const LaunchBlock &block,
                                              const std::vector<LaunchParameter> &parameters,
                                              const LaunchExpression &expression,
                                              const std::string &name);

} // namespace tilescope::profiler
