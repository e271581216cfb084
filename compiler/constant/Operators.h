// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Python's operators on compile-time values, exact in value, type and message.
#pragma once

#include "compiler/constant/Value.h"
#include "compiler/syntax/AstBase.h"

namespace tilescope::compiler::constant {

ValueOrError applyUnary(ast::UnaryOpKind op, const Value &operand);
ValueOrError applyBinary(ast::BinaryOpKind op, const Value &left, const Value &right);
/// One comparison; chains are the evaluator's.
ValueOrError applyCompare(ast::CompareOpKind op, const Value &left, const Value &right);

/// `bool(value)`.
bool truth(const Value &value);
/// `a == b`, which in Python never fails for the values of this library.
bool equal(const Value &a, const Value &b);
/// `a is b`, for values whose identity does not depend on the interpreter: None, bools, dtypes,
/// builtins, extensions; equal small values of the same type count as identical.
bool identical(const Value &a, const Value &b);

/// `value[index]`; the index may be a Slice.
ValueOrError subscript(const Value &value, const Value &index);
/// The elements that a `for` would see.
OrError<Value::Items> iterate(const Value &value);
/// `len(value)`.
OrError<int64_t> length(const Value &value);

/// `repr(value)` and `str(value)`.
std::string repr(const Value &value);
std::string str(const Value &value);
/// `format(value, spec)`.
OrError<std::string> format(const Value &value, std::string_view spec);
/// `pattern % arguments`.
OrError<std::string> formatPercent(std::string_view pattern, const Value &arguments);

} // namespace tilescope::compiler::constant
