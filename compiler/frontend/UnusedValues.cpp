// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/UnusedValues.h"

#include "compiler/constant/Builtins.h"
#include "compiler/frontend/Builtins.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/syntax/ExpressionParts.h"

namespace tilescope::compiler::frontend {

namespace {
/// `name == value` as a statement, with `value` all that stands behind the `==`: `i < n`; null parts where
/// the statement is none.
struct Equation {
  const ast::Name *name = nullptr;
  ast::Seq<ast::Expr> parts = {};

  SourceRange valueRange() const {
    SourceRange range = parts.front()->range;
    range.end = parts.back()->range.end;
    return range;
  }
  bool mentionsName() const {
    for (const ast::Expr *part : parts)
      if (mentions(*part, name->id))
        return true;
    return false;
  }
};
} // namespace

static Equation equationOf(const ast::Expr &statement) {
  const auto *comparison = ast::as<ast::Compare>(&statement);
  if (!comparison || comparison->ops.front() != ast::CompareOpKind::Eq)
    return {};
  const auto *name = ast::as<ast::Name>(comparison->left);
  return name ? Equation{name, comparison->comparators} : Equation{};
}

static bool isDefined(const Frame &frame, std::string_view name) {
  bool isFound = frame.locals.find(name) || constant::findBuiltin(name) ||
                 findBuiltin("builtins." + std::string(name));
  // What a star imports is not searched.
  for (const SourceModule *scope = frame.module; scope && !isFound; scope = scope->outer)
    isFound = scope->bindings.contains(name) || !scope->starImports.empty();
  return isFound;
}

/// `y = x * 2`; empty where the source is not shown.
static std::string assignmentCode(Emitter &emitter, const Equation &equation) {
  const std::string_view value =
      sourceText(emitter.frame(), emitter.fileRange(equation.valueRange()));
  return value.empty() ? std::string()
                       : std::string(equation.name->id) + " = " + std::string(value);
}

void checkMeantAssignment(Emitter &emitter, const ast::Expr &statement) {
  const Equation equation = equationOf(statement);
  Frame &frame = emitter.frame();
  if (!equation.name || frame.isCompileTime || isDefined(frame, equation.name->id) ||
      equation.mentionsName())
    return;
  const std::string code = assignmentCode(emitter, equation);
  if (code.empty())
    return;
  const std::string name(equation.name->id);
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UndefinedName;
  diagnostic.range = emitter.fileRange(equation.name->range);
  diagnostic.message = "`" + name + "` is not defined: `==` compares, and `=` gives `" + name +
                       "` a value, `" + code + "`";
  const SourceRange range = emitter.fileRange(statement.range);
  diagnostic.fixes = rewriteFix(frame, range, range, code);
  // What it would be is not known, and uses of it are no errors of their own.
  frame.locals.set(equation.name->id, Value::poison());
  throw Failure{std::move(diagnostic)};
}

void warnUnusedValue(Emitter &emitter, const ast::Expr &statement) {
  const Frame &frame = emitter.frame();
  const SourceRange range = emitter.fileRange(statement.range);
  const std::string text(sourceText(frame, range));
  const bool isComparison = ast::is<ast::Compare>(&statement);
  // What is left of a text that does not parse was no statement.
  const bool isWhole = frame.module->tree && frame.module->tree->diagnostics.empty();
  if (frame.isCompileTime || !isWhole || text.empty() ||
      !(isComparison || ast::is<ast::BinOp>(&statement)))
    return;
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UnusedResult;
  diagnostic.severity = Severity::Warning;
  diagnostic.range = range;
  diagnostic.message = std::string("the result of this ") +
                       (isComparison ? "comparison" : "calculation") +
                       " is not used: the statement gives no name a value";
  const Equation equation = equationOf(statement);
  const Value *value = equation.name ? frame.locals.find(equation.name->id) : nullptr;
  const std::string code = value ? assignmentCode(emitter, equation) : std::string();
  // A constexpr keeps its value, and an array's name its address.
  if (!code.empty() && value->tensor() && !value->tensor()->type.isPointer()) {
    diagnostic.notes = {"`==` compares, and `=` gives a value: `" + code + "`"};
    diagnostic.fixes = rewriteFix(frame, range, range, code);
  }
  emitter.report(std::move(diagnostic));
}

} // namespace tilescope::compiler::frontend
