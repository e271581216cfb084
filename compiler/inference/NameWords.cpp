// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/NameWords.h"

#include <algorithm>

namespace tilescope::compiler::inference {

bool hasWord(std::string_view name, std::string_view word) {
  for (size_t at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1)) {
    size_t end = at + word.size();
    bool startsWord = at == 0 || name[at - 1] == '_';
    bool endsWord = end == name.size() || name[end] == '_';
    if (startsWord && endsWord)
      return true;
  }
  return false;
}

bool hasAnyWord(std::string_view name, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return hasWord(name, word); });
}

std::string lowered(std::string_view name) {
  std::string result(name);
  for (char &c : result)
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return result;
}

bool soundsLikeSwitch(std::string_view name) {
  return hasAnyWord(lowered(name),
                    {"is", "has", "use", "do", "mask", "flag", "valid", "pred", "predicate", "cond",
                     "condition", "enable", "enabled", "active", "causal"});
}

bool isNamedPointer(std::string_view name) {
  const std::string small = lowered(name);
  return small.ends_with("ptr") || small.ends_with("pointer");
}

} // namespace tilescope::compiler::inference
