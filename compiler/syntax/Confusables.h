// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tilescope::compiler {

/// A character that looks like one of Python's own: word processors and web pages put it there.
struct Confusable {
  char32_t character;
  std::string_view name;
  /// What to write instead.
  std::string_view replacement;
};

/// Null when the character is none.
const Confusable *findConfusable(char32_t character);

/// The word of `words` that `word` becomes by one slip of the fingers: a letter too many, too few
/// or wrong, or two that changed places. Empty when there is none.
std::string_view mistypedWord(std::string_view word, std::span<const std::string_view> words);

} // namespace tilescope::compiler
