// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/OperandChecks.h"

#include "compiler/constant/Operators.h"
#include "compiler/frontend/ArrayUpdates.h"
#include "compiler/frontend/Remedies.h"
#include "compiler/syntax/CaretPower.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

/// The only division by `/` in an expression; null: there is none, or several.
static const ast::BinOp *quotientIn(const ast::Expr &expr) {
  const ast::BinOp *found = nullptr;
  size_t count = 0;
  ast::walk(expr, [&](const ast::Node &node) {
    const auto *operation = ast::as<ast::BinOp>(&node);
    if (operation && operation->op == ast::BinaryOpKind::Div) {
      found = operation;
      ++count;
    }
    return true;
  });
  return count == 1 ? found : nullptr;
}

/// A power with a few factors, or a root; empty: it takes a function.
static std::string powerOf(const std::string &base, bool isAtom, const std::string &text) {
  if (base.empty())
    return {};
  const std::string factor = isAtom ? base : "(" + base + ")";
  if (text == "2" || text == "2.0")
    return factor + " * " + factor;
  if (text == "3" || text == "3.0")
    return factor + " * " + factor + " * " + factor;
  return text == "0.5" ? "tl.sqrt(" + base + ")" : std::string();
}

/// Whether an expression may be written twice: it does not load, and has no effect.
static bool isRepeatable(const ast::Expr &expr) {
  bool isPure = true;
  ast::walk(expr, [&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    const auto *function = call ? ast::as<ast::Attribute>(call->func) : nullptr;
    isPure &=
        !call || (function && function->attr != "load" && !function->attr.starts_with("atomic"));
    return isPure;
  });
  return isPure;
}

/// Whether what is around a place on its line ends there, so that a product needs no brackets.
static bool standsAlone(const Frame &frame, const SourceRange &place) {
  std::string_view before = sourceText(frame, {{place.begin.line, 0}, place.begin, place.file});
  std::string_view after = sourceText(frame, {place.end, {place.end.line + 1, 0}, place.file});
  before = before.substr(0, before.find_last_not_of(' ') + 1);
  after.remove_prefix(std::min(after.find_first_not_of(' '), after.size()));
  const bool isOpen = before.ends_with('(') || before.ends_with(',') ||
                      (before.ends_with('=') && !before.ends_with("=="));
  return isOpen && (after.empty() || after.find_first_of("),\n\r#") == 0);
}

static bool isAtom(const ast::Expr &expr) {
  return ast::is<ast::Name>(&expr) || ast::is<ast::Call>(&expr) || ast::is<ast::Subscript>(&expr) ||
         ast::is<ast::Attribute>(&expr);
}

/// The product, or the root, that the power at `place` is; empty where it takes a function.
static std::string productOf(Emitter &emitter, const ast::Expr &base, const std::string &exponent,
                             const SourceRange &place) {
  const std::string text(sourceText(emitter.frame(), emitter.fileRange(base.range)));
  const std::string code = powerOf(text, isAtom(base), exponent);
  const bool isOnce = code.empty() || code.starts_with("tl.sqrt");
  if (!isOnce && !isRepeatable(base))
    return {};
  return isOnce || standsAlone(emitter.frame(), place) ? code : "(" + code + ")";
}

/// A number as the source writes it; empty for anything else.
static std::string numberText(const Value &value) {
  const constant::Value *number = value.constant();
  return number && number->isNumber() ? constant::repr(*number) : std::string();
}

[[noreturn]] static void failPower(Emitter &emitter, const ast::BinOp &power,
                                   const Value &exponent) {
  const Frame &frame = emitter.frame();
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UnsupportedSyntax;
  diagnostic.range = emitter.currentRange();
  diagnostic.message = "`**` works on constexprs only: write a product, or `libdevice.pow(x, y)`";
  const std::string code =
      productOf(emitter, *power.left, numberText(exponent), emitter.fileRange(power.range));
  if (!code.empty() && hasLanguageName(frame))
    diagnostic.fixes = rewriteFix(frame, diagnostic.range, diagnostic.range, code);
  throw Failure{std::move(diagnostic)};
}

/// Of a pointer and an offset that `/` has made a float.
static void checkOffset(Emitter &emitter, const ast::BinOp &sum, const Value &left,
                        const Value &right) {
  const bool isSum = sum.op == ast::BinaryOpKind::Add || sum.op == ast::BinaryOpKind::Sub;
  const Tensor *pointer = left.tensor(), *offset = right.tensor();
  const ast::Expr *expr = sum.right;
  if (pointer && offset && !pointer->type.isPointer()) {
    std::swap(pointer, offset);
    expr = sum.left;
  }
  if (!isSum || !pointer || !offset || !pointer->type.isPointer() || offset->type.isPointer() ||
      isInteger(offset->dtype()))
    return;
  const ast::BinOp *quotient = quotientIn(*expr);
  if (!quotient)
    return;
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::TypeMismatch;
  diagnostic.range = emitter.fileRange(expr->range);
  Message("an offset from a pointer counts elements, so it is an integer: this is `{}`",
          offset->type)
      .writeTo(diagnostic);
  diagnostic.notes.emplace_back(
      "`/` always makes a float; `//` divides integers and rounds toward zero");
  const Frame &frame = emitter.frame();
  const SourceRange range = emitter.fileRange(quotient->range);
  const std::string dividend(sourceText(frame, emitter.fileRange(quotient->left->range)));
  const std::string divisor(sourceText(frame, emitter.fileRange(quotient->right->range)));
  if (!dividend.empty() && !divisor.empty())
    diagnostic.fixes = rewriteFix(frame, range, range, dividend + " // " + divisor);
  throw Failure{std::move(diagnostic)};
}

static bool holdsFloats(const Value &value) {
  const Tensor *tensor = value.tensor();
  return tensor && !tensor->type.isPointer() && isFloating(tensor->dtype());
}

/// `isPower`: no other type makes a power of it.
[[noreturn]] static void failCaret(Emitter &emitter, bool isPower,
                                   std::vector<DiagnosticFix> fixes) {
  Diagnostic diagnostic;
  diagnostic.kind = isPower ? DiagnosticKind::UnsupportedSyntax : DiagnosticKind::TypeMismatch;
  diagnostic.range = emitter.currentRange();
  diagnostic.message = "`^` is the exclusive or of integers: a power is a product, or "
                       "`libdevice.pow(x, y)`";
  diagnostic.fixes = std::move(fixes);
  throw Failure{std::move(diagnostic)};
}

/// Whether the function works with bits elsewhere, so that an exclusive or may be meant.
static bool worksOnBits(const ast::FunctionDef &function, const ast::BinOp &expr) {
  bool works = false;
  for (const ast::Stmt *statement : function.body)
    ast::walk(*statement, [&](const ast::Node &node) {
      using enum ast::BinaryOpKind;
      const auto *operation = ast::as<ast::BinOp>(&node);
      const auto *update = ast::as<ast::AugAssign>(&node);
      const auto isOfBits = [](ast::BinaryOpKind op) {
        return op == BitXor || op == LShift || op == RShift;
      };
      works |= (operation && operation != &expr && isOfBits(operation->op)) ||
               (update && isOfBits(update->op));
      return !works;
    });
  return works;
}

/// Of `x ^ 2` of integers that an array holds, which is no power either.
static void noteBits(Emitter &emitter, const ast::BinOp &expr, const ast::CaretPower &power,
                     const Value &left) {
  const Frame &frame = emitter.frame();
  const Tensor *block = left.tensor();
  const bool isSmall =
      power.exponent && (power.exponent->text == "2" || power.exponent->text == "3");
  if (!isSmall || !block || block->type.isPointer() || !isInteger(block->dtype()) ||
      !frame.function || frame.caller || frame.isCompileTime || !isMadeOfLoads(left) ||
      worksOnBits(*frame.function, expr))
    return;
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UnsupportedSyntax;
  diagnostic.severity = Severity::Note;
  diagnostic.range = emitter.currentRange();
  const std::string exponent(power.exponent->text);
  diagnostic.message = "`^ " + exponent + "` is the exclusive or with " + exponent +
                       ", and not a power: a power is a product";
  const SourceRange place = emitter.fileRange(power.range);
  const std::string code =
      power.range.empty() ? std::string() : productOf(emitter, *power.base, exponent, place);
  if (!code.empty())
    diagnostic.fixes = rewriteFix(frame, place, place, code);
  emitter.report(std::move(diagnostic));
}

/// `x ^ 2` of a real number: in other languages a power.
static void checkCaret(Emitter &emitter, const ast::BinOp &expr, const Value &left,
                       const Value &right) {
  if (expr.op != ast::BinaryOpKind::BitXor)
    return;
  const ast::CaretPower power = ast::caretPower(expr);
  noteBits(emitter, expr, power, left);
  const bool isPower = power.exponent && (holdsFloats(left) || holdsFloats(right));
  if (!isPower && (!holdsFloats(left) || !right.isNumber()))
    return;
  std::vector<DiagnosticFix> fixes;
  if (isPower && !power.range.empty()) {
    const SourceRange place = emitter.fileRange(power.range);
    const std::string exponent(power.exponent->text);
    const std::string code = productOf(emitter, *power.base, exponent, place);
    if (!code.empty() && hasLanguageName(emitter.frame()))
      fixes = rewriteFix(emitter.frame(), place, place, code);
  }
  failCaret(emitter, isPower, std::move(fixes));
}

void checkUpdate(Emitter &emitter, const ast::AugAssign &statement, const Value &left) {
  if (statement.op == ast::BinaryOpKind::BitXor && holdsFloats(left) &&
      ast::isPowerExponent(statement.value))
    failCaret(emitter, true, {});
}

void checkOperands(Emitter &emitter, const ast::BinOp &expr, const Value &left,
                   const Value &right) {
  checkCaret(emitter, expr, left, right);
  if (expr.op == ast::BinaryOpKind::Pow && (left.tensor() || right.tensor()))
    failPower(emitter, expr, right);
  checkOffset(emitter, expr, left, right);
}

} // namespace tilescope::compiler::frontend
