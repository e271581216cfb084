// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/support/TextOffset.h"

#include <algorithm>

namespace tilescope {

size_t offsetOf(std::string_view text, Position position) {
  size_t begin = 0;
  for (uint32_t line = 0; line < position.line; ++line) {
    const size_t end = text.find('\n', begin);
    if (end == std::string_view::npos)
      return text.size();
    begin = end + 1;
  }
  const size_t end = std::min(text.find('\n', begin), text.size());
  return std::min(begin + position.column, end);
}

} // namespace tilescope
