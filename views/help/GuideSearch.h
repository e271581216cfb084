// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

class QTextDocument;

namespace tilescope::views {

/// What is read in one piece: a heading, a paragraph, a row of a table.
struct GuidePart {
  QString text;
  /// Positions in the document.
  int begin = 0;
  int end = 0;
};

/// The parts of a page, in their order.
std::vector<GuidePart> guideParts(const QTextDocument &page);

/// The words of a search; those in quotation marks are one.
QStringList searchedWords(const QString &search);

/// Whether a text has all words, in whatever order, as words or parts of words.
bool hasWords(const QString &text, const QStringList &words);

/// Positions of the words within a part of the guide, the first ones first.
struct WordPlace {
  int begin = 0;
  int length = 0;
  bool operator==(const WordPlace &) const = default;
};
std::vector<WordPlace> placesOf(const QStringList &words, const QString &text);

/// One place that a search has found.
struct GuideHit {
  /// Number of the page.
  int page = 0;
  /// Number of the part within the page.
  int part = 0;
  /// The words with what stands around them.
  QString excerpt;
};

/// The parts of pages that have all words, page by page; pages that have them in their title come
/// before the others.
std::vector<GuideHit> searchGuide(const std::vector<std::vector<GuidePart>> &pages,
                                  const QStringList &words);

} // namespace tilescope::views
