// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/CallPaths.h"

#include <algorithm>

namespace tilescope::compiler::inference {

/// Where the body first names something.
static SourceRange firstUse(const ast::JitFunction &function, std::string_view wanted) {
  SourceRange place;
  bool isFound = false;
  for (const ast::Stmt *stmt : function.def->body)
    ast::walk(*stmt, [&](const ast::Node &node) {
      const auto *name = isFound ? nullptr : ast::as<ast::Name>(&node);
      if (name && name->id == wanted) {
        place = node.range;
        isFound = true;
      }
      return !isFound;
    });
  return place;
}

std::vector<CallPath> callPathsTo(const ast::ModuleIndex &index, std::string_view name) {
  std::vector<CallPath> paths;
  auto isKnown = [&](const ast::JitFunction &function) {
    return function.name == name ||
           std::ranges::find(paths, &function, &CallPath::caller) != paths.end();
  };
  auto addCallersOf = [&](std::string_view callee, const std::vector<SourceRange> &places) {
    for (const ast::JitFunction &function : index.functions) {
      if (isKnown(function) || !std::ranges::binary_search(function.usedNames, callee))
        continue;
      paths.push_back({&function, places});
      paths.back().places.push_back(firstUse(function, callee));
    }
  };
  addCallersOf(name, {});
  for (size_t i = 0; i < paths.size(); ++i)
    addCallersOf(paths[i].caller->name, std::vector(paths[i].places));
  std::ranges::reverse(paths);
  std::ranges::stable_partition(paths, [](const CallPath &path) {
    return path.caller->isKernel() && !path.caller->usedByOthers;
  });
  return paths;
}

} // namespace tilescope::compiler::inference
