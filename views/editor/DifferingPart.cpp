// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/DifferingPart.h"

#include "compiler/support/LineDiff.h"

#include <algorithm>

namespace tilescope::views {

/// From the first byte that differs to the last.
static DifferingPart wholePart(std::string_view before, std::string_view after) {
  const auto isInside = [](std::string_view text, size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  const size_t shorter = std::min(before.size(), after.size());
  size_t begin = 0;
  while (begin < shorter && before[begin] == after[begin])
    ++begin;
  while (begin > 0 && (isInside(before, begin) || isInside(after, begin)))
    --begin;
  size_t numSame = 0;
  while (numSame < shorter - begin &&
         before[before.size() - 1 - numSame] == after[after.size() - 1 - numSame])
    ++numSame;
  while (numSame > 0 && isInside(before, before.size() - numSame))
    --numSame;
  return {begin, before.size() - numSame, begin, after.size() - numSame};
}

/// Lines with their line feeds.
static std::vector<std::string_view> wholeLines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    lines.push_back(text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1));
    text.remove_prefix(lines.back().size());
  }
  return lines;
}

std::vector<DifferingPart> differingParts(std::string_view before, std::string_view after) {
  DifferingPart whole = wholePart(before, after);
  if (whole.begin == whole.oldEnd && whole.begin == whole.newEnd)
    return {};
  const auto old = before.substr(whole.begin, whole.oldEnd - whole.begin);
  if (old.find('\n') == std::string_view::npos)
    return {whole};
  // The lines that it reaches into; the texts are equal around it.
  const size_t begin = before.substr(0, whole.begin).rfind('\n') + 1;
  const size_t tail =
      std::min(before.find('\n', whole.oldEnd), before.size() - 1) + 1 - whole.oldEnd;
  const std::vector<DiffLine> lines =
      diffLines(wholeLines(before.substr(begin, whole.oldEnd + tail - begin)),
                wholeLines(after.substr(begin, whole.newEnd + tail - begin)));
  const auto oldLines = wholeLines(before.substr(begin)),
             newLines = wholeLines(after.substr(begin));
  std::vector<DifferingPart> parts;
  size_t oldAt = begin, newAt = begin;
  for (size_t i = 0; i < lines.size();) {
    const size_t oldBegin = oldAt, newBegin = newAt;
    for (; i < lines.size() && lines[i].kind != DiffKind::Same; ++i)
      if (lines[i].kind == DiffKind::Removed)
        oldAt += oldLines[static_cast<size_t>(lines[i].oldLine)].size();
      else
        newAt += newLines[static_cast<size_t>(lines[i].newLine)].size();
    if (oldAt > oldBegin || newAt > newBegin) {
      const DifferingPart part = wholePart(before.substr(oldBegin, oldAt - oldBegin),
                                           after.substr(newBegin, newAt - newBegin));
      parts.push_back({oldBegin + part.begin, oldBegin + part.oldEnd, newBegin + part.newBegin,
                       newBegin + part.newEnd});
    }
    for (; i < lines.size() && lines[i].kind == DiffKind::Same; ++i) {
      oldAt += oldLines[static_cast<size_t>(lines[i].oldLine)].size();
      newAt += newLines[static_cast<size_t>(lines[i].newLine)].size();
    }
  }
  return parts;
}

} // namespace tilescope::views
