// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Functions of NumPy and PyTorch that expressions do not have, and how they write them:
//
//     np.outer(x_ptr, y_ptr)          x_ptr[:, None] * y_ptr[None, :]
//     softmax(x_ptr + 1, axis=0)      exp(x_ptr + 1) / sum(exp(x_ptr + 1), axis=0, keepdims=True)
#pragma once

#include "compiler/constant/Evaluate.h"

#include <string>
#include <string_view>

namespace tilescope::app {

struct ComposedFunction {
  std::string_view name;
  /// Of arrays `x`, or `a` and `b`.
  std::string_view formula;
};

/// The one that an expression calls, and Python does not find; null: there is none.
const ComposedFunction *composedFunction(const std::string &text,
                                         const compiler::constant::PythonError &error);

/// `expected` with formulas of its own arrays in place of calls of such functions. Empty where that
/// changes nothing.
std::string withFormulas(const std::string &expected);

} // namespace tilescope::app
