// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/LaunchedKernel.h"

#include "compiler/inference/NameWords.h"
#include "compiler/syntax/MeantKernel.h"

#include <algorithm>
#include <string>

namespace tilescope::compiler::inference {

static bool namesProgram(const ast::Node &node) {
  const auto *access = ast::as<ast::Attribute>(&node);
  return access && access->attr == "program_id";
}

/// Whether a function that runs in programs calls it, and is jitted by other means than a decorator:
/// `kernel = triton.jit(kernel)`.
static bool isCalledInPrograms(const ast::ModuleIndex &index, const ast::JitFunction &function) {
  return std::ranges::any_of(index.otherDefinitions, [&](const ast::Stmt *definition) {
    bool isCalled = false, runsInPrograms = false;
    ast::walk(*definition, [&](const ast::Node &node) {
      const auto *call = ast::as<ast::Call>(&node);
      const auto *callee = call ? ast::as<ast::Name>(call->func) : nullptr;
      isCalled |= callee && callee->id == function.name;
      runsInPrograms |= namesProgram(node);
      return true;
    });
    return isCalled && runsInPrograms;
  });
}

/// Whether a function may well be launched: it returns nothing, and no other is known to call it.
static bool mayBeLaunched(const ast::ModuleIndex &index, const ast::JitFunction &function) {
  return function.isKernel() && !function.usedByOthers && !isCalledInPrograms(index, function);
}

bool isSurelyLaunched(const ast::ModuleIndex &index, const ast::JitFunction &function) {
  if (!function.isKernel() || function.usedByOthers)
    return false;
  bool startsPrograms = index.functions.size() == 1 && !isCalledInPrograms(index, function);
  for (const ast::Stmt *stmt : function.def->body)
    ast::walk(*stmt, [&](const ast::Node &node) {
      startsPrograms |= namesProgram(node);
      return !startsPrograms;
    });
  return startsPrograms;
}

/// Whether a name sounds like several things: `args`, `shape`, `tuple1`.
static bool soundsLikeTuple(std::string_view name) {
  constexpr size_t kShortest = 4;
  return (name.size() >= kShortest && name.ends_with('s')) || name.find("tuple") != name.npos ||
         hasAnyWord(name, {"shape", "stride"});
}

/// Of `x_ptr[0]` the name tells that it is no tuple; of `x[0]` in a kernel, that nothing else does.
static bool isArrayOfItems(const ast::ModuleIndex &index, const ast::JitFunction &function,
                           const std::string &name, const ParameterUse &use) {
  if (use.numItems == 0 && !use.isSliced)
    return false;
  const bool isLaunched =
      isSurelyLaunched(index, function) || ast::isReturningKernel(index, function);
  return isNamedPointer(name) || (isLaunched && (!use.isPointer() || use.isAddressed) &&
                                  !use.isTakenApart && !soundsLikeTuple(name));
}

bool isNumberAsMask(const ast::ModuleIndex &index, const ast::JitFunction &function,
                    std::string_view parameter, const ParameterUse &use) {
  return use.isWholeMask && isSurelyLaunched(index, function) && !soundsLikeSwitch(parameter);
}

ParameterUse launchedUse(const ast::ModuleIndex &index, const ast::JitFunction &function,
                         std::string_view parameter, ParameterUse use) {
  const bool isOfItems = isArrayOfItems(index, function, lowered(parameter), use);
  // What the function adds offsets to is an array, whatever it asks of its shape.
  const bool isBase = use.isPointer() && use.isAddressed && mayBeLaunched(index, function);
  const bool hasRank = use.rank > 0 && (isBase || isSurelyLaunched(index, function));
  use.isIndexed |= isOfItems;
  use.isArray |= isOfItems || hasRank;
  if (hasRank)
    use.rank = 0;
  return use;
}

} // namespace tilescope::compiler::inference
