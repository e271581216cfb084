// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which functions of a file are kernels, and which one is meant.
#pragma once

#include "compiler/artifacts/CompileRequest.h"
#include "compiler/frontend/Frontend.h"
#include "compiler/frontend/Modules.h"

namespace tilescope::compiler::frontend {

/// The functions of the document with `@triton.jit` that return nothing and that no other such
/// function calls, in source order.
std::vector<ScopedFunction> launchableFunctions(const SourceModule &module);

/// The function that the selection means; empty when there is none, with a diagnostic in `result`.
ScopedFunction selectKernel(const SourceModule &module, const Selection &selection,
                            EmittedModule &result);

} // namespace tilescope::compiler::frontend
