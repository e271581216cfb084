// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/Correlation.h"

#include "compiler/artifacts/MappedShare.h"

#include <algorithm>

namespace tilescope::views {

using compiler::LineMapping;
using compiler::SourceMap;
using compiler::Stage;
using compiler::StageId;

static size_t countLines(std::string_view text) {
  const auto feeds = static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  return feeds + (!text.empty() && text.back() != '\n' ? 1 : 0);
}

/// Machine code knows only where a range begins: such a place is related to every range that begins
/// there.
static bool sameRange(const SourceRange &a, const SourceRange &b) {
  if (a.begin != b.begin)
    return false;
  return a.end == b.end || a.empty() || b.empty();
}

static Relation relation(const SourceRange &range, const std::vector<SourceRange> &focused) {
  Relation best = Relation::None;
  for (const SourceRange &focus : focused) {
    if (sameRange(range, focus))
      return Relation::SameRange;
    if (range.begin.line == focus.begin.line)
      best = Relation::SameLine;
  }
  return best;
}

std::vector<Relation> relateLines(const SourceMap &map, size_t numLines,
                                  const std::vector<SourceRange> &focused) {
  std::vector<Relation> result(numLines, Relation::None);
  for (const LineMapping &mapping : map.lines) {
    if (mapping.line >= numLines)
      continue;
    for (const SourceRange &source : mapping.sources)
      if (source.file == 0)
        result[mapping.line] = std::max(result[mapping.line], relation(source, focused));
  }
  return result;
}

std::vector<int32_t> sourceLinesOf(const SourceMap &map, size_t numLines) {
  std::vector<int32_t> result(numLines, -1);
  for (const LineMapping &mapping : map.lines) {
    if (mapping.line >= numLines)
      continue;
    auto source = std::find_if(mapping.sources.begin(), mapping.sources.end(),
                               [](const SourceRange &range) { return range.file == 0; });
    if (source != mapping.sources.end())
      result[mapping.line] = static_cast<int32_t>(source->begin.line);
  }
  return result;
}

std::vector<SourceRange> documentSources(const SourceMap &map, uint32_t line) {
  auto mapping =
      std::lower_bound(map.lines.begin(), map.lines.end(), line,
                       [](const LineMapping &entry, uint32_t value) { return entry.line < value; });
  std::vector<SourceRange> result;
  for (; mapping != map.lines.end() && mapping->line == line; ++mapping)
    for (const SourceRange &source : mapping->sources)
      if (source.file == 0)
        result.push_back(source);
  return result;
}

Correlation::Correlation(std::shared_ptr<const compiler::CompileResult> result)
    : m_result(std::move(result)) {
  for (const Stage &stage : m_result->stages)
    for (const LineMapping &mapping : stage.sourceMap.lines)
      for (const SourceRange &source : mapping.sources)
        if (source.file == 0 && !source.empty())
          m_ranges.push_back(source);
  std::sort(m_ranges.begin(), m_ranges.end());
  m_ranges.erase(std::unique(m_ranges.begin(), m_ranges.end()), m_ranges.end());
}

std::vector<SourceRange> Correlation::sourcesOf(StageId id, uint32_t line) const {
  const Stage *stage = m_result->stage(id);
  return stage ? documentSources(stage->sourceMap, line) : std::vector<SourceRange>{};
}

std::vector<SourceRange> Correlation::rangesAt(Position position) const {
  auto extent = [](const SourceRange &range) {
    return std::pair(range.end.line - range.begin.line,
                     static_cast<int64_t>(range.end.column) - range.begin.column);
  };
  const SourceRange *best = nullptr;
  for (const SourceRange &range : m_ranges) {
    if (position < range.begin)
      break;
    // The place right behind an expression still belongs to it: that is where a cursor is after
    // typing it.
    const bool inside = range.contains(position) || range.end == position;
    if (inside && (!best || extent(range) < extent(*best)))
      best = &range;
  }
  if (!best)
    return {};
  return {*best};
}

std::vector<Relation> Correlation::relate(StageId id,
                                          const std::vector<SourceRange> &focused) const {
  const Stage *stage = m_result->stage(id);
  if (!stage)
    return {};
  return relateLines(stage->sourceMap, countLines(stage->text), focused);
}

std::vector<int32_t> Correlation::sourceLines(StageId id) const {
  const Stage *stage = m_result->stage(id);
  if (!stage)
    return {};
  return sourceLinesOf(stage->sourceMap, countLines(stage->text));
}

double Correlation::mappedShare(StageId id) const {
  const Stage *stage = m_result->stage(id);
  if (!stage)
    return 0;
  const std::vector<int32_t> lines = sourceLines(id);
  return compiler::mappedShare(
      stage->text, [&](size_t line) { return line < lines.size() && lines[line] >= 0; });
}

} // namespace tilescope::views
