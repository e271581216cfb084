// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/native/NativeKernel.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilescope::native {

/// Calls `compile` in this thread. Where it crashes, or LLVM ends the process, the result is an internal error that says
/// so, and what the call held is lost: whoever gets that error does better not to call LLVM's code generation again.
Result<NativeKernel> compileGuarded(llvm::function_ref<Result<NativeKernel>()> compile);

} // namespace tilescope::native
