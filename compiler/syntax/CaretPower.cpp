// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/CaretPower.h"

namespace tilescope::compiler::ast {

const Constant *powerExponent(const Expr *right) {
  while (const auto *operation = as<BinOp>(right))
    right = operation->left;
  const auto *number = as<Constant>(right);
  if (!number)
    return nullptr;
  constexpr int64_t kLeast = 2, kMost = 9;
  const bool isPower = number->constantKind == ConstantKind::Float ||
                       (number->constantKind == ConstantKind::Int && number->intValue >= kLeast &&
                        number->intValue <= kMost && number->text.size() == 1);
  return isPower ? number : nullptr;
}

/// The last operand of what stands before `^`, as long as no brackets keep it together.
static CaretPower withBase(const BinOp &expr, const Constant *exponent) {
  const Expr *base = expr.left;
  // An operation begins with the bracket around its first operand, and ends with that around its last one.
  bool isBracketed = base->range.begin != expr.range.begin;
  SourceRange range = {isBracketed ? expr.range.begin : base->range.begin, exponent->range.end,
                       expr.range.file};
  while (!isBracketed) {
    const auto *operation = as<BinOp>(base);
    const auto *negation = as<UnaryOp>(base);
    if (!operation && !negation)
      return {exponent, base, range};
    const Position end = base->range.end;
    base = operation ? operation->right : negation->operand;
    isBracketed = base->range.end != end;
    range.begin = base->range.begin;
    if (isBracketed)
      return {exponent, base, {}};
  }
  return {exponent, base, range};
}

CaretPower caretPower(const BinOp &expr) {
  const Constant *exponent = expr.op == BinaryOpKind::BitXor ? powerExponent(expr.right) : nullptr;
  return exponent ? withBase(expr, exponent) : CaretPower();
}

} // namespace tilescope::compiler::ast
