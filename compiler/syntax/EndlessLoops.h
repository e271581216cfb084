// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Loops that nothing in their bodies can end:
//
//     n = 0
//     while n < hi:            neither `n` nor `hi` changes
//         x = tl.load(p + n)
//
// A condition that reads memory may change by what others do.
#pragma once

#include "compiler/syntax/ModuleIndex.h"

#include <vector>

namespace tilescope::compiler::ast {

/// A warning for each such `while` of the file's kernels and their functions, at its condition.
std::vector<Diagnostic> endlessLoops(const ModuleIndex &index);

} // namespace tilescope::compiler::ast
