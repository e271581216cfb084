// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/ModuleIndex.h"

namespace tilescope::compiler::inference {

/// Whether a function is surely launched itself, so that it gets arrays and numbers, and no blocks:
/// it asks for the number of its program, or is the only function of its file and returns nothing. A
/// function that kernels of other files call is rarely such.
bool isSurelyLaunched(const ast::ModuleIndex &index, const ast::JitFunction &function);

} // namespace tilescope::compiler::inference
