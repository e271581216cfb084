// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/UnsupportedSyntax.h"

#include "compiler/constant/Operators.h"
#include "compiler/frontend/PlainPython.h"
#include "compiler/frontend/Remedies.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

namespace {
struct Unsupported {
  ast::NodeKind kind{};
  std::string_view what;
  std::string_view instead;
};
} // namespace

static constexpr std::string_view kNoExceptions =
    "a kernel raises no exceptions: `tl.device_assert(condition, \"text\")` checks at run time, "
    "`tl.static_assert` while compiling";
static constexpr std::string_view kNoJumps =
    "put what follows under an `if`, or the condition into a `while`";
static constexpr std::string_view kTopLevelImport = "import at the top level of the file";
static constexpr std::string_view kPassed = "pass the value as an argument";
static constexpr std::string_view kNoContext =
    "leave it out, and write the statements below it one level further to the left";
static constexpr std::string_view kNoTable =
    "give each value a name of its own, or write a tuple: `values = (1, 2)`, then `values[0]`";
static constexpr std::string_view kNoYield = "store each result in memory: `tl.store(pointer, x)`";

static constexpr Unsupported kUnsupported[] = {
    {ast::NodeKind::ClassDef, "a class cannot be defined in a kernel",
     "define it at the top level of the file"},
    {ast::NodeKind::FunctionDef, "a function cannot be defined in a kernel",
     "define it at the top level, decorated with `@triton.jit`"},
    {ast::NodeKind::Delete, "`del` cannot be used in a kernel",
     "leave it out: what is not used any more takes no room"},
    {ast::NodeKind::With, "`with` cannot be used in a kernel", kNoContext},
    {ast::NodeKind::AsyncWith, "`async with` cannot be used in a kernel", kNoContext},
    {ast::NodeKind::Match, "`match` cannot be used in a kernel", "use `if` and `elif`"},
    {ast::NodeKind::Raise, "`raise` cannot be used in a kernel", kNoExceptions},
    {ast::NodeKind::Try, "`try` cannot be used in a kernel", kNoExceptions},
    {ast::NodeKind::TryStar, "`try` cannot be used in a kernel", kNoExceptions},
    {ast::NodeKind::Import, "`import` cannot be used in a kernel", kTopLevelImport},
    {ast::NodeKind::ImportFrom, "`import` cannot be used in a kernel", kTopLevelImport},
    {ast::NodeKind::Global, "`global` cannot be used in a kernel", kPassed},
    {ast::NodeKind::Nonlocal, "`nonlocal` cannot be used in a kernel", kPassed},
    {ast::NodeKind::Break, "`break` cannot be used in a kernel", kNoJumps},
    {ast::NodeKind::Continue, "`continue` cannot be used in a kernel", kNoJumps},
    {ast::NodeKind::NamedExpr, "`:=` cannot be used in a kernel",
     "assign the name in a line of its own, with `=`"},
    {ast::NodeKind::Lambda, "`lambda` cannot be used in a kernel",
     "define a function at the top level, decorated with `@triton.jit`, and write its name here"},
    {ast::NodeKind::Dict, "a dictionary cannot be made in a kernel", kNoTable},
    {ast::NodeKind::DictComp, "a dictionary cannot be made in a kernel", kNoTable},
    {ast::NodeKind::Set, "a set cannot be made in a kernel", kNoTable},
    {ast::NodeKind::SetComp, "a set cannot be made in a kernel", kNoTable},
    {ast::NodeKind::Await, "`await` cannot be used in a kernel",
     "leave it out: a kernel waits for what it loads"},
    {ast::NodeKind::Yield, "`yield` cannot be used in a kernel", kNoYield},
    {ast::NodeKind::YieldFrom, "`yield` cannot be used in a kernel", kNoYield},
};

/// Where a node says what it is: the name that a definition makes, the word that many lines begin
/// with.
static SourceRange headOf(const ast::Node &node) {
  if (const auto *function = ast::as<ast::FunctionDef>(&node))
    return function->nameRange;
  if (const auto *type = ast::as<ast::ClassDef>(&node))
    return type->nameRange;
  SourceRange range = node.range;
  if (range.begin.line == range.end.line)
    return range;
  range.end = range.begin;
  const bool isAsync = node.kind == ast::NodeKind::AsyncWith;
  range.end.column += isAsync                               ? 10
                      : node.kind == ast::NodeKind::With    ? 4
                      : node.kind == ast::NodeKind::Match   ? 5
                      : node.kind == ast::NodeKind::Try     ? 3
                      : node.kind == ast::NodeKind::TryStar ? 3
                                                            : 1;
  return range;
}

/// The loop that begins with `if i >= n: break`, of its counter `i`; null: the statement is in no such.
static const ast::For *loopEndedBy(const ast::FunctionDef &function, const ast::Node &jump) {
  const ast::For *found = nullptr;
  for (const ast::Stmt *statement : function.body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *loop = ast::as<ast::For>(&node);
      const auto *test = loop && loop->body.size() > 1 ? ast::as<ast::If>(loop->body[0]) : nullptr;
      if (test && test->orelse.empty() && test->body.size() == 1 && test->body[0] == &jump)
        found = loop;
      return !found;
    });
  return found;
}

/// Lets the loop count no further: `range(min(BLOCK, n))` without the `if`.
static std::vector<DiagnosticFix> shorterLoop(const Emitter &emitter, const Frame &frame,
                                              const ast::Node &jump) {
  const ast::For *loop = frame.function && jump.kind == ast::NodeKind::Break
                             ? loopEndedBy(*frame.function, jump)
                             : nullptr;
  const auto *range = loop ? ast::as<ast::Call>(loop->iter) : nullptr;
  const auto *counter = loop ? ast::as<ast::Name>(loop->target) : nullptr;
  const auto *test = loop ? ast::as<ast::If>(loop->body[0]) : nullptr;
  const auto *compare = test ? ast::as<ast::Compare>(test->test) : nullptr;
  const auto *left = compare ? ast::as<ast::Name>(compare->left) : nullptr;
  if (!range || range->args.empty() || range->args.size() > 2 || !counter || !left ||
      left->id != counter->id || compare->ops.size() != 1 ||
      compare->ops[0] != ast::CompareOpKind::GtE)
    return {};
  const auto text = [&](const ast::Node &node) {
    return std::string(sourceText(frame, emitter.fileRange(node.range)));
  };
  const std::string most =
      "min(" + text(*range->args.back()) + ", " + text(*compare->comparators[0]) + ")";
  const std::string begin = range->args.size() == 2 ? text(*range->args[0]) + ", " : "";
  const std::string code = text(*range->func) + "(" + begin + most + ")";
  SourceRange replaced = emitter.fileRange(range->range);
  if (sourceText(frame, replaced).empty())
    return {};
  replaced.end = test->range.end;
  return {{replaced, code + ":", "write `" + code + "` without the `if`"}};
}

void failSyntax(Emitter &emitter, const ast::Node &node) {
  const auto *found = std::ranges::find(kUnsupported, node.kind, &Unsupported::kind);
  const bool isKnown = found != std::end(kUnsupported);
  std::vector<std::string> notes;
  if (isKnown)
    notes.emplace_back(found->instead);
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UnsupportedSyntax;
  diagnostic.range = emitter.fileRange(headOf(node));
  diagnostic.message = isKnown ? std::string(found->what)
                               : "Python's `" + std::string(ast::nodeKindName(node.kind)) +
                                     "` cannot be used in a kernel";
  diagnostic.notes = std::move(notes);
  diagnostic.fixes = shorterLoop(emitter, emitter.frame(), node);
  if (diagnostic.fixes.empty())
    diagnostic.fixes = plainFixes(emitter, emitter.frame(), node);
  throw Failure{std::move(diagnostic)};
}

static std::string_view textOf(ast::CompareOpKind op) {
  switch (op) {
  case ast::CompareOpKind::Lt:
    return " < ";
  case ast::CompareOpKind::LtE:
    return " <= ";
  case ast::CompareOpKind::Gt:
    return " > ";
  case ast::CompareOpKind::GtE:
    return " >= ";
  case ast::CompareOpKind::Eq:
    return " == ";
  case ast::CompareOpKind::NotEq:
    return " != ";
  default:
    return {};
  }
}

/// `b & c` between two comparisons; null: something else.
static const ast::BinOp *jointOf(const ast::Expr *operand) {
  const auto *operation = ast::as<ast::BinOp>(operand);
  return operation && (operation->op == ast::BinaryOpKind::BitAnd ||
                       operation->op == ast::BinaryOpKind::BitOr)
             ? operation
             : nullptr;
}

/// The comparisons, each in parentheses; empty where that is not what the source can mean.
static std::string separated(const Emitter &emitter, const Frame &frame, const ast::Compare &expr) {
  std::string code;
  const ast::Expr *left = expr.left;
  for (size_t i = 0; i < expr.ops.size(); ++i) {
    const bool isLast = i + 1 == expr.ops.size();
    const ast::Expr *right = expr.comparators[i];
    const ast::BinOp *joint = isLast ? nullptr : jointOf(right);
    const auto write = [&](const ast::Expr *operand) {
      return std::string(sourceText(frame, emitter.fileRange(operand->range)));
    };
    const std::string first = write(left), second = write(joint ? joint->left : right);
    if (first.empty() || second.empty() || textOf(expr.ops[i]).empty())
      return {};
    code += "(" + first + std::string(textOf(expr.ops[i])) + second + ")";
    if (!isLast)
      code += joint && joint->op == ast::BinaryOpKind::BitOr ? " | " : " & ";
    left = joint ? joint->right : right;
  }
  return code;
}

void failComparison(Emitter &emitter, const ast::Compare &expr) {
  // What could not be read may be what joins them: `a < b && c < d`.
  ast::walk(expr, [](const ast::Node &node) {
    if (node.kind == ast::NodeKind::InvalidExpr)
      throw PoisonUsed{};
    return true;
  });
  const auto joint = std::ranges::find_if(
      expr.comparators, [](const ast::Expr *operand) { return jointOf(operand) != nullptr; });
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UnsupportedSyntax;
  diagnostic.range = emitter.currentRange();
  if (joint == expr.comparators.end()) {
    diagnostic.message = "a kernel compares two values at a time";
    diagnostic.notes.emplace_back("write `(a < b) & (b < c)` instead of `a < b < c`");
  } else {
    const bool isOr = jointOf(*joint)->op == ast::BinaryOpKind::BitOr;
    diagnostic.message = std::string("comparisons on both sides of `") + (isOr ? "|" : "&") +
                         "` need parentheses: `(a < b) " + (isOr ? "|" : "&") + " (c < d)`";
    diagnostic.notes.emplace_back(
        "without them Python takes the values beside `&` and `|` together first");
  }
  if (std::string code = separated(emitter, emitter.frame(), expr); !code.empty())
    diagnostic.fixes =
        rewriteFix(emitter.frame(), diagnostic.range, diagnostic.range, std::move(code));
  throw Failure{std::move(diagnostic)};
}

} // namespace tilescope::compiler::frontend
