// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
//     def f(x):
//     y = x          both lines begin where `def` does: they are indented by 4 columns
//     return y
#pragma once

#include "compiler/artifacts/Diagnostic.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace tilescope::compiler::ast {

/// Indents the lines from `begin` that should be a block, up to a blank line or the beginning of
/// something else: to where the following lines are, else by 4 columns. Empty where no code begins
/// at `begin`. `file`: of the fix's range.
std::vector<DiagnosticFix> indentFix(std::string_view source,
                                     const std::vector<uint32_t> &lineOffsets, Position begin,
                                     uint32_t file);

} // namespace tilescope::compiler::ast
