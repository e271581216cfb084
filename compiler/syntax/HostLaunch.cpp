// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/HostLaunch.h"

#include "compiler/syntax/Ast.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace tilescope::compiler::ast {

/// The kernel that a statement launches; empty: none.
static std::string_view launchedBy(const Stmt &statement, const ModuleIndex &index) {
  const auto *expression = as<ExprStmt>(&statement);
  const auto *call = expression ? as<Call>(expression->value) : nullptr;
  const auto *grid = call ? as<Subscript>(call->func) : nullptr;
  const auto *name = grid ? as<Name>(grid->value) : nullptr;
  const bool isKernel = name && std::ranges::any_of(index.functions, [&](const JitFunction &each) {
                          return each.name == name->id;
                        });
  return isKernel ? name->id : std::string_view();
}

std::optional<Diagnostic> hostLaunch(const SyntaxTree &tree, const ModuleIndex &index) {
  const bool hasBlock = std::ranges::any_of(tree.comments, [&](const SourceRange &comment) {
    return tree.text(comment).find("/// tilescope") != std::string_view::npos;
  });
  if (hasBlock)
    return std::nullopt;
  for (const Stmt *statement : tree.module->body) {
    const std::string_view kernel = launchedBy(*statement, index);
    if (kernel.empty())
      continue;
    Diagnostic note;
    note.kind = DiagnosticKind::UnsupportedFeature;
    note.severity = Severity::Note;
    note.range = statement->range;
    note.message = "nothing outside of kernels is executed here, nor is this launch of `" +
                   std::string(kernel) + "`: a launch block says what to run";
    note.notes.emplace_back("Run (F5) writes a launch block of guesses, to be corrected");
    return note;
  }
  return std::nullopt;
}

} // namespace tilescope::compiler::ast
