// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/Ast.h"

namespace tilescope::app {

/// Where a position of a parsed text lies in it, in bytes.
inline size_t offsetOf(const compiler::ast::SyntaxTree &tree, Position position) {
  return tree.lineOffsets[position.line] + position.column;
}

} // namespace tilescope::app
