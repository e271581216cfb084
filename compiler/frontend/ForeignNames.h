// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Names of other languages, and what kernels have instead:
//
//     i = blockIdx.x * blockDim.x + threadIdx.x     i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
//     true                                          True
//     sqrtf(x)                                      tl.sqrt(x)
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/frontend/Frame.h"

#include <string_view>

namespace tilescope::compiler::frontend {

/// Completes the diagnostic of a name that is not defined, if it is one of C, CUDA or JavaScript.
bool explainForeign(Diagnostic &diagnostic, std::string_view name, const Frame &frame);

/// Of functions alone, also behind a module's name: `tl.__syncthreads()`.
bool explainForeignFunction(Diagnostic &diagnostic, std::string_view name, const Frame &frame);

} // namespace tilescope::compiler::frontend
