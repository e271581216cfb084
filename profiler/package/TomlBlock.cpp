// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/TomlBlock.h"

#include <algorithm>
#include <array>

namespace tilescope::profiler {

std::vector<std::string_view> splitLines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    lines.push_back(line);
    begin = end + 1;
  }
  return lines;
}

static std::string_view withoutTrailingBlanks(std::string_view line) {
  size_t last = line.find_last_not_of(" \t");
  return last == std::string_view::npos ? std::string_view() : line.substr(0, last + 1);
}

/// What begins a comment line in Python, in MLIR and PTX, in LLVM IR.
static constexpr std::array<std::string_view, 3> kCommentMarks{"#", "//", ";"};

/// The mark of the comment that opens a block; empty for other lines.
static std::string_view openingMark(std::string_view line) {
  for (std::string_view mark : kCommentMarks)
    if (line.starts_with(mark) &&
        withoutTrailingBlanks(line.substr(mark.size())) == " /// tilescope")
      return mark;
  return {};
}

std::vector<CommentBlock> findCommentBlocks(std::string_view fileText) {
  std::vector<CommentBlock> blocks;
  std::vector<std::string_view> lines = splitLines(fileText);
  for (uint32_t i = 0; i < lines.size(); ++i) {
    const std::string_view mark = openingMark(lines[i]);
    if (mark.empty())
      continue;
    CommentBlock block;
    block.lead = std::string(mark) + " ";
    block.openLine = i;
    for (++i; i < lines.size(); ++i) {
      std::string_view line = lines[i];
      if (withoutTrailingBlanks(line) == block.lead + "///") {
        block.closed = true;
        break;
      }
      if (!line.starts_with(block.lead) && line != mark)
        break;
      auto prefix = uint32_t(line == mark ? mark.size() : block.lead.size());
      block.toml.append(line.substr(prefix)).append("\n");
      block.prefixes.push_back(prefix);
    }
    block.closeLine = i;
    blocks.push_back(std::move(block));
  }
  return blocks;
}

/// Byte offset of the code point with this number (from 0) in a line.
static uint32_t byteColumn(std::string_view line, uint32_t codePoints) {
  uint32_t column = 0;
  for (; codePoints > 0 && column < line.size(); --codePoints) {
    ++column;
    while (column < line.size() && (uint8_t(line[column]) & 0xc0) == 0x80)
      ++column;
  }
  return column;
}

Position filePosition(const CommentBlock &block, toml::source_position position) {
  uint32_t row = position.line ? position.line - 1 : 0;
  std::vector<std::string_view> lines = splitLines(block.toml);
  if (row >= block.prefixes.size())
    return {block.openLine + 1 + row, 0};
  uint32_t column = position.column ? position.column - 1 : 0;
  return {block.openLine + 1 + row, block.prefixes[row] + byteColumn(lines[row], column)};
}

SourceRange fileRange(const CommentBlock &block, const toml::source_region &region) {
  return {filePosition(block, region.begin), filePosition(block, region.end)};
}

std::vector<TomlChild> orderedChildren(const toml::table &table) {
  std::vector<TomlChild> children;
  for (auto it = table.cbegin(); it != table.cend(); ++it)
    children.push_back({&it->first, &it->second});
  std::sort(children.begin(), children.end(), [](const TomlChild &a, const TomlChild &b) {
    toml::source_position left = a.key->source().begin, right = b.key->source().begin;
    return std::pair(left.line, left.column) < std::pair(right.line, right.column);
  });
  return children;
}

} // namespace tilescope::profiler
