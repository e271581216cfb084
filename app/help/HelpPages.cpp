// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/help/HelpPages.h"

#include "app/help/HelpTexts.h"
#include "app/help/OperationPages.h"
#include "compiler/artifacts/DiagnosticKind.h"
#include "compiler/support/Text.h"
#include "compiler/syntax/LanguageReference.h"
#include "profiler/data/Metric.h"
#include "profiler/data/Text.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <map>
#include <optional>

namespace tilescope::app {

using Pages = std::vector<HelpPage>;

Pages pagesOfText(std::string_view markdown) {
  constexpr std::string_view kSection = "# ", kTopic = "### ";
  Pages pages;
  std::string section;
  for (const std::string_view line : splitLines(markdown)) {
    if (line.starts_with(kSection))
      section = line.substr(kSection.size());
    else if (line.starts_with(kTopic))
      pages.push_back({section, std::string(line.substr(kTopic.size())), {}});
    else if (!pages.empty() && !line.starts_with("<!--"))
      pages.back().text.append(line).append("\n");
  }
  for (HelpPage &page : pages)
    page.text = std::string(trimmed(page.text)) + "\n";
  return pages;
}

Pages pagesOfWords(std::string_view markdown) {
  constexpr std::string_view kComma = ", ";
  Pages pages;
  for (const HelpPage &page : pagesOfText(markdown)) {
    const size_t end = page.topic.ends_with(')') ? page.topic.rfind(" (") : page.topic.size();
    const std::string_view words = std::string_view(page.topic).substr(0, end);
    const std::string language = page.topic.substr(end);
    for (size_t begin = 0; begin < words.size();) {
      const size_t comma = std::min(words.find(kComma, begin), words.size());
      pages.push_back(
          {page.section, std::string(words.substr(begin, comma - begin)) + language, page.text});
      begin = comma + kComma.size();
    }
  }
  return pages;
}

/// The cells of a table's row; a `|` in code is escaped with a backslash.
static std::vector<std::string> cellsOf(std::string_view row) {
  std::vector<std::string> cells;
  std::string cell;
  for (size_t i = 1; i < row.size(); ++i) {
    if (row[i] == '\\' && i + 1 < row.size() && row[i + 1] == '|') {
      cell += '|';
      ++i;
    } else if (row[i] == '|') {
      cells.emplace_back(trimmed(cell));
      cell.clear();
    } else {
      cell += row[i];
    }
  }
  return cells;
}

Pages pagesOfTable(std::string_view markdown, const std::string &section) {
  Pages pages;
  std::vector<std::string> heads;
  for (const std::string_view line : splitLines(markdown)) {
    if (!line.starts_with('|')) {
      if (!heads.empty())
        break;
      continue;
    }
    const std::vector<std::string> cells = cellsOf(line);
    if (heads.empty())
      heads = cells;
    if (cells.size() < 2 || cells.front().size() < 3 || !cells.front().starts_with('`'))
      continue;
    // The first column says what it is; the others have names.
    HelpPage page{section, cells.front().substr(1, cells.front().size() - 2), cells[1] + ".\n"};
    for (size_t i = 2; i < std::min(cells.size(), heads.size()); ++i)
      if (!cells[i].empty())
        page.text += fmt::format("\n**{}**: {}.\n", heads[i], cells[i]);
    pages.push_back(std::move(page));
  }
  return pages;
}

/// `triton.language.math.exp` as a user writes it: `tl.math.exp`.
static std::string writtenPath(const std::string &path) {
  constexpr std::string_view kLanguage = "triton.language";
  return path.starts_with(kLanguage) ? "tl" + path.substr(kLanguage.size()) : path;
}

static Pages languagePages() {
  const Pages examples = pagesOfText(kFunctionExamples);
  Pages pages;
  for (const compiler::ast::ReferenceEntry &entry : compiler::ast::languageReference()) {
    HelpPage page{"Language", writtenPath(entry.path),
                  entry.doc + "\n\n```python\n" + entry.signature + "\n```\n"};
    const auto example = std::ranges::find(examples, page.topic, &HelpPage::topic);
    if (example != examples.end())
      page.text += "\nFor example:\n\n" + example->text;
    pages.push_back(std::move(page));
  }
  return pages;
}

static Pages metricPages() {
  Pages pages;
  for (const profiler::Metric &metric : profiler::metricTable()) {
    const std::string id(metric.id);
    const auto known = std::ranges::find(pages, id, &HelpPage::topic);
    const std::string counter = fmt::format("- `{}`\n", metric.name);
    if (known != pages.end()) {
      if (known->text.find(counter) == std::string::npos)
        known->text += counter;
      continue;
    }
    pages.push_back(
        {"Counters", id,
         fmt::format("{}. {}\n\nIn *{}* of a profile. Counted by:\n\n{}", metric.label,
                     metric.description, profiler::sectionTitle(metric.section), counter)});
  }
  return pages;
}

/// A file of a test without its license: the kernel, and below a line what is said of it.
static std::string exampleOf(std::string_view text) {
  std::string example;
  bool isHead = true;
  for (const std::string_view line : splitLines(text)) {
    isHead = isHead && (line.starts_with("# SPDX") || line.starts_with("// SPDX") ||
                        trimmed(line) == "#" || trimmed(line) == "//" || trimmed(line).empty());
    // What a test sets, which no kernel has; and what it expects, as comments.
    if (isHead || line.starts_with("#| set "))
      continue;
    if (line.starts_with("#|"))
      example.append("# ").append(line.substr(2));
    else
      example.append(line);
    example.append("\n");
  }
  return example;
}

std::string explanationOf(std::string_view diagnosticId) {
  const Pages all = pagesOfText(kExplanations);
  const auto found = std::ranges::find(all, diagnosticId, &HelpPage::topic);
  return found == all.end() ? std::string() : found->text;
}

static Pages diagnosticPages() {
  std::map<std::string_view, std::string_view> examples;
  for (const auto &[name, text] : diagnosticExamples())
    examples.emplace(name.substr(0, name.rfind('.')), text);
  Pages pages;
  for (int kind = 0; kind < compiler::kNumDiagnosticKinds; ++kind) {
    const std::string id(compiler::diagnosticId(static_cast<compiler::DiagnosticKind>(kind)));
    HelpPage page{"Problems", id, explanationOf(id)};
    // Some cannot be shown by a kernel alone.
    if (const auto found = examples.find(id); found != examples.end())
      page.text +=
          "\nFor example here; a comment with `^` marks the place in the line above it, and "
          "says a part of the message:\n\n```python\n" +
          exampleOf(found->second) + "```\n";
    pages.push_back(std::move(page));
  }
  return pages;
}

static Pages operationPages() {
  Pages pages;
  for (const auto &[name, text] : operationDefinitions())
    std::ranges::move(pagesOfOperations(text), std::back_inserter(pages));
  return pages;
}

static Pages layoutPages() {
  Pages pages;
  for (const auto &[name, text] : layoutDefinitions())
    std::ranges::move(pagesOfLayouts(text), std::back_inserter(pages));
  return pages;
}

Pages helpPages() {
  Pages pages = pagesOfText(kGlossaryText);
  for (Pages part : {languagePages(), pagesOfTable(kHintGuide, "Hints"), diagnosticPages(),
                     operationPages(), layoutPages(), pagesOfWords(kInstructions), metricPages()})
    std::ranges::move(part, std::back_inserter(pages));
  return pages;
}

static std::string lowered(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

static bool hasEachWord(std::string_view topic, std::string_view text, std::string_view words) {
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    if (topic.find(word) == std::string_view::npos && text.find(word) == std::string_view::npos)
      return false;
    words = trimmed(words.substr(word.size()));
  }
  return true;
}

/// How a topic and a text, in lower case, fit a search.
static std::optional<HelpFit> fitOf(const std::string &topic, std::string_view text,
                                    const std::string &wanted) {
  if (topic == wanted || topic == "tl." + wanted)
    return HelpFit::Topic;
  if (topic.ends_with("." + wanted) || topic == wanted + " view")
    return HelpFit::Member;
  if (topic.starts_with(wanted))
    return HelpFit::BeginsTopic;
  if (topic.find(wanted) != std::string::npos)
    return HelpFit::InTopic;
  return hasEachWord(topic, text, wanted) ? std::optional(HelpFit::InText) : std::nullopt;
}

HelpIndex::HelpIndex(std::vector<HelpPage> pages) : m_pages(std::move(pages)) {
  for (const HelpPage &page : m_pages)
    m_lowered.emplace_back(lowered(page.topic), lowered(page.text));
}

std::vector<std::pair<HelpFit, size_t>> HelpIndex::search(std::string_view words) const {
  std::vector<std::pair<HelpFit, size_t>> found;
  const std::string wanted = lowered(trimmed(words));
  for (size_t i = 0; i < m_lowered.size() && !wanted.empty(); ++i)
    if (const auto fit = fitOf(m_lowered[i].first, m_lowered[i].second, wanted))
      found.emplace_back(*fit, i);
  // Pages that fit alike stay in their order.
  std::ranges::sort(found);
  return found;
}

std::vector<std::pair<HelpFit, const HelpPage *>> searchHelp(std::span<const HelpPage> pages,
                                                             std::string_view words) {
  std::vector<std::pair<HelpFit, const HelpPage *>> found;
  for (const auto &[fit, position] : HelpIndex({pages.begin(), pages.end()}).search(words))
    found.emplace_back(fit, &pages[position]);
  return found;
}

std::vector<const HelpPage *> findHelp(std::span<const HelpPage> pages, std::string_view word) {
  const auto asWhole = [](HelpFit fit) {
    return fit == HelpFit::BeginsTopic ? HelpFit::InTopic : fit;
  };
  std::vector<const HelpPage *> best;
  const auto found = searchHelp(pages, word);
  for (const auto &[fit, page] : found)
    if (asWhole(fit) == asWhole(found.front().first))
      best.push_back(page);
  return best;
}

} // namespace tilescope::app
