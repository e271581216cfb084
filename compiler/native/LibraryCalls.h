// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Functions that LLVM calls where a processor has no instruction, and that the C library's compiler may
// lack: libgcc has `__truncsfbf2` since GCC 13.
#pragma once

#include "llvm/ExecutionEngine/Orc/LLJIT.h"

namespace tilescope::native {

/// Lets code of `jit` call them.
llvm::Error defineLibraryCalls(llvm::orc::LLJIT &jit);

} // namespace tilescope::native
