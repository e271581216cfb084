// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QString>

#include <vector>

namespace tilescope::views {

/// One word that the program uses, and what it means.
struct GlossaryEntry {
  /// The heading above it, such as `Hardware`.
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

/// Markdown of the entries that contain every word of a search, those whose term begins with it
/// first. An empty search finds all, in their sections.
QString glossaryPage(const std::vector<GlossaryEntry> &entries, const QString &search);

} // namespace tilescope::views
