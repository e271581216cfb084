// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/NumberLossAdvice.h"

#include "compiler/syntax/AccessArguments.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace tilescope::compiler {

/// Each fix is a run of the whole launch.
static constexpr size_t kMostPlaces = 3;

/// What the file calls `triton.language`, by a function that kernels call.
static std::string languageOf(const ast::SyntaxTree &tree) {
  static constexpr std::string_view kCalled[] = {"program_id", "arange", "load", "store"};
  std::string name = "tl";
  ast::walk(*tree.module, [&](const ast::Node &node) {
    const auto *function = ast::as<ast::Attribute>(&node);
    if (function && ast::is<ast::Name>(function->value) &&
        std::ranges::find(kCalled, function->attr) != std::end(kCalled))
      name = tree.text(function->value->range);
    return true;
  });
  return name;
}

static bool isConstexpr(const ast::SyntaxTree &tree, std::string_view name) {
  bool found = false;
  ast::walk(*tree.module, [&](const ast::Node &node) {
    const auto *parameter = ast::as<ast::Arg>(&node);
    found |= parameter && parameter->arg == name &&
             tree.text(parameter->range).find("constexpr") != std::string_view::npos;
    return !found;
  });
  return found;
}

/// Whether it is a number of Python, which has no type to widen.
static bool isNumber(const ast::SyntaxTree &tree, const ast::Expr &expr) {
  const auto *name = ast::as<ast::Name>(&expr);
  return ast::is<ast::Constant>(&expr) || (name && isConstexpr(tree, name->id));
}

static Diagnostic lossAt(const SourceRange &place, std::string message, DiagnosticFix fix) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::RunMismatch;
  diagnostic.severity = Severity::Note;
  diagnostic.range = place;
  diagnostic.message = std::move(message);
  diagnostic.fixes.push_back(std::move(fix));
  return diagnostic;
}

/// Widens an operand of a sum, a difference or a product.
static std::optional<Diagnostic> lostBy(const ast::SyntaxTree &tree, const ast::BinOp &operation,
                                        const std::string &language) {
  using enum ast::BinaryOpKind;
  const bool isKnown = operation.op == Add || operation.op == Sub || operation.op == Mult;
  const ast::Expr *operand = isNumber(tree, *operation.left) ? operation.right : operation.left;
  const std::string code(tree.text(operation.range));
  if (!isKnown || isNumber(tree, *operand) || code.find('\n') != std::string::npos)
    return std::nullopt;
  std::string wide(tree.text(operand->range));
  const bool isOne = ast::is<ast::Name>(operand) || ast::is<ast::Call>(operand) ||
                     ast::is<ast::Subscript>(operand) || ast::is<ast::Attribute>(operand);
  if (!isOne && !wide.starts_with('('))
    wide = "(" + wide + ")";
  wide += ".to(" + language + ".int64)";
  return lossAt(operation.range, "`" + code + "` exceeds what 32 bits hold here, and wraps around",
                {operand->range, wide, "write `" + wide + "`"});
}

/// Casts to fp32 in place of fp16.
static std::optional<Diagnostic> lostBy(const ast::SyntaxTree &tree, const ast::Call &cast,
                                        const std::string &language) {
  const auto *function = ast::as<ast::Attribute>(cast.func);
  const bool isMethod = function && function->attr == "to";
  if (!isMethod && (!function || function->attr != "cast"))
    return std::nullopt;
  const ast::Expr *type = argument(cast, isMethod ? 0 : 1, "dtype");
  if (!type)
    return std::nullopt;
  const std::string wide = language + ".float32";
  return lossAt(cast.range,
                "numbers that are too large for `" + std::string(tree.text(type->range)) +
                    "` become infinite here",
                {type->range, wide, "write `" + wide + "`"});
}

/// What is computed in fp16 is so in fp32.
static std::optional<Diagnostic>
infiniteBy(const ast::SyntaxTree &tree, const ast::BinOp &operation, const std::string &language) {
  std::optional<Diagnostic> found = lostBy(tree, operation, language);
  if (!found)
    return std::nullopt;
  DiagnosticFix &fix = found->fixes.front();
  fix.replacement.replace(fix.replacement.rfind("int64"), std::string_view("int64").size(),
                          "float32");
  fix.title = "write `" + fix.replacement + "`";
  found->message =
      "`" + std::string(tree.text(operation.range)) + "` is too large for fp16 here, and infinite";
  return found;
}

/// What a histogram does not count. No fix: which bins are meant is not known.
static std::optional<Diagnostic> uncountedBy(const ast::SyntaxTree &tree, const ast::Call &call) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::RunMismatch;
  diagnostic.severity = Severity::Note;
  diagnostic.range = call.range;
  diagnostic.message = "`" + std::string(tree.text(call.func->range)) +
                       "` does not count values for which it has no bin, and there are such";
  return diagnostic;
}

static std::optional<Diagnostic> lossOf(const ast::SyntaxTree &tree, const LostNumber &lost,
                                        const std::string &language) {
  std::optional<Diagnostic> found;
  ast::walk(*tree.module, [&](const ast::Node &node) {
    if (found || node.range != lost.range)
      return !found;
    const auto *operation = ast::as<ast::BinOp>(&node);
    const auto *call = ast::as<ast::Call>(&node);
    if (operation && lost.loss == NumberLoss::Wrapped)
      found = lostBy(tree, *operation, language);
    else if (operation && lost.loss == NumberLoss::Infinite)
      found = infiniteBy(tree, *operation, language);
    else if (call && lost.loss == NumberLoss::Infinite)
      found = lostBy(tree, *call, language);
    else if (call && lost.loss == NumberLoss::Uncounted)
      found = uncountedBy(tree, *call);
    return !found;
  });
  return found;
}

/// Whether an operand has lost something already: where that is mended, this is wide enough, too.
static bool followsAnother(const LostNumber &lost, const std::vector<LostNumber> &losses) {
  return std::ranges::any_of(losses, [&](const LostNumber &other) {
    return other.loss == lost.loss && other.range != lost.range &&
           other.range.file == lost.range.file && lost.range.begin <= other.range.begin &&
           other.range.end <= lost.range.end;
  });
}

std::vector<Diagnostic> numberLosses(const ast::SyntaxTree &tree,
                                     const std::vector<LostNumber> &losses) {
  const std::string language = languageOf(tree);
  std::vector<Diagnostic> found;
  for (const LostNumber &lost : losses) {
    if (lost.range.file != 0 || found.size() == kMostPlaces || followsAnother(lost, losses))
      continue;
    std::optional<Diagnostic> loss = lossOf(tree, lost, language);
    const bool isNew =
        loss && std::ranges::find(found, loss->range, &Diagnostic::range) == found.end();
    if (isNew)
      found.push_back(std::move(*loss));
  }
  return found;
}

} // namespace tilescope::compiler
