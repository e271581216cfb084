// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/MissingStores.h"

#include <algorithm>

namespace tilescope::app {

namespace ast = compiler::ast;
using compiler::Diagnostic;
using compiler::DiagnosticKind;
using compiler::Severity;

/// Python's functions that kernels call, and that write nothing.
static constexpr std::string_view kPure[] = {"abs", "bool", "float", "int",   "isinstance",
                                             "len", "max",  "min",   "range", "slice",
                                             "str", "sum",  "tuple", "list",  "zip"};

static bool isPure(std::string_view function) {
  return std::ranges::find(kPure, function) != std::end(kPure);
}

/// Of a member, such as `tl.store`, `desc.store` or `tl.atomic_add`.
static bool mayLeaveTrace(std::string_view member) {
  constexpr std::string_view kParts[] = {"store",  "atomic",  "asm",     "print",
                                         "assert", "reduce_", "scatter", "barrier"};
  return member != "static_assert" && member != "static_print" &&
         std::ranges::any_of(
             kParts, [&](std::string_view part) { return member.find(part) != member.npos; });
}

/// Whether a function has code that may be seen from outside, wherever constexprs lead: also that of the functions of
/// the file that it calls.
static bool mayLeaveTrace(const ast::ModuleIndex &index, const ast::FunctionDef &function,
                          int depth) {
  constexpr int kMostDepth = 8;
  bool isFound = depth > kMostDepth;
  const auto look = [&](const ast::Node &node) {
    // Unlike `tl.static_assert`, it is an assertion of the run.
    isFound |= ast::is<ast::Assert>(&node);
    const auto *call = ast::as<ast::Call>(&node);
    if (!call || isFound)
      return !isFound;
    const auto *member = ast::as<ast::Attribute>(call->func);
    const auto *module = member ? ast::as<ast::Name>(member->value) : nullptr;
    const auto *name = ast::as<ast::Name>(call->func);
    if (name) {
      const ast::JitFunction *callee = index.findFunction(name->id);
      isFound |= callee ? mayLeaveTrace(index, *callee->def, depth + 1) : !isPure(name->id);
    } else if (member) {
      // Of a module that is not the language, anything may come.
      const std::string path = module ? index.resolve(*member) : std::string();
      const bool isForeign =
          !path.empty() && !ast::languageMember(path) && path.find("triton") != 0;
      isFound |= isForeign || mayLeaveTrace(member->attr);
    } else {
      isFound = true;
    }
    return !isFound;
  };
  for (const ast::Stmt *statement : function.body)
    ast::walk(*statement, look);
  return isFound;
}

std::optional<Diagnostic> missingStores(const ast::ModuleIndex &index,
                                        const compiler::CompileResult &result) {
  const ast::JitFunction *kernel = index.findFunction(result.kernel);
  const bool isTold = std::ranges::find(result.diagnostics, DiagnosticKind::UnusedResult,
                                        &Diagnostic::kind) != result.diagnostics.end();
  const bool loads = std::ranges::any_of(result.suggestion.tensors,
                                         [](const auto &tensor) { return tensor.second.isRead; });
  if (!result.ok || !result.suggestion.storesNothing || !loads || isTold || !kernel ||
      kernel->usedByOthers || mayLeaveTrace(index, *kernel->def, 0))
    return std::nullopt;
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UnusedResult;
  diagnostic.severity = Severity::Warning;
  diagnostic.range = kernel->def->nameRange;
  diagnostic.message =
      "the kernel `" + result.kernel + "` stores nothing: a launch leaves every argument unchanged";
  diagnostic.notes = {"results are written with `tl.store(pointer, value)`"};
  return diagnostic;
}

} // namespace tilescope::app
