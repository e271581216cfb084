// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/MissingImports.h"

#include <algorithm>
#include <string>
#include <utility>

namespace tilescope::compiler::ast {

/// The first line of a statement, of its decorators if it has some.
static uint32_t firstLine(const Stmt &statement) {
  const auto *function = as<FunctionDef>(&statement);
  return function && !function->decoratorList.empty()
             ? function->decoratorList.front()->range.begin.line
             : statement.range.begin.line;
}

/// A docstring, or an import that must stay the first.
static bool staysFirst(const Stmt &statement) {
  const auto *expression = as<ExprStmt>(&statement);
  const auto *import = as<ImportFrom>(&statement);
  return (expression && is<Constant>(expression->value)) ||
         (import && import->module == "__future__");
}

/// Where a line with an import goes: before the first statement and the comments that belong to it.
static Position importPlace(const SyntaxTree &tree) {
  const auto &body = tree.module->body;
  const auto first =
      std::ranges::find_if(body, [](const Stmt *each) { return !staysFirst(*each); });
  if (first == body.end())
    return {};
  uint32_t line = firstLine(**first);
  const bool isImport = is<Import>(*first) || is<ImportFrom>(*first);
  for (auto comment = tree.comments.rbegin(); !isImport && comment != tree.comments.rend();
       ++comment)
    if (line > 0 && comment->begin.line == line - 1 && comment->begin.column == 0)
      line = comment->begin.line;
  return {line, 0};
}

/// Something in the file binds the name, or may: `from module import *`.
static bool mayBind(const SyntaxTree &tree, std::string_view name) {
  bool binds = false;
  walk(*tree.module, [&](const Node &node) {
    const auto *variable = as<Name>(&node);
    const auto *alias = as<Alias>(&node);
    binds |= variable && variable->ctx == ExprContext::Store && variable->id == name;
    binds |= alias && (alias->name == "*" || alias->asname.value_or(alias->name) == name ||
                       (!alias->asname && alias->name.starts_with(std::string(name) + ".")));
    return !binds;
  });
  return binds;
}

std::optional<DiagnosticFix> importFix(const SyntaxTree &tree, std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> kImports[] = {
      {"triton", "import triton"},
      {"tl", "import triton.language as tl"},
      {"math", "import math"},
      {"torch", "import torch"},
      {"libdevice", "from triton.language.extra import libdevice"}};
  const auto known = std::ranges::find(kImports, name, [](const auto &each) { return each.first; });
  if (known == std::end(kImports))
    return std::nullopt;
  std::string lines(known->second), title = "add `" + lines + "`";
  // One without the other is of no use.
  if (name == "triton" && !mayBind(tree, "tl")) {
    lines += "\n" + std::string(kImports[1].second);
    title += " and `" + std::string(kImports[1].second) + "`";
  }
  const Position place = importPlace(tree);
  const auto &body = tree.module->body;
  const bool joinsImports = std::ranges::any_of(
      body, [](const Stmt *each) { return is<Import>(each) || is<ImportFrom>(each); });
  return DiagnosticFix{{place, place, 0}, lines + (joinsImports ? "\n" : "\n\n\n"), title};
}

void offerLanguageImport(const SyntaxTree &tree, std::vector<Diagnostic> &diagnostics) {
  const auto names = [](std::string_view text) { return text.find("`tl.") != text.npos; };
  std::optional<bool> isBound;
  for (Diagnostic &each : diagnostics) {
    if (each.range.file != 0 || !each.fixes.empty() ||
        !(names(each.message) || std::ranges::any_of(each.notes, names)))
      continue;
    if (!isBound)
      isBound = mayBind(tree, "tl");
    if (*isBound)
      return;
    each.fixes.push_back(*importFix(tree, "tl"));
  }
}

std::optional<Diagnostic> missingTritonImport(const SyntaxTree &tree, const ModuleIndex &index) {
  if (!index.functions.empty() || mayBind(tree, "triton"))
    return std::nullopt;
  std::optional<Diagnostic> found;
  walk(*tree.module, [&](const Node &node) {
    const auto *function = as<FunctionDef>(&node);
    for (size_t i = 0; function && !found && i < function->decoratorList.size(); ++i) {
      const Expr *decorator = function->decoratorList[i];
      if (const auto *call = as<Call>(decorator))
        decorator = call->func;
      const auto *access = as<Attribute>(decorator);
      const auto *base = access ? as<Name>(access->value) : nullptr;
      if (!base || base->id != "triton" || access->attr != "jit")
        continue;
      found.emplace();
      found->kind = DiagnosticKind::UndefinedName;
      found->range = base->range;
      found->message = "`triton` is not imported: without `import triton`, `@triton.jit` does not "
                       "make `" +
                       std::string(function->name) + "` a kernel";
      found->fixes.push_back(*importFix(tree, "triton"));
    }
    return !found;
  });
  return found;
}

} // namespace tilescope::compiler::ast
