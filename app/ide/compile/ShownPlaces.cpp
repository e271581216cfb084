// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/compile/ShownPlaces.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tilescope::app {

using views::Focus;

void ShownPlaces::take(CorrelationPointer result, std::shared_ptr<const KernelSource> source,
                       bool done) {
  const Shown taken{std::move(result), std::move(source)};
  const compiler::CompileResult &made = *taken.result->result();
  if (done && made.ok)
    m_whole = taken;
  // Of one under way, places are known with its first stage.
  const bool isUseful = done ? made.ok : !made.stages.empty() && made.stages.back().ok;
  m_shown = isUseful || !m_whole.result ? taken : m_whole;
  m_moves.reset();
}

void ShownPlaces::clear() { *this = {}; }

void ShownPlaces::compareWith(const std::string &text) const {
  if (m_shown.source->text == text)
    m_moves.reset();
  else if (!m_moves || m_moves->text != text)
    m_moves = Moves{text, {text, m_shown.source->text}, {m_shown.source->text, text}};
}

static std::string_view lineOf(std::string_view text, uint32_t line) {
  for (; line > 0; --line)
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return text.substr(0, text.find('\n'));
}

/// Whether a range that begins on a line is that of a loop, a branch or a function.
static bool isCompound(std::string_view line, const SourceRange &range) {
  line.remove_prefix(std::min<size_t>(range.begin.column, line.size()));
  return std::ranges::any_of(
      std::to_array<std::string_view>({"for ", "while ", "if ", "elif ", "else", "def ", "@"}),
      [&](std::string_view start) { return line.starts_with(start); });
}

/// The outermost expression that begins on a line; the whole line where there is none.
static SourceRange expressionOn(const compiler::CompileResult &result, std::string_view text,
                                uint32_t line) {
  const std::string_view content = lineOf(text, line);
  SourceRange found{{line, 0}, {line, 0}, 0};
  for (const compiler::Stage &stage : result.stages)
    for (const compiler::LineMapping &mapping : stage.sourceMap.lines)
      for (const SourceRange &source : mapping.sources)
        if (source.file == 0 && source.begin.line == line && !source.empty() &&
            !isCompound(content, source) &&
            (found.empty() || found.end < source.end ||
             (found.end == source.end && source.begin < found.begin)))
          found = source;
  return found;
}

Focus ShownPlaces::focusAt(Position position, const std::string &text) const {
  Focus focus;
  focus.position = position;
  if (m_shown.source) {
    compareWith(text);
    const std::optional<Position> moved = m_moves ? m_moves->toShown.moved(position) : position;
    focus.isNew = !moved;
    if (moved)
      focus.position = *moved;
  }
  if (focus.isNew)
    return focus;
  if (m_shown.result)
    focus.sources = m_shown.result->rangesAt(focus.position);
  if (!m_shown.source || !m_shown.result) {
    focus.sources = {{{focus.position.line, 0}, {focus.position.line, 0}, 0}};
    return focus;
  }
  // Between expressions that of the line is meant, also inside of a loop.
  const uint32_t line = focus.position.line;
  const std::string &shown = m_shown.source->text;
  if (focus.sources.empty() ||
      (focus.sources.front().begin.line < line &&
       isCompound(lineOf(shown, focus.sources.front().begin.line), focus.sources.front())))
    focus.sources = {expressionOn(*m_shown.result->result(), shown, line)};
  return focus;
}

std::vector<SourceRange> ShownPlaces::inText(std::vector<SourceRange> ranges,
                                             const std::string &text) const {
  if (!m_shown.source)
    return ranges;
  compareWith(text);
  if (!m_moves)
    return ranges;
  std::vector<SourceRange> moved;
  for (const SourceRange &range : ranges)
    if (const std::optional<SourceRange> there = m_moves->toText.moved(range))
      moved.push_back(*there);
  return moved;
}

} // namespace tilescope::app
