// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/CheckedFixes.h"

#include "compiler/artifacts/AppliedFix.h"
#include "compiler/syntax/Parser.h"

#include <algorithm>
#include <memory>

namespace tilescope::compiler::ast {

/// The syntax errors of a tree, in source order.
static std::vector<Position> errorsOf(const SyntaxTree &tree) {
  std::vector<Position> errors;
  for (const Diagnostic &diagnostic : tree.diagnostics)
    if (diagnostic.severity == Severity::Error)
      errors.push_back(diagnostic.range.begin);
  std::ranges::sort(errors);
  return errors;
}

/// Whether the text with a fix has syntax errors that the text without it has not.
static bool isWorse(const SyntaxTree &fixed, const std::vector<Position> &before) {
  const std::vector<Position> errors = errorsOf(fixed);
  if (errors.empty())
    return false;
  // Behind an error that is mended, the parser may find others.
  return before.empty() || (errors.size() > before.size() && errors.front() <= before.front());
}

/// Whether a pair of parentheses holds all of the code.
static bool isInParentheses(std::string_view code) {
  if (!code.starts_with('(') || !code.ends_with(')'))
    return false;
  int depth = 0;
  for (size_t i = 0; i + 1 < code.size(); ++i) {
    depth += code[i] == '(' ? 1 : code[i] == ')' ? -1 : 0;
    if (depth == 0)
      return false;
  }
  return true;
}

/// Whether nodes at a range can be below this one: not every kind of node has a place of its own.
static bool mayHold(const Node &node, const SourceRange &range) {
  return !(is<Expr>(&node) || is<Stmt>(&node)) ||
         (node.range.begin <= range.begin && range.end <= node.range.end);
}

/// Whether there is an expression at exactly this range that is not a whole statement: of that no operator takes a
/// part.
static bool isPartAt(const SyntaxTree &tree, const SourceRange &range) {
  bool isExpression = false, isStatement = false;
  walk(*tree.module, [&](const Node &node) {
    if (node.range.begin != range.begin || node.range.end != range.end)
      return mayHold(node, range);
    isStatement |= is<ExprStmt>(&node);
    isExpression |= is<Expr>(&node);
    return true;
  });
  return isExpression && !isStatement;
}

/// Where the code of a fix stands when it is applied, without the parentheses around all of it.
static SourceRange appliedRange(const DiagnosticFix &fix) {
  std::string_view code = fix.replacement;
  SourceRange range = fix.range;
  range.end = range.begin;
  range.end.column += static_cast<uint32_t>(code.size());
  while (isInParentheses(code)) {
    code = code.substr(1, code.size() - 2);
    ++range.begin.column;
    --range.end.column;
  }
  return range;
}

/// The expression that an applied fix is, of which no operator beside it takes a part; null where it is none.
static const Expr *wholeAt(const SyntaxTree &fixed, const DiagnosticFix &fix) {
  const SourceRange range = appliedRange(fix);
  const Expr *found = nullptr;
  walk(*fixed.module, [&](const Node &node) {
    if (!found && node.range.begin == range.begin && node.range.end == range.end)
      found = as<Expr>(&node);
    return !found && mayHold(node, range);
  });
  return found;
}

static std::shared_ptr<const SyntaxTree> applied(const SyntaxTree &tree, const DiagnosticFix &fix) {
  return parseModule(fixedText(tree.source, fix));
}

/// The fix with its code in parentheses.
static DiagnosticFix inParentheses(DiagnosticFix fix) {
  const std::string code = "(" + fix.replacement + ")";
  if (fix.title == "write `" + fix.replacement + "`")
    fix.title = "write `" + code + "`";
  fix.replacement = code;
  return fix;
}

/// Whether the fix may be offered; it is changed where it needs parentheses.
static bool check(const SyntaxTree &tree, const std::vector<Position> &errors, DiagnosticFix &fix) {
  const std::shared_ptr<const SyntaxTree> fixed = applied(tree, fix);
  if (isWorse(*fixed, errors))
    return false;
  const bool isCode = !fix.replacement.empty() && fix.replacement.find('\n') == std::string::npos;
  if (!errors.empty() || !isCode || !isPartAt(tree, fix.range) || wholeAt(*fixed, fix))
    return true;
  // `mask=m` in place of `m` is no expression in parentheses either; `"x", x` would be a tuple there.
  DiagnosticFix enclosed = inParentheses(fix);
  const std::shared_ptr<const SyntaxTree> better = applied(tree, enclosed);
  const Expr *whole = wholeAt(*better, enclosed);
  if (errorsOf(*better).empty() && whole && !is<Tuple>(whole))
    fix = std::move(enclosed);
  return true;
}

void checkFixes(const std::string &text, std::vector<Diagnostic> &diagnostics) {
  std::shared_ptr<const SyntaxTree> tree;
  std::vector<Position> errors;
  for (Diagnostic &diagnostic : diagnostics)
    // An element is changed before it is decided whether it stays.
    for (size_t i = diagnostic.fixes.size(); i-- > 0;) {
      if (diagnostic.fixes[i].range.file != 0)
        continue;
      if (!tree) {
        tree = parseModule(text);
        errors = errorsOf(*tree);
      }
      if (!check(*tree, errors, diagnostic.fixes[i]))
        diagnostic.fixes.erase(diagnostic.fixes.begin() + static_cast<ptrdiff_t>(i));
    }
}

} // namespace tilescope::compiler::ast
