// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
//     def f(x):
//     →y = x          a tab; as wide as the next line's blanks, to the eye
//         return y    four spaces: Python compares neither with the other
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "compiler/syntax/Token.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace tilescope::compiler::ast {

/// Gives the errors of indentation, where tabs and spaces are mixed, the one fix that mends all of
/// a definition (or other statement at the margin): its tabs become spaces, of the width with which
/// most lines fit, and what still fits no level goes to the nearest one. `tokens`: of the whole
/// text.
void addTabFixes(std::vector<Diagnostic> &diagnostics, std::string_view source,
                 const std::vector<uint32_t> &lineOffsets, const std::vector<Token> &tokens);

} // namespace tilescope::compiler::ast
