// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/OfferedFix.h"

#include <algorithm>

namespace tilescope::views {

/// Places behind the end of a line, or of the text, are the end.
static size_t offsetOf(std::string_view text, Position position) {
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

std::string fixedText(std::string_view text, const compiler::DiagnosticFix &fix) {
  const size_t begin = offsetOf(text, fix.range.begin);
  const size_t end = std::max(begin, offsetOf(text, fix.range.end));
  return std::string(text.substr(0, begin)) + fix.replacement + std::string(text.substr(end));
}

UnifiedDiff fixPreview(std::string_view text, const compiler::DiagnosticFix &fix) {
  constexpr int kContext = 1;
  return unifiedDiff(text, fixedText(text, fix), kContext);
}

std::vector<std::string> outcomeFacts(std::string_view outcome) {
  std::vector<std::string> facts;
  while (!outcome.empty()) {
    const size_t end = std::min(outcome.find_first_of(",;"), outcome.size());
    std::string_view fact = outcome.substr(0, end);
    fact.remove_prefix(std::min(fact.find_first_not_of(' '), fact.size()));
    if (!fact.empty())
      facts.emplace_back(fact);
    outcome.remove_prefix(std::min(end + 1, outcome.size()));
  }
  return facts;
}

} // namespace tilescope::views
