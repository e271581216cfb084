// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What `@triton.heuristics` computes for a launch, as Triton does: one value after another, each
// from the arguments and from the values before it.
//
//   @triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
//
//   with n = 1000 and BLOCK = 256 known:  EVEN is False
#pragma once

#include "compiler/syntax/ModuleIndex.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace tilescope::compiler::inference {

/// The arguments of a launch, as heuristics see them.
struct KnownArguments {
  /// Name -> value, as an expression of the language.
  std::map<std::string, std::string> values;
  /// Arguments of which nothing is known but that they are tensors, so that they are not `None`.
  std::set<std::string> tensors = {};
};

/// What all heuristics of a kernel may take together, for all of its configurations.
inline constexpr int64_t kMaxHeuristicSteps = 500'000;

/// What a heuristic returns for these arguments, in the kernel language; nothing when it asks for
/// something else, takes long, or is not a function of the file that only returns.
std::optional<std::string> heuristicValue(const ast::ModuleIndex &index, const ast::Expr &heuristic,
                                          const KnownArguments &known, int64_t &stepsLeft);

/// Whether it returns a condition.
bool isCondition(const ast::ModuleIndex &index, const ast::Expr &heuristic);

/// Whether a heuristic of the kernel may give a value to the name: one of a parameter, or of a
/// launch option.
bool isComputable(const ast::JitFunction &kernel, const std::string &name);
bool isLaunchOption(std::string_view name);

} // namespace tilescope::compiler::inference
