// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/run/GuessedBlocks.h"

#include "compiler/support/TextOffset.h"
#include "profiler/data/Checksum.h"

#include <algorithm>
#include <utility>

namespace tilescope::app {

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

/// The same whatever a line ends with.
static uint64_t checksum(std::string words) {
  std::erase(words, '\r');
  return profiler::fnv1a(words);
}

/// Of a block without the names in front of its values: that of a parameter may change with the kernel's, and
/// the values are guesses as before.
static uint64_t blockChecksum(std::string_view block) {
  std::string values;
  while (!block.empty()) {
    const std::string_view line = block.substr(0, block.find('\n'));
    block.remove_prefix(std::min(line.size() + 1, block.size()));
    const size_t equals = line.find('=');
    values += line.substr(equals == std::string_view::npos ? 0 : equals);
    values += '\n';
  }
  return checksum(std::move(values));
}

void GuessedBlocks::keep(const QObject *file, std::string_view text, const std::string &kernel) {
  for (const profiler::LaunchBlock &block : profiler::parseLaunchBlocks(text).blocks)
    if (block.kernel == kernel) {
      const BlockAndRest parts = takeOutBlock(text, block.range);
      m_files[file][blockChecksum(parts.block)] = checksum(parts.rest);
    }
}

void GuessedBlocks::settle(const QObject *file, std::string_view text) {
  const auto known = m_files.find(file);
  if (known == m_files.end())
    return;
  for (const profiler::LaunchBlock &block : profiler::parseLaunchBlocks(text).blocks)
    known->second.erase(blockChecksum(takeOutBlock(text, block.range).block));
}

GuessedBlocks::Checksums GuessedBlocks::of(const QObject *file) const {
  const auto known = m_files.find(file);
  return known == m_files.end() ? Checksums() : known->second;
}

void GuessedBlocks::restore(const QObject *file, Checksums checksums) {
  if (!checksums.empty())
    m_files[file] = std::move(checksums);
}

bool GuessedBlocks::isOfOtherText(const QObject *file, std::string_view text,
                                  const SourceRange &range) const {
  const Checksums known = of(file);
  const BlockAndRest parts = takeOutBlock(text, range);
  const auto made = known.find(blockChecksum(parts.block));
  return made != known.end() && made->second != checksum(parts.rest);
}

} // namespace tilescope::app
