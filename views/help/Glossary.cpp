// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/help/Glossary.h"

#include <QCoreApplication>
#include <QFile>
#include <QStringList>
#include <QUrl>

#include <algorithm>
#include <cstdint>

namespace tilescope::views {

std::vector<GlossaryEntry> parseGlossary(const QString &markdown) {
  std::vector<GlossaryEntry> entries;
  QString section;
  for (const QString &line : markdown.split(u'\n')) {
    if (line.startsWith(QStringLiteral("### ")))
      entries.push_back({section, line.mid(4).trimmed(), {}});
    else if (line.startsWith(QStringLiteral("# ")))
      section = line.mid(2).trimmed();
    else if (!entries.empty() && entries.back().section == section)
      entries.back().text += line + u'\n';
  }
  for (GlossaryEntry &entry : entries)
    entry.text = entry.text.trimmed();
  return entries;
}

std::vector<GlossaryEntry> glossary() {
  QFile file(QStringLiteral(":/help/glossary.md"));
  const bool isOpen = file.open(QIODevice::ReadOnly);
  Q_ASSERT(isOpen);
  return isOpen ? parseGlossary(QString::fromUtf8(file.readAll())) : std::vector<GlossaryEntry>();
}

QString glossaryHint(const std::vector<GlossaryEntry> &entries, const QString &term) {
  const auto found = std::ranges::find(entries, term, &GlossaryEntry::term);
  if (found == entries.end())
    return {};
  QString text = found->text.section(QStringLiteral("\n\n"), 0, 0);
  // `TTIR` stays as it is.
  if (text.size() > 1 && text[1].isLower())
    text[0] = text[0].toLower();
  return QStringLiteral("%1: %2").arg(term, text);
}

using Entries = std::vector<const GlossaryEntry *>;

static QString inFull(const GlossaryEntry &entry) {
  return QStringLiteral("### %1\n\n%2\n\n").arg(entry.term, entry.text);
}

static QString link(const QString &words, const char *scheme, const QString &target) {
  return QStringLiteral("[%1](%2:%3)")
      .arg(words, QLatin1String(scheme), QString::fromLatin1(QUrl::toPercentEncoding(target)));
}

static QString asLinks(const Entries &entries, size_t most = SIZE_MAX) {
  QStringList links;
  for (size_t i = 0; i < std::min(entries.size(), most); ++i)
    links << link(entries[i]->term, kHelpScheme, entries[i]->term);
  if (entries.size() > most)
    links << QCoreApplication::translate("Glossary", "and %n more", nullptr,
                                         static_cast<int>(entries.size() - most));
  return links.join(QStringLiteral(" · ")) + QStringLiteral("\n\n");
}

/// Links to the sections from an entry on.
static QString sectionLinks(const HelpSource &source, size_t first) {
  QStringList sections, links;
  for (size_t i = first; i < source.entries.size(); ++i)
    if (const QString &name = source.entries[i].section; !sections.contains(name)) {
      sections << name;
      links << link(name, kHelpSectionScheme, name);
    }
  return links.join(QStringLiteral("\n\n"));
}

static QString everything(const HelpSource &source) {
  QString page, section;
  for (size_t i = 0; i < source.numGlossary; ++i) {
    const GlossaryEntry &entry = source.entries[i];
    if (entry.section != section)
      page += QStringLiteral("## %1\n\n").arg(section = entry.section);
    page += inFull(entry);
  }
  return page +
         QStringLiteral("## %1\n\n").arg(QCoreApplication::translate("Glossary", "More pages")) +
         sectionLinks(source, source.numGlossary);
}

std::optional<size_t> pageOf(const HelpSource &source, const QString &topic) {
  const std::vector<HelpSource::Found> found = source.search(topic);
  if (found.empty() || found.front().fit != HelpSource::Fit::Exact)
    return std::nullopt;
  return found.front().entry;
}

QString helpSectionPage(const HelpSource &source, const QString &section) {
  Entries entries;
  for (const GlossaryEntry &entry : source.entries)
    if (entry.section == section)
      entries.push_back(&entry);
  return QStringLiteral("## %1\n\n").arg(section) + asLinks(entries);
}

QString unknownTopicPage(const HelpSource &source, const QString &topic) {
  QString page = QCoreApplication::translate("Glossary", "No page covers `%1`.").arg(topic) + u' ';
  const auto numFound = static_cast<int>(source.search(topic).size());
  page += numFound == 0
              ? QCoreApplication::translate("Glossary", "Type other words to search all pages.")
              : link(QCoreApplication::translate("Glossary", "Show the %n pages that mention it",
                                                 nullptr, numFound),
                     kHelpSearchScheme, topic);
  return page +
         QStringLiteral("\n\n## %1\n\n").arg(QCoreApplication::translate("Glossary", "All pages")) +
         sectionLinks(source, 0);
}

/// Whether words mention it, and not only the code of an example.
static bool isMentionedInProse(const GlossaryEntry &entry, const QString &search) {
  const QStringList parts = entry.text.split(QStringLiteral("```"));
  for (qsizetype i = 0; i < parts.size(); i += 2)
    if (parts[i].contains(search.trimmed(), Qt::CaseInsensitive))
      return true;
  return false;
}

QString helpPage(const HelpSource &source, const QString &search) {
  /// As many can be read.
  constexpr qsizetype kMostInFull = 12;
  constexpr size_t kMostTerms = 60, kMostMentions = 30;
  if (search.trimmed().isEmpty())
    return everything(source);
  const std::vector<HelpSource::Found> found = source.search(search);
  if (found.empty())
    return QCoreApplication::translate("Glossary", "No entry contains these words.");
  const auto numTerms = std::ranges::count_if(
      found, [](const auto &each) { return each.fit != HelpSource::Fit::Text; });
  const bool hasOwnPage = found.front().fit == HelpSource::Fit::Exact;
  QString page;
  qsizetype numInFull = 0;
  Entries terms, others;
  for (const HelpSource::Found &each : found) {
    const GlossaryEntry &entry = source.entries[each.entry];
    const bool isExact = each.fit == HelpSource::Fit::Exact;
    // A mention is read in full where it explains a word.
    const bool isRead = each.fit == HelpSource::Fit::Text
                            ? each.entry < source.numGlossary || numTerms == 0
                            : numTerms <= kMostInFull;
    if (isExact || (isRead && numInFull < kMostInFull)) {
      page += inFull(entry);
      ++numInFull;
    } else if (!hasOwnPage || each.fit != HelpSource::Fit::Text ||
               isMentionedInProse(entry, search)) {
      (each.fit == HelpSource::Fit::Text ? others : terms).push_back(&entry);
    }
  }
  if (!terms.empty())
    page += asLinks(terms, kMostTerms);
  if (!others.empty())
    page +=
        QCoreApplication::translate("Glossary", "Mentioned by: ") + asLinks(others, kMostMentions);
  return page;
}

} // namespace tilescope::views
