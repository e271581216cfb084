// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/LaunchedKernel.h"

#include "compiler/inference/NameWords.h"
#include "compiler/syntax/MeantKernel.h"

#include <string>

namespace tilescope::compiler::inference {

bool isSurelyLaunched(const ast::ModuleIndex &index, const ast::JitFunction &function) {
  if (!function.isKernel() || function.usedByOthers)
    return false;
  bool startsPrograms = index.functions.size() == 1;
  for (const ast::Stmt *stmt : function.def->body)
    ast::walk(*stmt, [&](const ast::Node &node) {
      const auto *access = ast::as<ast::Attribute>(&node);
      startsPrograms |= access && access->attr == "program_id";
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
      isSurelyLaunched(index, function) || ast::returningKernel(index) == &function;
  return isNamedPointer(name) || (isLaunched && (!use.isPointer() || use.isAddressed) &&
                                  !use.isTakenApart && !soundsLikeTuple(name));
}

ParameterUse launchedUse(const ast::ModuleIndex &index, const ast::JitFunction &function,
                         std::string_view parameter, ParameterUse use) {
  const bool isOfItems = isArrayOfItems(index, function, lowered(parameter), use);
  const bool hasRank = use.rank > 0 && isSurelyLaunched(index, function);
  use.isIndexed |= isOfItems;
  use.isArray |= isOfItems || hasRank;
  if (hasRank)
    use.rank = 0;
  return use;
}

} // namespace tilescope::compiler::inference
