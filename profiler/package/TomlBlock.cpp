// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/TomlBlock.h"

#include "profiler/package/TomlProblem.h"
#include "profiler/package/TomlSlips.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace tilescope::profiler {

std::vector<std::string_view> linesOfFile(std::string_view text) {
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
  std::vector<std::string_view> lines = linesOfFile(fileText);
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
      block.lineBegins.push_back(uint32_t(block.toml.size()));
    }
    block.closeLine = i;
    blocks.push_back(std::move(block));
  }
  return blocks;
}

namespace {
/// Walks over TOML's characters, those of strings and comments aside.
struct TomlScan {
  std::string_view toml;
  size_t at = 0;
  /// The brackets that are open.
  std::string open = {};
  /// Whether a value can begin here, or a key; whether this is inside a value without quotes, in
  /// which quotes and brackets are ordinary characters.
  bool isValue = false, isBare = false;

  bool startsWith(std::string_view mark) const { return toml.substr(at).starts_with(mark); }
  bool isAscii() const { return at >= toml.size() || uint8_t(toml[at]) < 0x80; }
  void skipComment() { at = std::min(toml.find('\n', at), toml.size()); }
  void skip(std::string_view characters) {
    at = std::min(toml.find_first_not_of(characters, at), toml.size());
  }
  std::optional<TomlRefusal> skipString();
  void pass(char c);
  std::optional<TomlRefusal> checkHeader() const;
};
} // namespace

/// From the opening quote to behind the closing one, or to the end of what is not closed. Refuses
/// escapes that TOML does not have and toml++ does not expect.
std::optional<TomlRefusal> TomlScan::skipString() {
  const char quote = toml[at];
  const std::string_view triple = quote == '"' ? R"(""")" : "'''";
  const bool isLong = startsWith(triple);
  const std::string_view end = isLong ? triple : triple.substr(2);
  for (at += end.size(); at < toml.size(); ++at) {
    if (startsWith(end)) {
      at += end.size();
      // A long string can end in two quotes of its own.
      for (int own = 0; isLong && own < 2 && startsWith(end.substr(2)); ++own)
        ++at;
      return std::nullopt;
    }
    if (!isLong && toml[at] == '\n')
      return std::nullopt;
    if (quote != '"' || toml[at] != '\\')
      continue;
    const size_t escape = at++;
    if (at < toml.size() && std::string_view(" \t\r\n").find(toml[at]) != std::string_view::npos) {
      skip(" \t\r\n");
      if (isAscii())
        --at;
    }
    if (!isAscii())
      return TomlRefusal{escape, "`\\` is not followed by an escape sequence"};
  }
  at = toml.size();
  return std::nullopt;
}

/// Goes past `c`, which is outside of strings and comments.
void TomlScan::pass(char c) {
  ++at;
  if (std::string_view(" \t\r\n,]}").find(c) != std::string_view::npos)
    isBare = false;
  if (c == '\n') {
    isValue = isValue && !open.empty();
  } else if (c == ',') {
    isValue = open.ends_with('[');
  } else if (c == ']' || c == '}') {
    if (!open.empty())
      open.pop_back();
  } else if ((c == '[' || c == '{') && !isBare) {
    open += c;
    isValue = isValue && c == '[';
  } else if (c == '=' && !isValue) {
    isValue = true;
  } else if (c != ' ' && c != '\t' && c != '\r') {
    isBare = isValue;
  }
}

/// Whether a table's header, which begins here, has a name; toml++ takes that for granted.
std::optional<TomlRefusal> TomlScan::checkHeader() const {
  TomlScan name = *this;
  ++name.at;
  name.skip(" \t");
  if (name.at < toml.size() && toml[name.at] == '[') {
    ++name.at;
    name.skip(" \t");
  }
  if (name.at == toml.size())
    return std::nullopt;
  const auto c = uint8_t(toml[name.at]);
  if (c < 0x80 &&
      (std::isalnum(c) || std::string_view("_-\"']").find(char(c)) != std::string_view::npos))
    return std::nullopt;
  return TomlRefusal{name.at,
                     "the name of a table begins with a letter, a digit, `_`, `-` or a quote"};
}

std::optional<TomlRefusal> refuseToml(std::string_view toml) {
  constexpr size_t kMostBytes = size_t(1) << 18, kMostLineBytes = size_t(1) << 13;
  // A valid launch block is nested three deep.
  constexpr size_t kMostBrackets = 16, kMostDots = 16;
  if (toml.size() > kMostBytes)
    return TomlRefusal{0, "it is larger than " + std::to_string(kMostBytes >> 10) + " KiB"};
  for (size_t begin = 0; begin < toml.size();) {
    const size_t end = std::min(toml.find('\n', begin), toml.size());
    if (end - begin > kMostLineBytes)
      return TomlRefusal{begin, "this line is longer than " + std::to_string(kMostLineBytes >> 10) +
                                    " KiB"};
    begin = end + 1;
  }
  TomlScan scan{toml};
  // Dots since the last character that cannot be part of a key: `a.b."c".d`.
  size_t dots = 0;
  bool isLineStart = true;
  // What is before this character, white space and comments aside.
  char last = 0;
  while (scan.at < toml.size()) {
    const char c = toml[scan.at];
    if (c == '#') {
      scan.skipComment();
      continue;
    }
    if ((c == '"' || c == '\'') && !scan.isBare) {
      if (std::optional<TomlRefusal> refusal = scan.skipString())
        return refusal;
      isLineStart = false;
      last = c;
      continue;
    }
    // Its classification of characters is undefined for some of them.
    if (!scan.isAscii())
      return TomlRefusal{scan.at,
                         "only strings and comments can have characters that are not ASCII"};
    if (c == '[' && isLineStart && scan.open.empty()) {
      if (std::optional<TomlRefusal> refusal = scan.checkHeader())
        return refusal;
    }
    // Values that begin like this are undefined for it, too.
    if (c == '}' && scan.open.ends_with('[') && (last == '[' || last == ','))
      return TomlRefusal{scan.at, "expected a value or `]`, found `}`"};
    if (std::string_view(" \t\r\n").find(c) == std::string_view::npos)
      last = c;
    isLineStart = c == '\n' || (isLineStart && (c == ' ' || c == '\t'));
    if (c == '.')
      ++dots;
    else if (std::string_view("[]{},=\n").find(c) != std::string_view::npos)
      dots = 0;
    scan.pass(c);
    if (scan.open.size() > kMostBrackets || dots > kMostDots)
      return TomlRefusal{scan.at - 1, "it is nested more than 16 deep"};
  }
  return std::nullopt;
}

std::optional<toml::table> parseToml(std::string_view toml) {
  if (refuseToml(toml))
    return std::nullopt;
  toml::parse_result parsed = toml::parse(toml);
  return parsed ? std::optional(std::move(parsed).table()) : std::nullopt;
}

/// What one wrong character in a row, or before it, did; nothing: it was something else.
static std::optional<LaunchProblem> slipIn(const CommentBlock &block, size_t row) {
  const std::vector<std::string_view> lines = linesOfFile(block.toml);
  std::vector<Position> begins;
  for (size_t i = 0; i < block.prefixes.size(); ++i)
    begins.push_back({block.openLine + 1 + static_cast<uint32_t>(i), block.prefixes[i]});
  return lines.empty() || begins.empty() ? std::nullopt : tomlSlip(lines, begins, row);
}

ParsedToml parseToml(const CommentBlock &block) {
  if (const std::optional<TomlRefusal> refusal = refuseToml(block.toml)) {
    const auto next = std::ranges::upper_bound(block.lineBegins, refusal->offset);
    const auto row = uint32_t(next - block.lineBegins.begin()) - 1;
    if (std::optional<LaunchProblem> slip = slipIn(block, row))
      return {std::nullopt, std::move(*slip)};
    const uint32_t line = block.openLine + 1 + row;
    const uint32_t column =
        block.prefixes.empty()
            ? 0
            : block.prefixes[row] + uint32_t(refusal->offset) - block.lineBegins[row];
    return {std::nullopt,
            {{{line, column}, {line, column + 1}}, "launch block: " + refusal->message, "", true}};
  }
  toml::parse_result parsed = toml::parse(block.toml);
  if (parsed)
    return {std::move(parsed).table(), {}};
  SourceRange at = fileRange(block, parsed.error().source());
  if (at.empty())
    at.end.column += 1;
  const std::vector<std::string_view> lines = linesOfFile(block.toml);
  const size_t row = at.begin.line - block.openLine - 1;
  const bool isLine = row < lines.size();
  if (std::optional<LaunchProblem> slip = slipIn(block, row))
    return {std::nullopt, std::move(*slip)};
  const std::optional<Position> lineBegin =
      isLine && row < block.prefixes.size()
          ? std::optional(Position{at.begin.line, block.prefixes[row]})
          : std::nullopt;
  return {std::nullopt, tomlProblem(at, isLine ? lines[row] : std::string_view(),
                                    parsed.error().description(), lineBegin)};
}

ParsedToml parseTomlFile(std::string_view text) {
  if (const std::optional<TomlRefusal> refusal = refuseToml(text)) {
    const std::string_view before = text.substr(0, refusal->offset);
    const auto line = static_cast<uint32_t>(std::ranges::count(before, '\n'));
    const auto column = static_cast<uint32_t>(before.size() - (before.rfind('\n') + 1));
    return {std::nullopt, {{{line, column}, {line, column + 1}}, refusal->message, "", true}};
  }
  toml::parse_result parsed = toml::parse(text);
  if (parsed)
    return {std::move(parsed).table(), {}};
  const toml::source_position at = parsed.error().source().begin;
  const uint32_t line = at.line > 0 ? at.line - 1 : 0;
  return {std::nullopt,
          {{{line, 0}, {line, 1}}, std::string(parsed.error().description()), "", true}};
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
  if (row >= block.prefixes.size())
    return {block.openLine + 1 + row, 0};
  const uint32_t begin = block.lineBegins[row], end = block.lineBegins[row + 1] - 1;
  uint32_t column = position.column ? position.column - 1 : 0;
  std::string_view line = std::string_view(block.toml).substr(begin, end - begin);
  return {block.openLine + 1 + row, block.prefixes[row] + byteColumn(line, column)};
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
