// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/help/GuideSearch.h"

#include <QRegularExpression>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextTable>

#include <algorithm>

namespace tilescope::views {

/// Characters of an excerpt, and of them those in front of the first word.
static constexpr int kExcerpt = 110;
static constexpr int kBefore = 30;

std::vector<GuidePart> guideParts(const QTextDocument &page) {
  std::vector<GuidePart> parts;
  const QTextTable *table = nullptr;
  int row = -1;
  for (QTextBlock block = page.begin(); block.isValid(); block = block.next()) {
    const QTextTable *inTable = QTextCursor(block).currentTable();
    const int inRow = inTable ? inTable->cellAt(block.position()).row() : -1;
    const int end = block.position() + static_cast<int>(block.text().size());
    if (inTable && inTable == table && inRow == row) {
      parts.back().text += QStringLiteral(" · ") + block.text();
      parts.back().end = end;
    } else if (!block.text().trimmed().isEmpty()) {
      parts.push_back({block.text(), block.position(), end});
    }
    table = inTable;
    row = inRow;
  }
  return parts;
}

QStringList searchedWords(const QString &search) {
  static const QRegularExpression kWord(QStringLiteral(R"x("([^"]+)"?|(\S+))x"));
  QStringList words;
  for (const auto &match : kWord.globalMatch(search))
    words << (match.captured(1) + match.captured(2)).simplified();
  words.removeAll(QString());
  words.removeAll(QStringLiteral("\""));
  return words;
}

bool hasWords(const QString &text, const QStringList &words) {
  return !words.isEmpty() && std::ranges::all_of(words, [&](const QString &word) {
    return text.contains(word, Qt::CaseInsensitive);
  });
}

std::vector<WordPlace> placesOf(const QStringList &words, const QString &text) {
  std::vector<WordPlace> places;
  for (const QString &word : words)
    for (qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive); at >= 0 && !word.isEmpty();
         at = text.indexOf(word, at + word.size(), Qt::CaseInsensitive))
      places.push_back({static_cast<int>(at), static_cast<int>(word.size())});
  std::ranges::sort(places, {}, &WordPlace::begin);
  return places;
}

static QString excerptOf(const QString &text, const QStringList &words) {
  const std::vector<WordPlace> places = placesOf(words, text);
  qsizetype first = std::max(0, places.empty() ? 0 : places.front().begin - kBefore);
  // From the beginning of a word.
  if (first > 0)
    first = text.indexOf(u' ', first) + 1;
  QString excerpt = text.mid(first, kExcerpt).simplified();
  if (first > 0)
    excerpt.prepend(u'…');
  if (first + kExcerpt < text.size())
    excerpt.append(u'…');
  return excerpt;
}

std::vector<GuideHit> searchGuide(const std::vector<std::vector<GuidePart>> &pages,
                                  const QStringList &words) {
  std::vector<GuideHit> hits;
  for (size_t page = 0; page < pages.size(); ++page)
    for (size_t part = 0; part < pages[page].size(); ++part)
      if (const GuidePart &found = pages[page][part]; hasWords(found.text, words))
        hits.push_back(
            {static_cast<int>(page), static_cast<int>(part), excerptOf(found.text, words)});
  // A page is about what its title says.
  std::ranges::stable_sort(hits, {}, [&](const GuideHit &hit) {
    return !hasWords(pages[static_cast<size_t>(hit.page)].front().text, words);
  });
  return hits;
}

} // namespace tilescope::views
