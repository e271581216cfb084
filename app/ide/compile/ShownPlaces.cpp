// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/compile/ShownPlaces.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tilescope::app {

using views::Focus;

bool ShownPlaces::isOfSameKernel(const Compiled &other) const {
  const std::string &a = m_whole.result->result()->kernel, &b = other.result->result()->kernel;
  return m_whole.file == other.file && (a.empty() || b.empty() || a == b);
}

void ShownPlaces::take(const QObject *file, CorrelationPointer result,
                       std::shared_ptr<const KernelSource> source, bool done) {
  const Compiled taken{file, std::move(result), std::move(source)};
  const compiler::CompileResult &made = *taken.result->result();
  if (m_whole.result && !isOfSameKernel(taken))
    m_whole = {};
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

/// Whether a range is that of a loop, a branch or a function.
static bool isCompound(std::string_view text, const SourceRange &range) {
  for (uint32_t line = 0; line < range.begin.line; ++line)
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  text.remove_prefix(std::min<size_t>(range.begin.column, text.size()));
  return std::ranges::any_of(
      std::to_array<std::string_view>({"for ", "while ", "if ", "elif ", "else", "def ", "@"}),
      [&](std::string_view start) { return text.starts_with(start); });
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
  // Between expressions the line as a whole is meant, also inside of a loop.
  const uint32_t line = focus.position.line;
  if (focus.sources.empty() || (m_shown.source && focus.sources.front().begin.line < line &&
                                isCompound(m_shown.source->text, focus.sources.front())))
    focus.sources = {{{line, 0}, {line, 0}, 0}};
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
