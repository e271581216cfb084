// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/MappedShare.h"

#include <algorithm>

namespace tilescope::compiler {

double mappedShare(std::string_view text, const std::function<bool(size_t line)> &isMapped) {
  size_t content = 0, mapped = 0;
  for (size_t line = 0; !text.empty(); ++line) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (text.substr(0, end).find_first_not_of(" \t{}") != std::string_view::npos) {
      ++content;
      mapped += isMapped(line) ? 1 : 0;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return content == 0 ? 0 : static_cast<double>(mapped) / static_cast<double>(content);
}

} // namespace tilescope::compiler
