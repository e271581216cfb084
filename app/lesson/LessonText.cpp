// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/lesson/LessonText.h"

#include "profiler/package/TomlBlock.h"

#include <algorithm>

namespace tilescope::app {

using profiler::CommentBlock;

namespace {

/// A part of a block's TOML: a key with its value, or a table with all of its lines.
struct BlockPart {
  /// `grid`, or `[sizes]`.
  std::string name;
  std::string lines;
};

} // namespace

/// The key that a line begins; empty: the line goes on with what the line before it began.
static std::string_view keyOf(std::string_view line) {
  const size_t end = line.find_first_of(" =");
  if (line.empty() || end == 0 || end == std::string_view::npos)
    return {};
  const bool isName = std::ranges::all_of(line.substr(0, end), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
  });
  const size_t equals = line.find_first_not_of(' ', end);
  return isName && equals != std::string_view::npos && line[equals] == '=' ? line.substr(0, end)
                                                                           : std::string_view();
}

static std::vector<BlockPart> partsOf(std::string_view toml) {
  std::vector<BlockPart> parts;
  bool isInTable = false;
  for (std::string_view line : profiler::linesOfFile(toml)) {
    const bool isHeader = line.starts_with('[');
    const std::string_view key = isInTable ? std::string_view() : keyOf(line);
    isInTable |= isHeader;
    if (isHeader)
      parts.push_back({std::string(line.substr(0, line.find(']') + 1)), {}});
    else if (!key.empty())
      parts.push_back({std::string(key), {}});
    if (!parts.empty())
      parts.back().lines.append(line).append("\n");
  }
  return parts;
}

/// The learner's block with what the lesson states. Keys come before tables, as TOML needs it.
static std::string mergedToml(std::string_view own, std::string_view stated) {
  std::vector<BlockPart> parts = partsOf(stated);
  const size_t numStated = parts.size();
  for (BlockPart &part : partsOf(own)) {
    const auto end = parts.begin() + static_cast<long>(numStated);
    if (part.name != "name" && std::find_if(parts.begin(), end, [&](const BlockPart &each) {
                                 return each.name == part.name;
                               }) == end)
      parts.push_back(std::move(part));
  }
  std::ranges::stable_partition(parts,
                                [](const BlockPart &part) { return !part.name.starts_with('['); });
  std::string merged;
  for (const BlockPart &part : parts)
    merged += part.lines;
  return merged;
}

std::string withLaunch(std::string_view text, const LessonLaunch &launch) {
  const std::vector<CommentBlock> blocks = profiler::findCommentBlocks(text);
  std::string result;
  uint32_t number = 0;
  for (std::string_view line : profiler::linesOfFile(text)) {
    // A comment that begins no block.
    const bool opens = std::ranges::find(blocks, number++, &CommentBlock::openLine) != blocks.end();
    result.append(opens ? std::string_view("#") : line).append("\n");
  }
  result += "\n# /// tilescope\n";
  const std::string toml =
      mergedToml(blocks.empty() ? std::string_view() : blocks.front().toml, launch.toml);
  for (std::string_view line : profiler::linesOfFile(toml))
    result.append("# ").append(line).append("\n");
  return result + "# ///\n";
}

LessonLaunch launchOf(std::string_view kernel, const LessonLaunch &launch) {
  return {launch.name, mergedToml(launch.toml, "kernel = \"" + std::string(kernel) + "\"")};
}

std::vector<LessonLaunch> launchesIn(std::string_view text) {
  std::vector<LessonLaunch> launches;
  const std::vector<profiler::LaunchBlock> read = profiler::parseLaunchBlocks(text).blocks;
  for (const CommentBlock &block : profiler::findCommentBlocks(text)) {
    const auto same = std::ranges::find_if(read, [&](const profiler::LaunchBlock &each) {
      return each.range.begin.line == block.openLine;
    });
    launches.push_back({same == read.end() ? std::string() : same->name, block.toml});
  }
  return launches;
}

} // namespace tilescope::app
