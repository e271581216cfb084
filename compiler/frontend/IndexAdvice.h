// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Indices of a block that are to depend on values at run time:
//
//     tl.arange(start, start + BLOCK)       start + tl.arange(0, BLOCK)
//     tl.arange(0, n)                       tl.arange(0, BLOCK), and a mask
#pragma once

#include "compiler/frontend/Builtins.h"

namespace tilescope::compiler::frontend {

/// Fails for a call of `tl.arange` whose argument `parameter` is known at run time only.
[[noreturn]] void failIndices(BuiltinCall &call, size_t parameter);

} // namespace tilescope::compiler::frontend
