// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/LaunchedKernel.h"

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

} // namespace tilescope::compiler::inference
