// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is meant by `^` where it stands for a power, as in other languages. Python binds it less than `*` and `+`:
//
//     2 * x ^ 2 + 1       is (2 * x) ^ (2 + 1)       is meant as 2 * x ** 2 + 1
#pragma once

#include "compiler/syntax/Ast.h"

namespace tilescope::compiler::ast {

/// A small whole number, or one with a fraction, at the beginning of what stands behind `^`; null: something
/// that an exclusive or is taken with.
const Constant *powerExponent(const Expr *right);
inline bool isPowerExponent(const Expr *right) { return powerExponent(right) != nullptr; }

struct CaretPower {
  /// Null: it is none.
  const Constant *exponent = nullptr;
  const Expr *base = nullptr;
  /// From the base to the exponent; empty where brackets hide where it begins.
  SourceRange range = {};
};
CaretPower caretPower(const BinOp &expr);

} // namespace tilescope::compiler::ast
