// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/SourceExcerpt.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace tilescope::app {

static constexpr size_t kTabWidth = 4;
static constexpr size_t kNumberWidth = 5;
/// Columns of the source that are shown, and how many of them before the place.
static constexpr size_t kMaxWidth = 110;
static constexpr size_t kWidthBefore = 50;

static std::optional<std::string_view> findLine(std::string_view source, uint32_t wanted) {
  for (uint32_t line = 0;; ++line) {
    const size_t end = std::min(source.find_first_of("\r\n"), source.size());
    if (line == wanted)
      return source.substr(0, end);
    if (end == source.size())
      return std::nullopt;
    source.remove_prefix(end + (source.substr(end).starts_with("\r\n") ? 2 : 1));
  }
}

namespace {
/// One character as it is shown.
struct Cell {
  std::string text;
  size_t width;
  /// Its first byte in the line.
  size_t offset;
};
} // namespace

/// Characters that take two columns on terminals, and those that take none.
static size_t widthOf(char32_t c) {
  const auto isIn = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  if (isIn(0x300, 0x36F) || isIn(0x200B, 0x200F) || isIn(0xFE00, 0xFE0F))
    return 0;
  const bool isWide = isIn(0x1100, 0x115F) || isIn(0x2E80, 0xA4CF) || isIn(0xAC00, 0xD7A3) ||
                      isIn(0xF900, 0xFAFF) || isIn(0xFE30, 0xFE6F) || isIn(0xFF00, 0xFF60) ||
                      isIn(0xFFE0, 0xFFE6) || isIn(0x1F300, 0x1FAFF) || isIn(0x20000, 0x3FFFD);
  return isWide ? 2 : 1;
}

/// Bytes of the character that begins the text; 1 for what is not UTF-8.
static size_t sequenceLength(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const size_t length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  const auto isContinuation = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  const bool isWhole =
      length <= text.size() && std::ranges::all_of(text.substr(1, length - 1), isContinuation);
  return isWhole ? length : 1;
}

static std::vector<Cell> cellsOf(std::string_view line) {
  std::vector<Cell> cells;
  for (size_t at = 0; at < line.size();) {
    const auto first = static_cast<unsigned char>(line[at]);
    const size_t length = sequenceLength(line.substr(at));
    if (first == '\t') {
      cells.push_back({std::string(kTabWidth, ' '), kTabWidth, at});
    } else if (first < 0x20 || first == 0x7F || (first >= 0x80 && length == 1)) {
      cells.push_back({"?", 1, at});
    } else {
      char32_t c = length == 1 ? first : first & (0x7FU >> length);
      for (size_t i = 1; i < length; ++i)
        c = c << 6 | (static_cast<unsigned char>(line[at + i]) & 0x3FU);
      cells.push_back({std::string(line.substr(at, length)), widthOf(c), at});
    }
    at += length;
  }
  return cells;
}

std::string sourceExcerpt(const SourceRange &range, std::string_view source) {
  // A diagnostic about the whole file has no line.
  if (range.begin == Position{} && range.end == Position{})
    return {};
  if (source.starts_with("\xEF\xBB\xBF"))
    source.remove_prefix(3);
  const std::optional<std::string_view> line =
      source.empty() ? std::nullopt : findLine(source, range.begin.line);
  if (!line || line->find_first_not_of(" \t\f") == std::string_view::npos)
    return {};
  const size_t lineEnd = line->find_last_not_of(" \t\f") + 1;
  const size_t begin = range.begin.column;
  const size_t end = range.end.line > range.begin.line ? lineEnd : range.end.column;

  const std::vector<Cell> cells = cellsOf(line->substr(0, lineEnd));
  size_t placeColumn = 0;
  for (const Cell &cell : cells)
    placeColumn += cell.offset < begin ? cell.width : 0;
  const size_t firstColumn = placeColumn > kMaxWidth - 30 ? placeColumn - kWidthBefore : 0;
  std::string text = firstColumn > 0 ? "…" : "";
  size_t column = 0, numMarked = 0;
  for (const Cell &cell : cells) {
    column += cell.width;
    if (column <= firstColumn)
      continue;
    if (column > firstColumn + kMaxWidth) {
      text += "…";
      break;
    }
    text += cell.text;
    numMarked += cell.offset >= begin && cell.offset < end ? cell.width : 0;
  }
  const size_t indent = placeColumn - firstColumn + (firstColumn > 0 ? 1 : 0);
  const std::string marks =
      std::string(indent, ' ') + '^' + std::string(std::max<size_t>(numMarked, 1) - 1, '~');
  std::string number = std::to_string(range.begin.line + 1);
  number.insert(0, number.size() < kNumberWidth ? kNumberWidth - number.size() : 0, ' ');
  return number + " | " + text + "\n" + std::string(number.size(), ' ') + " | " + marks + "\n";
}

} // namespace tilescope::app
