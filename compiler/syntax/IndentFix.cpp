// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/IndentFix.h"

#include "compiler/syntax/LoopLines.h"

#include <algorithm>
#include <optional>
#include <string>

namespace tilescope::compiler::ast {
namespace {

class Lines {
public:
  Lines(std::string_view source, const std::vector<uint32_t> &offsets)
      : m_source(source), m_offsets(offsets) {}

  /// Without its end.
  std::string_view text(uint32_t line) const {
    if (line >= m_offsets.size())
      return {};
    const std::string_view rest = m_source.substr(m_offsets[line]);
    return rest.substr(0, rest.find_first_of("\r\n"));
  }

  /// The column at which code begins; nothing for other lines, and where tabs decide it.
  std::optional<uint32_t> column(uint32_t line) const {
    const std::string_view code = text(line);
    const size_t column = code.find_first_not_of(' ');
    if (column == std::string_view::npos || code[column] == '#' || code[column] == '\t')
      return std::nullopt;
    return static_cast<uint32_t>(column);
  }

  /// Whether what a line begins goes on behind it: a block, an open bracket, half of an expression.
  bool goesOn(uint32_t line) const {
    const std::string_view code = text(line);
    const size_t last = code.find_last_not_of(" \t");
    return last != std::string_view::npos &&
           std::string_view(":([{,\\+-*/%=|&<>").find(code[last]) != std::string_view::npos;
  }

  /// Whether a line cannot be in a block that lacks its indentation: it begins a definition or
  /// another branch, or, where the block is not a whole function, returns.
  bool ends(uint32_t line, bool isDefinition) const {
    const std::string_view code = text(line).substr(column(line).value_or(0));
    const auto begins = [&](std::string_view word) { return code.starts_with(word); };
    return std::ranges::any_of(kOthers, begins) || (!isDefinition && begins("return"));
  }

private:
  static constexpr std::string_view kOthers[] = {"@",     "async ", "class ", "def ",
                                                 "elif ", "else",   "except", "finally"};

  std::string_view m_source;
  const std::vector<uint32_t> &m_offsets;
};

} // namespace

/// The lines from `first` to `last`, moved to the right.
static DiagnosticFix indentLines(const Lines &lines, uint32_t first, uint32_t last,
                                 uint32_t numBlanks, uint32_t file) {
  const std::string blanks(numBlanks, ' ');
  std::string text = blanks + std::string(lines.text(first));
  for (uint32_t line = first + 1; line <= last; ++line)
    text += "\n" + (lines.text(line).empty() ? "" : blanks + std::string(lines.text(line)));
  const std::string number = std::to_string(first + 1);
  const Position end{last, static_cast<uint32_t>(lines.text(last).size())};
  return {{{first, 0}, end, file},
          text,
          last == first ? "indent line " + number
                        : "indent lines " + number + " to " + std::to_string(last + 1)};
}

std::vector<DiagnosticFix> indentFix(std::string_view source,
                                     const std::vector<uint32_t> &lineOffsets,
                                     const MissingBlock &block) {
  static constexpr uint32_t kIndent = 4;
  const Lines lines(source, lineOffsets);
  const uint32_t first = block.line, owner = block.ownerColumn;
  const uint32_t column = lines.column(first).value_or(owner + 1);
  if (column > owner || lines.ends(first, block.isDefinition))
    return {};
  // Where the first lines alone were forgotten, the next one says how far.
  uint32_t forgotten = first;
  while (lines.column(forgotten + 1) == owner && !lines.ends(forgotten + 1, block.isDefinition))
    ++forgotten;
  const uint32_t next = lines.column(forgotten + 1).value_or(0);
  if (column == owner && next > owner && !lines.goesOn(forgotten))
    return {indentLines(lines, first, forgotten, next - owner, block.file)};
  uint32_t last = first;
  while (lines.column(last + 1) && *lines.column(last + 1) >= column &&
         (column == owner || *lines.column(last + 1) < owner) &&
         !lines.ends(last + 1, block.isDefinition))
    ++last;
  // Code farther left belongs elsewhere, unless what is around the block goes on behind it.
  if (column < owner && lines.column(last + 1).value_or(0) < owner)
    return {};
  const uint32_t numBlanks = owner + kIndent - column;
  std::vector<DiagnosticFix> fixes{indentLines(lines, first, last, numBlanks, block.file)};
  // What of a loop's lines are surely its own goes before all that could be.
  std::vector<std::string_view> code;
  for (uint32_t line = first; line <= last; ++line)
    code.push_back(lines.text(line));
  const auto numOwn =
      static_cast<uint32_t>(first > 0 ? numLoopLines(lines.text(first - 1), code) : 0);
  const uint32_t own = first + numOwn - 1;
  if (numOwn > 1 && own < last && lines.column(own + 1) == column)
    fixes.insert(fixes.begin(), indentLines(lines, first, own, numBlanks, block.file));
  if (last > first && !block.isDefinition)
    fixes.push_back(indentLines(lines, first, first, numBlanks, block.file));
  return fixes;
}

std::vector<DiagnosticFix> unindentFix(std::string_view source,
                                       const std::vector<uint32_t> &lineOffsets,
                                       const SourceRange &blank, uint32_t column) {
  const Lines lines(source, lineOffsets);
  const uint32_t first = blank.begin.line, from = blank.end.column;
  const auto isBlank = [&](uint32_t line) {
    return lines.text(line).find_first_not_of(" \t") == std::string_view::npos;
  };
  const auto isInside = [&](uint32_t line) {
    const size_t at = lines.text(line).find_first_not_of(' ');
    return at != std::string_view::npos && at >= from;
  };
  if (from <= column || !isInside(first))
    return {};
  uint32_t last = first;
  for (uint32_t line = first; line < lineOffsets.size() && (isBlank(line) || isInside(line));
       ++line)
    if (!isBlank(line))
      last = line;
  std::string text;
  for (uint32_t line = first; line <= last; ++line)
    (text += line == first ? "" : "\n") +=
        isBlank(line) ? std::string_view() : lines.text(line).substr(from - column);
  if (text.find('\t') != std::string::npos || text.find("\"\"\"") != std::string::npos ||
      text.find("'''") != std::string::npos)
    return {};
  const Position end{last, static_cast<uint32_t>(lines.text(last).size())};
  return {{{{first, 0}, end, blank.file},
           text,
           last == first ? "indent as the line above"
                         : "unindent lines " + std::to_string(first + 1) + " to " +
                               std::to_string(last + 1)}};
}

/// Moves the lines right above that of `blank` as far right as that, if they are what stands out: at
/// `column`, between lines of one block. Empty where they are not.
static std::vector<DiagnosticFix> strayLinesFix(std::string_view source,
                                                const std::vector<uint32_t> &lineOffsets,
                                                const SourceRange &blank, uint32_t column) {
  const Lines lines(source, lineOffsets);
  const uint32_t from = blank.end.column;
  // Blank lines and comments have no column, and end nothing.
  const auto above = [&](uint32_t line) {
    while (line > 0 && !lines.column(line - 1))
      --line;
    return line;
  };
  uint32_t first = blank.begin.line;
  for (uint32_t next = above(first);
       next > 0 && lines.column(next - 1) == column && !lines.ends(next - 1, true);
       next = above(first))
    first = next - 1;
  if (first == blank.begin.line || from <= column)
    return {};
  // What is farther right belongs to a line of the same block, as an inner block or the rest of its brackets.
  uint32_t before = above(first);
  while (before > 0 && lines.column(before - 1).value_or(from) > from)
    before = above(before - 1);
  if (before == 0 || lines.column(before - 1) != from)
    return {};
  const uint32_t last = above(blank.begin.line) - 1;
  return {indentLines(lines, first, last, from - column, blank.file)};
}

/// Whether the line is below the head of a function that begins at the left edge.
static bool isInFunction(const Lines &lines, uint32_t line) {
  while (line > 0 && (lines.column(line - 1) != 0U || lines.text(line - 1).starts_with(')')))
    --line;
  const std::string_view head = line > 0 ? lines.text(line - 1) : std::string_view();
  return head.starts_with("def ") || head.starts_with("async def ");
}

std::vector<DiagnosticFix> unexpectedIndentFixes(std::string_view source,
                                                 const std::vector<uint32_t> &lineOffsets,
                                                 const SourceRange &blank, uint32_t column) {
  std::vector<DiagnosticFix> fixes = strayLinesFix(source, lineOffsets, blank, column);
  const bool areOfFunction = column == 0 && !fixes.empty() &&
                             isInFunction({source, lineOffsets}, fixes.front().range.begin.line);
  std::ranges::move(unindentFix(source, lineOffsets, blank, column), std::back_inserter(fixes));
  if (!areOfFunction)
    std::ranges::stable_sort(fixes, {}, [](const DiagnosticFix &fix) {
      return fix.range.end.line - fix.range.begin.line;
    });
  return fixes;
}

std::vector<DiagnosticFix> unindentClauseFix(std::string_view source,
                                             const std::vector<uint32_t> &lineOffsets,
                                             const SourceRange &clause) {
  static constexpr std::string_view kOwners[] = {"if", "elif", "for", "while"};
  const Lines lines(source, lineOffsets);
  if (lines.column(clause.begin.line) != clause.begin.column)
    return {};
  uint32_t line = clause.begin.line;
  while (line > 0 && lines.column(line).value_or(clause.begin.column) >= clause.begin.column)
    --line;
  const uint32_t owner = lines.column(line).value_or(clause.begin.column);
  if (owner >= clause.begin.column)
    return {};
  const std::string_view code = lines.text(line).substr(owner);
  const std::string_view word = code.substr(0, code.find_first_of(" ("));
  if (std::ranges::find(kOwners, word) == std::end(kOwners))
    return {};
  const SourceRange blank{{clause.begin.line, 0}, clause.begin, clause.file};
  std::vector<DiagnosticFix> fixes = unindentFix(source, lineOffsets, blank, owner);
  for (DiagnosticFix &fix : fixes)
    fix.title = "unindent to the `" + std::string(word) + "` in line " + std::to_string(line + 1);
  return fixes;
}

} // namespace tilescope::compiler::ast
