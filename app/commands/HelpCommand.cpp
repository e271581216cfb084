// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/HelpCommand.h"

#include "app/commands/DiagnosticText.h"
#include "app/help/HelpPages.h"
#include "profiler/data/Text.h"

#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tilescope::app {

/// As many are printed in full; of more, the topics.
static constexpr size_t kMostPages = 3;

static std::string pagesText(const std::vector<const HelpPage *> &pages) {
  std::string text;
  for (const HelpPage *page : pages)
    text += pages.size() > kMostPages ? fmt::format("{}: {}\n", page->section, page->topic)
                                      : fmt::format("{}{} ({})\n\n{}", text.empty() ? "" : "\n",
                                                    page->topic, page->section, page->text);
  return text;
}

int runHelp(const HelpOptions &options) {
  const std::vector<HelpPage> pages = helpPages();
  if (options.word.empty() && !options.isAll)
    return reportError({ErrorCode::Usage, "the word to look up is missing",
                        "`tilescope help tl.load`, or `--all` for all pages"},
                       options.json);
  std::vector<const HelpPage *> found;
  if (options.isAll)
    for (const HelpPage &page : pages)
      found.push_back(&page);
  else
    found = findHelp(pages, options.word);
  if (found.empty())
    return reportError(
        {ErrorCode::InvalidInput, "no help page covers `" + options.word + "`",
         "ask for a function such as tl.load, the kind of a hint or of a problem, or "
         "a term such as TTGIR"},
        options.json);
  if (!options.json) {
    std::fputs(profiler::printable(pagesText(found)).c_str(), stdout);
    return 0;
  }
  nlohmann::json list = nlohmann::json::array();
  for (const HelpPage *page : found)
    list.push_back({{"section", page->section}, {"topic", page->topic}, {"text", page->text}});
  printJson({{"ok", true}, {"pages", list}});
  return 0;
}

} // namespace tilescope::app
