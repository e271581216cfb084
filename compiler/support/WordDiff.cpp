// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/support/WordDiff.h"

#include "compiler/support/LineDiff.h"

#include <cctype>

namespace tilescope {

/// Lines that share less than this part of their characters are other lines, not changed ones.
static constexpr double kMinShared = 0.35;

static bool isWordPart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '%' || c == '#' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Names and numbers as a whole, spaces as a whole, other characters one by one.
static std::vector<std::string_view> splitWords(std::string_view line) {
  std::vector<std::string_view> words;
  for (size_t at = 0; at < line.size();) {
    size_t end = at + 1;
    if (isWordPart(line[at]))
      while (end < line.size() && isWordPart(line[end]))
        ++end;
    else if (line[at] == ' ')
      while (end < line.size() && line[end] == ' ')
        ++end;
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

/// Appends the word at `offset`; across a single space the mark goes on.
static void addSpan(std::vector<TextSpan> &spans, std::string_view line, int32_t offset,
                    size_t length) {
  const auto end = offset + static_cast<int32_t>(length);
  if (!spans.empty() && (spans.back().end == offset ||
                         (spans.back().end + 1 == offset && line[spans.back().end] == ' ')))
    spans.back().end = end;
  else
    spans.push_back({offset, end});
}

std::pair<std::vector<TextSpan>, std::vector<TextSpan>> changedWords(std::string_view before,
                                                                     std::string_view after) {
  std::vector<TextSpan> removed, added;
  int32_t oldOffset = 0, newOffset = 0;
  size_t shared = 0;
  const std::vector<std::string_view> oldWords = splitWords(before), newWords = splitWords(after);
  for (const DiffLine &word : diffLines(oldWords, newWords)) {
    const std::string_view text =
        word.oldLine >= 0 ? oldWords[word.oldLine] : newWords[word.newLine];
    if (word.kind == DiffKind::Same)
      shared += text.find_first_not_of(' ') == std::string_view::npos ? 0 : text.size();
    else if (word.kind == DiffKind::Removed)
      addSpan(removed, before, oldOffset, text.size());
    else
      addSpan(added, after, newOffset, text.size());
    if (word.kind != DiffKind::Added)
      oldOffset += static_cast<int32_t>(text.size());
    if (word.kind != DiffKind::Removed)
      newOffset += static_cast<int32_t>(text.size());
  }
  if (static_cast<double>(shared) <
      kMinShared * static_cast<double>(std::min(before.size(), after.size())))
    return {};
  return {std::move(removed), std::move(added)};
}

} // namespace tilescope
