// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Where decorators call a kernel's parameters by name, in strings:
//
//   CONFIGS = [triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 128})]
//
//   @triton.autotune(configs=CONFIGS, key=["n"])
//   @triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
//   @triton.jit
//   def k(x_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr): ...
//
//   `BLOCK` is called in three places, `n` in two, `EVEN` in one
#pragma once

#include "compiler/syntax/ModuleIndex.h"

#include <string_view>
#include <vector>

namespace tilescope::compiler::ast {

/// The expressions that a kernel's decorators consist of: their own, and those of the globals and
/// functions of the file that they name.
std::vector<const Node *> decoratorSources(const ModuleIndex &index, const JitFunction &kernel);

/// The places of a parameter's name in them, without quotes, in source order. What else uses a
/// global that holds one is not looked at.
std::vector<SourceRange> parameterKeys(const SyntaxTree &tree, const ModuleIndex &index,
                                       const JitFunction &kernel, std::string_view parameter);

/// The calls of `triton.Config` in them, in source order: one for each configuration, where none is
/// in a comprehension or a loop.
std::vector<const Call *> configurationCalls(const ModuleIndex &index, const JitFunction &kernel);

/// A key of a `Config(...)` that names no parameter of the kernel: a launch of it fails.
struct UnknownKey {
  std::string_view name;
  SourceRange range;
};
std::vector<UnknownKey> unknownConfigurationKeys(const ModuleIndex &index,
                                                 const JitFunction &kernel);

} // namespace tilescope::compiler::ast
