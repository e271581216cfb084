// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// One number was loaded where a block is needed. What was meant, in the names of the function:
//
//     x = tl.load(x_ptr + row)              tl.load(x_ptr + row * n_cols + tl.arange(0, BLOCK))
//     x = tl.load(x_ptr + row * n_cols)     tl.load(x_ptr + row * n_cols + tl.arange(0, BLOCK))
#pragma once

#include "compiler/frontend/Frame.h"

#include <string>
#include <vector>

namespace tilescope::compiler::frontend {

/// How to load a block in place of the one number that `value`, an expression of the function, is;
/// names that this needs are explained.
std::vector<std::string> blockLoadNotes(const Frame &frame, const ast::Expr &value);

/// How to load a block of what a pointer points to.
std::vector<std::string> pointerLoadNotes(const Frame &frame, const std::string &pointer);

/// Whether `value` is a load, or a name that was last set to one.
bool isLoaded(const Frame &frame, const ast::Expr &value);

} // namespace tilescope::compiler::frontend
