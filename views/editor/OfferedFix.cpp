// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/OfferedFix.h"

#include "compiler/artifacts/AppliedFix.h"

#include <algorithm>

namespace tilescope::views {

std::vector<std::string> fixTitles(const std::vector<OfferedFix> &fixes) {
  std::vector<std::string> titles;
  for (const OfferedFix &fix : fixes) {
    titles.push_back(fix.edit.title);
    const auto isNamesake = [&](const OfferedFix &other) {
      return other.edit.title == fix.edit.title;
    };
    if (std::ranges::count_if(fixes, isNamesake) > 1)
      titles.back() += " (line " + std::to_string(fix.edit.range.begin.line + 1) + ", column " +
                       std::to_string(fix.edit.range.begin.column + 1) + ")";
  }
  return titles;
}

UnifiedDiff fixPreview(std::string_view text, const compiler::DiagnosticFix &fix) {
  constexpr int kContext = 1;
  return unifiedDiff(text, compiler::fixedText(text, fix), kContext);
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
