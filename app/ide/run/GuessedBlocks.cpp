// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/run/GuessedBlocks.h"

#include <algorithm>

namespace tilescope::app {

static size_t offsetOf(std::string_view text, const Position &position) {
  size_t at = 0;
  for (uint32_t line = 0; line < position.line && at != std::string_view::npos; ++line)
    at = text.find('\n', at) + 1;
  return std::min<size_t>(at + position.column, text.size());
}

BlockAndRest takeOutBlock(std::string_view text, const SourceRange &range) {
  const size_t begin = offsetOf(text, range.begin);
  const size_t end = offsetOf(text, range.end);
  BlockAndRest parts{std::string(text.substr(begin, end - begin)), std::string(text)};
  parts.rest.erase(begin, end - begin);
  return parts;
}

std::string replaceBlock(std::string_view text, const SourceRange &range,
                         const profiler::LaunchBlock &block) {
  const size_t begin = offsetOf(text, range.begin);
  const size_t end = offsetOf(text, range.end);
  std::string lines = profiler::formatLaunchBlock(block);
  while (lines.ends_with('\n'))
    lines.pop_back();
  return std::string(text).replace(begin, end - begin, lines);
}

/// The same words whatever a line ends with.
static BlockAndRest plain(BlockAndRest parts) {
  std::erase(parts.block, '\r');
  std::erase(parts.rest, '\r');
  return parts;
}

void GuessedBlocks::keep(const QObject *file, std::string_view text, const std::string &kernel) {
  for (const profiler::LaunchBlock &block : profiler::parseLaunchBlocks(text).blocks)
    if (block.kernel == kernel) {
      BlockAndRest parts = plain(takeOutBlock(text, block.range));
      m_files[file][std::move(parts.block)] = std::move(parts.rest);
    }
}

bool GuessedBlocks::isOfOtherText(const QObject *file, std::string_view text,
                                  const SourceRange &range) const {
  const auto known = m_files.find(file);
  if (known == m_files.end())
    return false;
  const BlockAndRest parts = plain(takeOutBlock(text, range));
  const auto made = known->second.find(parts.block);
  return made != known->second.end() && made->second != parts.rest;
}

} // namespace tilescope::app
