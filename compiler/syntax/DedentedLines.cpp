// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/DedentedLines.h"

#include "compiler/support/Text.h"
#include "compiler/syntax/Ast.h"

#include <algorithm>
#include <map>
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
static std::string_view localRead(const Stmt &statement, const Names &locals,
                                  const std::map<std::string_view, int> &bound) {
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

/// The text of the lines, each moved to the right; empty where a string of several lines, or tabs,
/// decide what that does.
static std::string indented(std::string_view lines, std::string_view blanks) {
  if (lines.find("\"\"\"") != std::string_view::npos || lines.find("'''") != std::string_view::npos)
    return {};
  std::string text;
  for (const std::string_view line : splitLines(lines)) {
    text += text.empty() ? "" : "\n";
    if (line.find_first_not_of(" \t\r") != std::string_view::npos)
      text += std::string(blanks) + std::string(line);
  }
  return text;
}

/// Of the statements behind a function that were meant to be its last ones; `local` is what only the
/// function has.
static Diagnostic warning(const SyntaxTree &tree, const JitFunction &function,
                          const std::vector<const Stmt *> &statements, std::string_view local) {
  const SourceRange &first = function.def->body.front()->range;
  const SourceRange all{
      {statements.front()->range.begin.line, 0}, statements.back()->range.end, first.file};
  const bool isOne = statements.size() == 1;
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UndefinedName;
  diagnostic.severity = Severity::Warning;
  diagnostic.range = {statements.front()->range.begin, all.end, first.file};
  diagnostic.message = (isOne ? "this line is not in `" : "these lines are not in `") +
                       function.name + "`, where `" + std::string(local) +
                       "` is defined: " + (isOne ? "it is not indented" : "they are not indented");
  const std::string_view blanks = tree.text({{first.begin.line, 0}, first.begin, first.file});
  const std::string text =
      blanks.empty() || blanks.find_first_not_of(" \t") != std::string_view::npos
          ? std::string()
          : indented(tree.text(all), blanks);
  const std::string numbers =
      std::to_string(all.begin.line + 1) + " to " + std::to_string(all.end.line + 1);
  if (!text.empty())
    diagnostic.fixes.push_back(
        {all, text,
         isOne ? "indent the line: it belongs to `" + function.name + "`"
               : "indent lines " + numbers + ": they belong to `" + function.name + "`"});
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

namespace {
/// The lines behind a function that were meant to be in it.
struct LinesBehind {
  const JitFunction *function = nullptr;
  Names locals;
  std::vector<const Stmt *> statements;
  /// What the first of them reads that only the function has; empty: none does so far.
  std::string_view local;
  /// How many of the statements surely belong to the function.
  size_t numSure = 0;

  /// Whether a statement follows without a blank line.
  bool isNext(const Stmt &statement) const {
    const SourceRange &last =
        statements.empty() ? function->def->body.back()->range : statements.back()->range;
    return statement.range.begin.line == last.end.line + 1;
  }
};
} // namespace

/// Reports what surely belongs to the function; other lines behind it may belong to the next one.
static void report(const SyntaxTree &tree, LinesBehind &behind, std::vector<Diagnostic> &warnings,
                   std::vector<const Stmt *> &others) {
  const auto end = behind.statements.begin() + static_cast<ptrdiff_t>(behind.numSure);
  others.insert(others.end(), end, behind.statements.end());
  behind.statements.erase(end, behind.statements.end());
  if (behind.numSure > 0)
    warnings.push_back(warning(tree, *behind.function, behind.statements, behind.local));
  behind = {};
}

/// Takes a statement behind the function; false: it is another matter.
static bool take(LinesBehind &behind, const Stmt &statement,
                 std::map<std::string_view, int> &bound) {
  const bool isLine =
      is<ExprStmt>(&statement) || is<Assign>(&statement) || is<AugAssign>(&statement);
  if (!behind.function || !isLine)
    return false;
  const std::string_view local = localRead(statement, behind.locals, bound);
  if (local.empty() && !behind.isNext(statement))
    return false;
  behind.statements.push_back(&statement);
  if (local.empty())
    return true;
  if (behind.local.empty())
    behind.local = local;
  // What these lines bind is not the module's.
  for (; behind.numSure < behind.statements.size(); ++behind.numSure) {
    Names names;
    addBound(*behind.statements[behind.numSure], names);
    for (const std::string_view name : names)
      if (--bound[name] == 0) {
        bound.erase(name);
        behind.locals.insert(name);
      }
  }
  return true;
}

std::vector<Diagnostic> dedentedLines(const SyntaxTree &tree, const ModuleIndex &index) {
  std::vector<Diagnostic> warnings;
  // How many statements bind each name.
  std::map<std::string_view, int> bound;
  for (const Stmt *statement : tree.module->body) {
    Names names;
    addBound(*statement, names);
    for (const std::string_view name : names)
      ++bound[name];
  }
  // `from module import *` may bind everything.
  if (bound.contains("*"))
    return warnings;
  LinesBehind behind;
  // Of no function behind which they are.
  std::vector<const Stmt *> lines;
  for (const Stmt *statement : tree.module->body) {
    const auto function = std::ranges::find_if(
        index.functions, [&](const JitFunction &each) { return each.def == statement; });
    if (function != index.functions.end()) {
      report(tree, behind, warnings, lines);
      behind.function = &*function;
      behind.locals = localsOf(*function);
      for (const Stmt *line : std::exchange(lines, {}))
        if (const std::string_view local = localRead(*line, behind.locals, bound); !local.empty())
          warnings.push_back(inFront(*function, *line, local));
      continue;
    }
    if (take(behind, *statement, bound))
      continue;
    report(tree, behind, warnings, lines);
    if (is<ExprStmt>(statement) || is<Assign>(statement) || is<AugAssign>(statement))
      lines.push_back(statement);
  }
  report(tree, behind, warnings, lines);
  return warnings;
}

} // namespace tilescope::compiler::ast
