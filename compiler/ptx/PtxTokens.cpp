// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/ptx/PtxTokens.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>

namespace tilescope::compiler {

static bool isWordChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' ||
         c == '.';
}

std::vector<PtxToken> ptxTokens(std::string_view text) {
  std::vector<PtxToken> tokens;
  int32_t line = 1;
  for (size_t i = 0; i < text.size();) {
    char c = text[i];
    if (c == '\n') {
      ++line, ++i;
    } else if (std::isspace(static_cast<unsigned char>(c))) {
      ++i;
    } else if (text.substr(i, 2) == "//") {
      while (i < text.size() && text[i] != '\n')
        ++i;
    } else if (text.substr(i, 2) == "/*") {
      size_t end = text.find("*/", i);
      end = end == std::string_view::npos ? text.size() : end + 2;
      line += static_cast<int32_t>(std::count(text.begin() + i, text.begin() + end, '\n'));
      i = end;
    } else if (c == '"') {
      size_t end = text.find('"', i + 1);
      end = end == std::string_view::npos ? text.size() : end + 1;
      tokens.push_back({text.substr(i, end - i), line});
      i = end;
    } else if (isWordChar(c)) {
      size_t end = i + 1;
      while (end < text.size() && isWordChar(text[end]))
        ++end;
      tokens.push_back({text.substr(i, end - i), line});
      i = end;
    } else {
      tokens.push_back({text.substr(i, 1), line});
      ++i;
    }
  }
  return tokens;
}

int64_t ptxNumber(std::string_view token, int64_t least, int64_t most) {
  const std::string text(token);
  return std::clamp<int64_t>(std::strtoll(text.c_str(), nullptr, 0), least, most);
}

} // namespace tilescope::compiler
