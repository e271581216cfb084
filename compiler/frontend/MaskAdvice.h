// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// A mask that is no condition. What was meant, in the names of the function:
//
//     tl.load(x_ptr + i, mask=n)            mask=i < n
//     tl.load(x_ptr + i, mask=i)            mask=i < n
#pragma once

#include "compiler/frontend/Builtins.h"

namespace tilescope::compiler::frontend {

/// Fails for a mask, the argument `parameter`, whose elements are not true or false.
[[noreturn]] void failMask(BuiltinCall &call, size_t parameter, const Tensor &mask);

} // namespace tilescope::compiler::frontend
