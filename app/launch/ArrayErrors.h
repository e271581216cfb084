// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/constant/Evaluate.h"
#include "compiler/support/Result.h"
#include "compiler/syntax/Ast.h"
#include "profiler/package/LaunchPlan.h"

#include <string>

namespace tilescope::app {

/// That something is wrong with an expression of the launch block.
Error expressionError(std::string what);

/// Python's complaint about an expression in the words of a launch block, with what is known there.
Error inWordsOfBlock(const std::string &text, const compiler::constant::PythonError &error,
                     const profiler::LaunchPlan &plan);

/// Whether Python raises it where numbers are out of a function's domain.
bool isOutOfDomain(const compiler::constant::PythonError &error);

/// What an expression calls, for `inWordsOfBlock`: `arange(`.
std::string callText(const compiler::ast::Expr &expr);

/// `expected` with the names that its launch has, where others are near these or lack an ending: `2 * x`
/// as `2 * x_ptr`. Empty where that changes nothing.
std::string withKnownNames(const std::string &expected, const profiler::LaunchPlan &plan);

/// Whether the value of an element is a number, if it has one.
Status checkNumber(const compiler::constant::Value &value);

/// Whether an expression is evaluated for the elements of a shape, which takes some seconds at most; the error
/// says that they are too many.
Status checkSize(const std::vector<int64_t> &shape);

} // namespace tilescope::app
