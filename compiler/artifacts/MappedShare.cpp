// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/MappedShare.h"

#include "compiler/support/Text.h"

#include <algorithm>

namespace tilescope::compiler {

double mappedShare(std::string_view text, const std::function<bool(size_t line)> &isMapped) {
  size_t content = 0, mapped = 0;
  const std::vector<std::string_view> lines = splitLines(text);
  for (size_t line = 0; line < lines.size(); ++line)
    if (lines[line].find_first_not_of(" \t{}") != std::string_view::npos) {
      ++content;
      mapped += isMapped(line) ? 1 : 0;
    }
  return content == 0 ? 0 : static_cast<double>(mapped) / static_cast<double>(content);
}

} // namespace tilescope::compiler
