// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/help/OperationPages.h"

#include <algorithm>
#include <cctype>

namespace tilescope::app {

/// What stands between `begin` and `end`, from `at` on; empty where there is none.
static std::string_view between(std::string_view text, std::string_view begin, std::string_view end,
                                size_t at = 0) {
  const size_t from = text.find(begin, at);
  if (from == std::string_view::npos)
    return {};
  const size_t to = text.find(end, from + begin.size());
  return to == std::string_view::npos ? std::string_view()
                                      : text.substr(from + begin.size(), to - from - begin.size());
}

/// `load from memory` as a sentence.
static std::string sentence(std::string_view words) {
  std::string text(words);
  if (!text.empty())
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text + ".";
}

/// Without the indentation of the definition, which Markdown takes for code.
static std::string withoutIndentation(std::string_view text) {
  std::string lines;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    lines.append(line).append("\n");
    begin = end + 1;
  }
  const size_t first = lines.find_first_not_of('\n');
  if (first == std::string::npos)
    return {};
  return lines.substr(first, lines.find_last_not_of('\n') + 2 - first);
}

/// The text in `let description = "…"` or `[{…}]`.
static std::string descriptionOf(std::string_view definition) {
  constexpr std::string_view kField = "let description = ";
  const size_t at = definition.find(kField);
  if (at == std::string_view::npos)
    return {};
  const std::string_view value = definition.substr(at + kField.size());
  return withoutIndentation(value.starts_with("[{") ? between(value, "[{", "}]")
                                                    : between(value, "\"", "\""));
}

std::vector<HelpPage> pagesOfOperations(std::string_view definitions) {
  constexpr std::string_view kDefinition = "\ndef ";
  std::vector<HelpPage> pages;
  for (size_t at = definitions.find(kDefinition); at != std::string_view::npos;) {
    const size_t next = definitions.find(kDefinition, at + 1);
    const std::string_view definition =
        definitions.substr(at + kDefinition.size(), next - at - kDefinition.size());
    at = next;
    const std::string_view symbol = definition.substr(0, definition.find(' '));
    // `TTG_ConvertLayoutOp` belongs to `ttg`.
    std::string dialect(symbol.substr(0, symbol.find('_')));
    std::ranges::transform(dialect, dialect.begin(),
                           [](unsigned char c) { return std::tolower(c); });
    const std::string_view name = between(definition, "<\"", "\"");
    const std::string_view summary = between(definition, "let summary = \"", "\"");
    if (!symbol.ends_with("Op") || name.empty() || summary.empty())
      continue;
    pages.push_back({"Operations of the IR", dialect + "." + std::string(name),
                     sentence(summary) + "\n\n" + descriptionOf(definition)});
  }
  return pages;
}

} // namespace tilescope::app
