// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Kernels that host code calls as if they were functions:
//
//     scale(x, n, 1024)                  scale[(triton.cdiv(n, 1024),)](x, n, 1024)
#pragma once

#include "compiler/syntax/ModuleIndex.h"

#include <vector>

namespace tilescope::compiler::ast {

/// A warning for each such call of the file's own kernels, at the name that is called.
std::vector<Diagnostic> hostCalls(const ModuleIndex &index, const Module &module);

} // namespace tilescope::compiler::ast
