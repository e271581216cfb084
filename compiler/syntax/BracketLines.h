// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/Token.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace tilescope::compiler::ast {

bool opensBracket(TokenKind kind);
bool closesBracket(TokenKind kind);

/// The lines of each pair of brackets, from the one that opens to the one that closes.
std::vector<std::pair<uint32_t, uint32_t>> bracketLines(const std::vector<Token> &tokens);

} // namespace tilescope::compiler::ast
