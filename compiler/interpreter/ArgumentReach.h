// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which arguments may depend on what one of them holds:
//
//   x = tl.load(x_ptr + i)
//   tl.store(y_ptr + i, 2 * x)                       not reached by s_ptr
//   tl.store(s_ptr + i, tl.load(s_ptr + i) + x)      reached by s_ptr and x_ptr
#pragma once

#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/BitVector.h"

namespace tilescope::compiler::interpreter {

/// One bit for each argument of the kernel; that of `argument` itself is set. All are set where values
/// cannot be followed: through functions that are called, or branches between blocks.
llvm::BitVector argumentsReachedBy(unsigned argument, tt::FuncOp kernel);

/// Whether what an argument holds may decide what is stored to it.
bool reachesItself(unsigned argument, tt::FuncOp kernel);

} // namespace tilescope::compiler::interpreter
