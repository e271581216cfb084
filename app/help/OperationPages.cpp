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

namespace {
/// `def TTG_BlockedEncoding : TTG_Encoding<"Blocked", "blocked"> { … }`, taken apart.
struct Definition {
  std::string_view symbol;
  /// `ttg`.
  std::string dialect;
  /// What stands in quotes in the first line.
  std::string_view first, second;
  std::string_view summary;
  std::string description;
};
} // namespace

static Definition definitionIn(std::string_view text) {
  Definition found;
  found.symbol = text.substr(0, text.find(' '));
  found.dialect = found.symbol.substr(0, found.symbol.find('_'));
  std::ranges::transform(found.dialect, found.dialect.begin(),
                         [](unsigned char c) { return std::tolower(c); });
  found.first = between(text, "<\"", "\"");
  found.second = between(text.substr(0, text.find('\n')), "\", \"", "\"");
  found.summary = between(text, "let summary = \"", "\"");
  found.description = descriptionOf(text);
  return found;
}

/// All that have a name and a summary.
static std::vector<Definition> definitionsIn(std::string_view definitions) {
  constexpr std::string_view kDefinition = "\ndef ";
  std::vector<Definition> all;
  for (size_t at = definitions.find(kDefinition); at != std::string_view::npos;) {
    const size_t next = definitions.find(kDefinition, at + 1);
    Definition each =
        definitionIn(definitions.substr(at + kDefinition.size(), next - at - kDefinition.size()));
    at = next;
    if (!each.first.empty() && !each.summary.empty())
      all.push_back(std::move(each));
  }
  return all;
}

static std::string textOf(const Definition &definition) {
  return sentence(definition.summary) + "\n\n" + definition.description;
}

std::vector<HelpPage> pagesOfOperations(std::string_view definitions) {
  std::vector<HelpPage> pages;
  for (const Definition &each : definitionsIn(definitions))
    if (each.symbol.ends_with("Op"))
      pages.push_back(
          {"Operations of the IR", each.dialect + "." + std::string(each.first), textOf(each)});
  return pages;
}

std::vector<HelpPage> pagesOfLayouts(std::string_view definitions) {
  std::vector<HelpPage> pages;
  for (const Definition &each : definitionsIn(definitions))
    if (!each.second.empty())
      pages.push_back(
          {"Layouts", "#" + each.dialect + "." + std::string(each.second), textOf(each)});
  return pages;
}

} // namespace tilescope::app
