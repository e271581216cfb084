// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace tilescope::views {

/// One word that the program uses, or something else that has a name, and what it means.
struct GlossaryEntry {
  /// The heading above it, such as `Hardware` or `Language`.
  QString section;
  QString term;
  /// Markdown; its first paragraph can stand alone.
  QString text;
};

/// The entries of a text with `# section` and `### term` headings.
std::vector<GlossaryEntry> parseGlossary(const QString &markdown);

/// The glossary that comes with the program.
std::vector<GlossaryEntry> glossary();

/// `TTIR: what the kernel computes, …`: the first paragraph of an entry, for a tool tip. Nothing
/// for a term that has no entry.
QString glossaryHint(const std::vector<GlossaryEntry> &entries, const QString &term);

/// All that can be looked up, and how.
struct HelpSource {
  /// Those of the glossary first.
  std::vector<GlossaryEntry> entries;
  size_t numGlossary = 0;
  enum class Fit {
    /// It is what is looked for.
    Exact,
    /// Its term has what is looked for.
    Term,
    /// It mentions it.
    Text,
  };
  struct Found {
    size_t entry = 0;
    Fit fit = Fit::Text;
  };
  /// What fits a search, the best first.
  std::function<std::vector<Found>(const QString &search)> search;
};

/// The entry that is what is looked for; nothing: there is none.
std::optional<size_t> pageOf(const HelpSource &source, const QString &topic);

/// Links in pages lead to an entry (`help:tl.load`), a search, or a section that has many entries.
inline constexpr const char *kHelpScheme = "help";
inline constexpr const char *kHelpSearchScheme = "help-search";
inline constexpr const char *kHelpSectionScheme = "help-section";

/// Markdown of what a search finds: the best in full, of more the terms, as links. An empty search
/// finds the glossary, in its sections, and links to all other sections.
QString helpPage(const HelpSource &source, const QString &search);

/// Markdown of all terms of a section, as links.
QString helpSectionPage(const HelpSource &source, const QString &section);

/// Markdown for what no page covers: says so, and leads to the pages that mention it and to all
/// sections.
QString unknownTopicPage(const HelpSource &source, const QString &topic);

} // namespace tilescope::views
