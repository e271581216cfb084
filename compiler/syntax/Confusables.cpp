// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/Confusables.h"

#include <algorithm>

namespace tilescope::compiler {

static constexpr Confusable kConfusables[] = {
    {0x00A0, "no-break space", " "},
    {0x00AD, "soft hyphen", ""},
    {0x00D7, "multiplication sign", "*"},
    {0x00F7, "division sign", "/"},
    {0x2002, "en space", " "},
    {0x2003, "em space", " "},
    {0x2007, "figure space", " "},
    {0x2009, "thin space", " "},
    {0x200B, "zero-width space", ""},
    {0x200C, "zero-width non-joiner", ""},
    {0x200D, "zero-width joiner", ""},
    {0x2010, "hyphen", "-"},
    {0x2011, "non-breaking hyphen", "-"},
    {0x2013, "en dash", "-"},
    {0x2014, "em dash", "-"},
    {0x2018, "left single quotation mark", "'"},
    {0x2019, "right single quotation mark", "'"},
    {0x201C, "left double quotation mark", "\""},
    {0x201D, "right double quotation mark", "\""},
    {0x2026, "ellipsis", "..."},
    {0x202F, "narrow no-break space", " "},
    {0x2060, "word joiner", ""},
    {0x2212, "minus sign", "-"},
    {0x2217, "asterisk operator", "*"},
    {0x2260, "not-equal sign", "!="},
    {0x2264, "less-than or equal sign", "<="},
    {0x2265, "greater-than or equal sign", ">="},
    {0x3000, "ideographic space", " "},
    {0xFEFF, "byte order mark", ""},
    {0xFF08, "fullwidth left parenthesis", "("},
    {0xFF09, "fullwidth right parenthesis", ")"},
    {0xFF0C, "fullwidth comma", ","},
    {0xFF1A, "fullwidth colon", ":"},
    {0xFF1D, "fullwidth equals sign", "="},
};

const Confusable *findConfusable(char32_t character) {
  const auto *found = std::ranges::find(kConfusables, character, &Confusable::character);
  return found == std::end(kConfusables) ? nullptr : found;
}

static bool isOneSlipApart(std::string_view a, std::string_view b) {
  if (a.size() > b.size())
    std::swap(a, b);
  if (b.size() - a.size() > 1 || a == b)
    return false;
  const size_t first = static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  if (a.size() < b.size())
    return a.substr(first) == b.substr(first + 1);
  if (a.substr(first + 1) == b.substr(first + 1))
    return true;
  return a.size() - first >= 2 && a[first] == b[first + 1] && a[first + 1] == b[first] &&
         a.substr(first + 2) == b.substr(first + 2);
}

std::string_view mistypedWord(std::string_view word, std::span<const std::string_view> words) {
  const auto found = std::ranges::find_if(
      words, [&](std::string_view known) { return isOneSlipApart(word, known); });
  return found == words.end() ? std::string_view() : *found;
}

} // namespace tilescope::compiler
