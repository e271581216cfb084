// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/PtxSourceMap.h"

#include "compiler/artifacts/DebugPath.h"
#include "compiler/support/Text.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

namespace tilescope::compiler {

namespace {

/// Consumes a text from its front.
struct Scanner {
  std::string_view rest;

  void skipBlanks() {
    const size_t at = rest.find_first_not_of(" \t,");
    rest = at == std::string_view::npos ? std::string_view() : rest.substr(at);
  }
  std::optional<uint32_t> number() {
    skipBlanks();
    uint32_t value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error != std::errc())
      return std::nullopt;
    rest.remove_prefix(static_cast<size_t>(end - rest.data()));
    return value;
  }
};

/// The state while the lines of a PTX text go by.
class PtxReader {
public:
  PtxReader(FileTable &files, const SourceIndex &index) : m_files(files), m_index(index) {}

  void readFiles(std::string_view ptx);
  SourceMap readLines(std::string_view ptx);

private:
  std::vector<SourceRange> readLoc(std::string_view directive);
  void addInlinedAt(std::string_view directive, std::vector<SourceRange> &ranges);
  void addCommentChain(std::string_view comment, std::vector<SourceRange> &ranges);
  /// `line` and `column` as written: from 1; line 0 means unknown.
  std::optional<SourceRange> place(uint32_t file, uint32_t line, uint32_t column);

  FileTable &m_files;
  const SourceIndex &m_index;
  /// Number in the PTX -> index in the table.
  std::map<uint32_t, uint32_t> m_numbers;
};

} // namespace

static std::string_view takeLine(std::string_view &text) {
  const size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return line;
}

void PtxReader::readFiles(std::string_view ptx) {
  while (!ptx.empty()) {
    const std::string_view line = trimmed(takeLine(ptx));
    if (!line.starts_with(".file"))
      continue;
    Scanner scanner{line.substr(5)};
    const std::optional<uint32_t> number = scanner.number();
    const size_t open = scanner.rest.find('"');
    const size_t close = scanner.rest.find('"', open + 1);
    if (number && open != std::string_view::npos && close != std::string_view::npos)
      m_numbers[*number] =
          m_files.indexOf(decodeDebugPath(scanner.rest.substr(open + 1, close - open - 1)));
  }
}

std::optional<SourceRange> PtxReader::place(uint32_t file, uint32_t line, uint32_t column) {
  if (line == 0)
    return std::nullopt;
  const Position begin{line - 1, column > 0 ? column - 1 : 0};
  if (std::optional<SourceRange> whole = m_index.startingAt(file, begin))
    return whole;
  return column > 0 ? m_files.restOfLine(file, begin) : m_files.wholeLine(file, line - 1);
}

void PtxReader::addInlinedAt(std::string_view directive, std::vector<SourceRange> &ranges) {
  constexpr std::string_view kMark = "inlined_at";
  for (size_t at = directive.find(kMark); at != std::string_view::npos;
       at = directive.find(kMark, at + 1)) {
    Scanner scanner{directive.substr(at + kMark.size())};
    const auto file = scanner.number(), line = scanner.number(), column = scanner.number();
    if (file && line && column && m_numbers.contains(*file))
      if (auto range = place(m_numbers[*file], *line, *column))
        ranges.push_back(*range);
  }
}

void PtxReader::addCommentChain(std::string_view comment, std::vector<SourceRange> &ranges) {
  // `u.py:70:14 @[ t.py:7:31 @[ t.py:90:2 ] ]`: what follows each `@[` is a caller.
  constexpr std::string_view kMark = "@[";
  for (size_t at = comment.find(kMark); at != std::string_view::npos;
       at = comment.find(kMark, at + 1)) {
    std::string_view text = trimmed(comment.substr(at + kMark.size()));
    text = text.substr(0, text.find_first_of(" ]"));
    const size_t columnAt = text.rfind(':');
    const size_t lineAt = columnAt == std::string_view::npos || columnAt == 0
                              ? std::string_view::npos
                              : text.rfind(':', columnAt - 1);
    if (lineAt == std::string_view::npos)
      continue;
    Scanner line{text.substr(lineAt + 1)}, column{text.substr(columnAt + 1)};
    const auto lineNumber = line.number(), columnNumber = column.number();
    const int32_t file = m_files.indexOfName(decodeDebugPath(text.substr(0, lineAt)));
    if (lineNumber && columnNumber && file >= 0)
      if (auto range = place(static_cast<uint32_t>(file), *lineNumber, *columnNumber))
        ranges.push_back(*range);
  }
}

std::vector<SourceRange> PtxReader::readLoc(std::string_view directive) {
  const size_t commentAt = directive.find("//");
  Scanner scanner{directive.substr(0, commentAt)};
  const auto file = scanner.number(), line = scanner.number(), column = scanner.number();
  std::vector<SourceRange> ranges;
  if (!file || !line || !column || !m_numbers.contains(*file))
    return ranges;
  if (auto range = place(m_numbers[*file], *line, *column))
    ranges.push_back(*range);
  addInlinedAt(scanner.rest, ranges);
  if (ranges.size() == 1 && commentAt != std::string_view::npos)
    addCommentChain(directive.substr(commentAt), ranges);
  return ranges;
}

/// How much deeper in braces the text is behind a line.
static int deeperBy(std::string_view line) {
  line = line.substr(0, line.find("//"));
  return static_cast<int>(std::ranges::count(line, '{') - std::ranges::count(line, '}'));
}

SourceMap PtxReader::readLines(std::string_view ptx) {
  SourceMap map;
  std::vector<SourceRange> current;
  int depth = 0;
  for (uint32_t number = 0; !ptx.empty(); ++number) {
    const std::string_view line = trimmed(takeLine(ptx));
    if (line.starts_with(".loc")) {
      current = readLoc(line.substr(4));
      if (!current.empty())
        map.lines.push_back({number, current});
      continue;
    }
    depth += deeperBy(line);
    if (line.starts_with("}")) {
      // Braces within a function are about names of registers.
      if (depth <= 0)
        current.clear();
      continue;
    }
    // Labels and directives have no origin; comments and braces open nothing either.
    const bool instruction = !line.empty() && line.find(';') != std::string_view::npos &&
                             !line.starts_with("//") && !line.starts_with(".");
    if (instruction && !current.empty())
      map.lines.push_back({number, current});
  }
  return map;
}

SourceMap ptxSourceMap(std::string_view ptx, FileTable &files, const SourceIndex &index) {
  PtxReader reader(files, index);
  // The `.file` directives are at the end.
  reader.readFiles(ptx);
  return reader.readLines(ptx);
}

SourceMap sassSourceMap(const std::vector<int32_t> &ptxLines, const SourceMap &ptx) {
  SourceMap map;
  for (size_t line = 0; line < ptxLines.size(); ++line) {
    if (ptxLines[line] < 0)
      continue;
    const auto wanted = static_cast<uint32_t>(ptxLines[line]);
    const auto it = std::lower_bound(
        ptx.lines.begin(), ptx.lines.end(), wanted,
        [](const LineMapping &mapping, uint32_t value) { return mapping.line < value; });
    if (it != ptx.lines.end() && it->line == wanted)
      map.lines.push_back({static_cast<uint32_t>(line), it->sources});
  }
  return map;
}

SourceMap identityMap(std::string_view text, FileTable &files) {
  SourceMap map;
  for (uint32_t number = 0; !text.empty(); ++number)
    if (!trimmed(takeLine(text)).empty())
      map.lines.push_back({number, {files.wholeLine(0, number)}});
  return map;
}

} // namespace tilescope::compiler
