// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/MovedPlaces.h"

#include "compiler/support/LineDiff.h"
#include "compiler/support/Text.h"

#include <algorithm>

namespace tilescope::views {

MovedPlaces::MovedPlaces(std::string_view before, std::string_view after) {
  const std::vector<std::string_view> oldLines = splitLines(before), newLines = splitLines(after);
  m_lines.resize(oldLines.size() + 1);
  m_lines.back().after = static_cast<int32_t>(newLines.size());
  const std::vector<DiffLine> all = diffLines(oldLines, newLines);
  for (size_t at = 0; at < all.size();) {
    if (all[at].kind == DiffKind::Same) {
      m_lines[static_cast<size_t>(all[at].oldLine)].after = all[at].newLine;
      ++at;
      continue;
    }
    std::vector<int32_t> removed, added;
    for (; at < all.size() && all[at].kind != DiffKind::Same; ++at)
      all[at].kind == DiffKind::Removed ? removed.push_back(all[at].oldLine)
                                        : added.push_back(all[at].newLine);
    // As many lines as before: each was edited.
    for (size_t i = 0; removed.size() == added.size() && i < removed.size(); ++i) {
      Line &line = m_lines[static_cast<size_t>(removed[i])];
      line.after = added[i];
      pair(oldLines[static_cast<size_t>(removed[i])], newLines[static_cast<size_t>(added[i])],
           line);
    }
  }
}

void MovedPlaces::pair(std::string_view before, std::string_view after, Line &line) const {
  line.isChanged = true;
  line.begin = static_cast<uint32_t>(std::ranges::mismatch(before, after).in1 - before.begin());
  const size_t most = std::min(before.size(), after.size()) - line.begin;
  size_t tail = 0;
  while (tail < most && before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
    ++tail;
  line.oldEnd = static_cast<uint32_t>(before.size() - tail);
  line.newEnd = static_cast<uint32_t>(after.size() - tail);
}

const MovedPlaces::Line *MovedPlaces::at(uint32_t line) const {
  return line < m_lines.size() && m_lines[line].after >= 0 ? &m_lines[line] : nullptr;
}

std::optional<uint32_t> MovedPlaces::unchangedLine(uint32_t line) const {
  const Line *found = at(line);
  return found && !found->isChanged ? std::optional(static_cast<uint32_t>(found->after))
                                    : std::nullopt;
}

std::optional<Position> MovedPlaces::moved(Position position) const {
  const Line *line = at(position.line);
  if (!line)
    return std::nullopt;
  Position place{static_cast<uint32_t>(line->after), position.column};
  if (line->isChanged && position.column >= line->oldEnd)
    place.column = position.column - line->oldEnd + line->newEnd;
  else if (line->isChanged && position.column > line->begin)
    place.column = line->begin;
  return place;
}

std::optional<SourceRange> MovedPlaces::unchanged(const SourceRange &range) const {
  const Line *line = at(range.begin.line);
  if (line && line->isChanged && range.begin.line == range.end.line)
    return range.end.column < line->begin || range.begin.column > line->oldEnd ? moved(range)
                                                                               : std::nullopt;
  const std::optional<uint32_t> first = unchangedLine(range.begin.line);
  for (uint32_t i = range.begin.line; i <= range.end.line; ++i) {
    // Nothing of the line that it ends before belongs to it.
    const bool isBehind = i == range.end.line && i > range.begin.line && range.end.column == 0;
    const std::optional<uint32_t> after = unchangedLine(i);
    if (!isBehind && (!first || after != *first + i - range.begin.line))
      return std::nullopt;
  }
  return SourceRange{{*first, range.begin.column},
                     {*first + range.end.line - range.begin.line, range.end.column},
                     range.file};
}

std::optional<SourceRange> MovedPlaces::moved(const SourceRange &range) const {
  if (range.file != 0)
    return range;
  const std::optional<Position> begin = moved(range.begin);
  // One that ends with its line ends before the next one, whatever that is.
  const bool isWhole = range.end.column == 0 && range.end.line > range.begin.line;
  std::optional<Position> end = moved(isWhole ? Position{range.end.line - 1, 0} : range.end);
  if (!begin || !end)
    return std::nullopt;
  if (isWhole)
    end = Position{end->line + 1, 0};
  return SourceRange{*begin, std::max(*begin, *end), 0};
}

} // namespace tilescope::views
