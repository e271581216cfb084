// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// `total += v` of a name that has no value yet: it needs one to begin with.
//
//     for i in range(4):                  total = 0.0
//         total += tl.sum(x)              for i in range(4):
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/frontend/Frame.h"

#include <string>
#include <string_view>

namespace tilescope::compiler::frontend {

/// Says of a name that is not defined, and that the statement at the diagnostic's place updates, with
/// what it begins; with a fix. Returns whether it is such.
bool explainNoStart(Diagnostic &diagnostic, std::string_view name, const Frame &frame);

/// What a sum begins with to which `added` is added in each turn of a loop: `0.0`, or a block of zeros; empty
/// where its shape cannot be told.
std::string startOfSum(const Frame &frame, const ast::Expr &added);

/// An extent as the function names it, else the number.
std::string extentCode(const Frame &frame, int64_t extent);

/// A block of that type whose elements are all `number`, in the function's names:
/// `tl.zeros([BLOCK], dtype=tl.float32)`.
std::string filledBlock(const Frame &frame, const Type &type, std::string_view number);

} // namespace tilescope::compiler::frontend
