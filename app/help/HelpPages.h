// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What can be looked up, as one list of pages. Only the glossary and the examples of functions are written
// for it: all else is made of the tables and texts that completion, profiles, hints and tests of diagnostics
// use.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilescope::app {

struct HelpPage {
  /// `Language`, `Hints`, `Problems`, `Operations of the IR`, `Layouts`, `Instructions`, `Counters`, or
  /// a section of the glossary.
  std::string section;
  /// As a user meets it: `tl.load`, `runtime-divisor`, `tt.load`, `#ttg.blocked`, `dram_read`, `TTGIR`. A
  /// word that means something else elsewhere has its language behind it: `max (PTX)`.
  std::string topic;
  /// Markdown; its first paragraph can stand alone.
  std::string text;
};

/// All pages, by section. A topic has one page in a section.
std::vector<HelpPage> helpPages();

/// Why a kind of problem is one, for somebody who knows NumPy: Markdown. Every kind has an
/// explanation.
std::string explanationOf(std::string_view diagnosticId);

/// How a page fits a search, the best first.
enum class HelpFit {
  /// Its topic is what is looked for: `load` finds `tl.load`, `layout` the Layout view.
  Topic,
  /// It ends with it behind a dot: `tt.load`.
  Member,
  BeginsTopic,
  InTopic,
  /// Each word is in its topic or its text.
  InText,
};

/// All pages that fit a search of one or several words, the best first.
std::vector<std::pair<HelpFit, const HelpPage *>> searchHelp(std::span<const HelpPage> pages,
                                                             std::string_view words);

/// Pages that are searched again and again, such as at every key of a field.
class HelpIndex {
public:
  explicit HelpIndex(std::vector<HelpPage> pages);

  const std::vector<HelpPage> &pages() const { return m_pages; }
  /// As `searchHelp` does; the first number is the position of the page.
  std::vector<std::pair<HelpFit, size_t>> search(std::string_view words) const;

private:
  std::vector<HelpPage> m_pages;
  /// Topic and text of each page in lower case.
  std::vector<std::pair<std::string, std::string>> m_lowered;
};

/// The pages for a word: of that topic, else those whose topic contains it, else those whose text
/// does.
std::vector<const HelpPage *> findHelp(std::span<const HelpPage> pages, std::string_view word);

/// Entries of a text with `# section` and `### topic` headings, as the glossary is.
std::vector<HelpPage> pagesOfText(std::string_view markdown);
/// The same where a heading lists several words, `### add, sub (PTX)`, each of which has a page with the
/// text: `add (PTX)`.
std::vector<HelpPage> pagesOfWords(std::string_view markdown);
/// The rows of the first table of a text whose first column is a topic in backticks; the other columns
/// become paragraphs, named after the table's heads.
std::vector<HelpPage> pagesOfTable(std::string_view markdown, const std::string &section);

} // namespace tilescope::app
