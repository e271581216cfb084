// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// A mask that is no condition. What was meant, in the names of the function:
//
//     tl.load(x_ptr + i, mask=n)            mask=i < n
//     tl.load(x_ptr + i, mask=i)            mask=i < n
#pragma once

#include "compiler/frontend/Builtins.h"

#include <string>

namespace tilescope::compiler::frontend {

/// The block of integers that an address ends with, as code: `i` of `x_ptr + row * stride + i`; empty
/// where it shows none.
std::string blockOffsets(const Frame &frame, const ast::Expr &address);

/// Fails for a mask, the argument `parameter`, whose elements are not true or false.
[[noreturn]] void failMask(BuiltinCall &call, size_t parameter, const Tensor &mask);

} // namespace tilescope::compiler::frontend
