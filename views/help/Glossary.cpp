// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/help/Glossary.h"

#include <QCoreApplication>
#include <QFile>

#include <algorithm>

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

static bool contains(const GlossaryEntry &entry, const QStringList &words) {
  return std::ranges::all_of(words, [&](const QString &word) {
    return entry.term.contains(word, Qt::CaseInsensitive) ||
           entry.text.contains(word, Qt::CaseInsensitive);
  });
}

QString glossaryPage(const std::vector<GlossaryEntry> &entries, const QString &search) {
  const QStringList words = search.split(u' ', Qt::SkipEmptyParts);
  std::vector<const GlossaryEntry *> found;
  for (const GlossaryEntry &entry : entries)
    if (contains(entry, words))
      found.push_back(&entry);
  if (found.empty())
    return QCoreApplication::translate("Glossary", "No entry contains these words.");
  const QString start = words.join(u' ');
  if (!words.isEmpty())
    std::ranges::stable_partition(found, [&](const GlossaryEntry *entry) {
      return entry->term.startsWith(start, Qt::CaseInsensitive);
    });
  QString page, section;
  for (const GlossaryEntry *entry : found) {
    if (words.isEmpty() && entry->section != section)
      page += QStringLiteral("## %1\n\n").arg(section = entry->section);
    page += QStringLiteral("### %1\n\n%2\n\n").arg(entry->term, entry->text);
  }
  return page;
}

} // namespace tilescope::views
