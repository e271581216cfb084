// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Comments of C and C++ in Python:
//
//     y = 2 * x // double it      a quotient whose divisor would be two words
//     /* double it */             nothing that Python knows
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tilescope::compiler::ast {

struct ForeignComment {
  /// Bytes from its `/` on.
  size_t size = 0;
  /// The same as a comment of Python; nothing where code follows in its line.
  std::optional<std::string> inPython;
};

/// `code`: the source from a `/` on. `beginsStatement`: a statement may begin there, as in no bracket. Nothing: it may be a
/// quotient.
std::optional<ForeignComment> foreignComment(std::string_view code, bool beginsStatement);

} // namespace tilescope::compiler::ast
