// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/DedentedLines.h"

#include "compiler/syntax/Ast.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace tilescope::compiler::ast {

using Names = std::set<std::string_view>;

/// The names that a statement binds, without those of inner functions and classes.
static void addBound(const Stmt &statement, Names &names) {
  walk(statement, [&](const Node &node) {
    if (const auto *name = as<Name>(&node); name && name->ctx == ExprContext::Store)
      names.insert(name->id);
    if (const auto *alias = as<Alias>(&node))
      names.insert(alias->asname.value_or(alias->name.substr(0, alias->name.find('.'))));
    if (const auto *function = as<FunctionDef>(&node))
      names.insert(function->name);
    if (const auto *type = as<ClassDef>(&node))
      names.insert(type->name);
    return !is<FunctionDef>(&node) && !is<ClassDef>(&node);
  });
}

static Names localsOf(const JitFunction &function) {
  Names names;
  for (const ParameterInfo &parameter : function.parameters)
    names.insert(parameter.name);
  for (const Stmt *statement : function.def->body)
    addBound(*statement, names);
  return names;
}

/// The first name that the statement reads and only the function has; empty: none.
static std::string_view localRead(const Stmt &statement, const Names &locals, const Names &bound) {
  std::string_view found;
  walk(statement, [&](const Node &node) {
    const auto *name = as<Name>(&node);
    if (found.empty() && name && name->ctx == ExprContext::Load && locals.contains(name->id) &&
        !bound.contains(name->id))
      found = name->id;
    return found.empty();
  });
  return found;
}

static Diagnostic warning(const SyntaxTree &tree, const JitFunction &function,
                          const Stmt &statement, std::string_view local) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UndefinedName;
  diagnostic.severity = Severity::Warning;
  diagnostic.range = statement.range;
  diagnostic.message = "this line is not in `" + function.name + "`, where `" + std::string(local) +
                       "` is defined: it is not indented";
  const SourceRange &first = function.def->body.front()->range;
  const Position begin = {statement.range.begin.line, 0};
  const std::string_view line = tree.text({{first.begin.line, 0}, first.begin, first.file});
  if (line.find_first_not_of(" \t") == std::string_view::npos && !line.empty())
    diagnostic.fixes.push_back({{begin, begin, first.file},
                                std::string(line),
                                "indent the line: it belongs to `" + function.name + "`"});
  return diagnostic;
}

/// That a line in front of a function reads what only the function has.
static Diagnostic inFront(const JitFunction &function, const Stmt &statement,
                          std::string_view local) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UndefinedName;
  diagnostic.severity = Severity::Warning;
  diagnostic.range = statement.range;
  diagnostic.message = "this line is in front of `" + function.name + "`, where `" +
                       std::string(local) + "` is defined, and not in it";
  diagnostic.notes = {"Python stops here: the name `" + std::string(local) + "` is not defined"};
  return diagnostic;
}

std::vector<Diagnostic> dedentedLines(const SyntaxTree &tree, const ModuleIndex &index) {
  std::vector<Diagnostic> warnings;
  Names bound;
  for (const Stmt *statement : tree.module->body)
    addBound(*statement, bound);
  // `from module import *` may bind everything.
  if (bound.contains("*"))
    return warnings;
  const JitFunction *before = nullptr;
  Names locals;
  // Of no function behind which they are.
  std::vector<const Stmt *> lines;
  for (const Stmt *statement : tree.module->body) {
    const auto function = std::ranges::find_if(
        index.functions, [&](const JitFunction &each) { return each.def == statement; });
    const bool isLine =
        is<ExprStmt>(statement) || is<Assign>(statement) || is<AugAssign>(statement);
    if (function != index.functions.end()) {
      before = &*function;
      locals = localsOf(*before);
      for (const Stmt *line : std::exchange(lines, {}))
        if (const std::string_view local = localRead(*line, locals, bound); !local.empty())
          warnings.push_back(inFront(*before, *line, local));
      continue;
    }
    const std::string_view local =
        before && isLine ? localRead(*statement, locals, bound) : std::string_view();
    if (local.empty())
      before = nullptr;
    if (local.empty() && isLine)
      lines.push_back(statement);
    else if (!local.empty())
      warnings.push_back(warning(tree, *before, *statement, local));
  }
  return warnings;
}

} // namespace tilescope::compiler::ast
