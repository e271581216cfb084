// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The loop of C and its like, and the one that is meant:
//
//     for (int i = 0; i < n; i++) {         for i in range(n):
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tilescope::compiler::ast {

struct ForeignLoop {
  /// Of its head, in brackets.
  size_t length = 0;
  /// `i in range(n)`
  std::string meant;
  /// What a fix replaces, and by what; 0: where the loop ends is not told.
  size_t numReplaced = 0;
  std::string replacement;
};

/// `line`: what follows the word `for` in its line. Nothing for Python's loops.
std::optional<ForeignLoop> foreignLoop(std::string_view line);

} // namespace tilescope::compiler::ast
