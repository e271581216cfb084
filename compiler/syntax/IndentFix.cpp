// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/IndentFix.h"

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

  bool beginsDefinition(uint32_t line) const {
    const std::string_view code = text(line).substr(column(line).value_or(0));
    return std::ranges::any_of(kDefinitions,
                               [&](std::string_view word) { return code.starts_with(word); });
  }

private:
  static constexpr std::string_view kDefinitions[] = {"@", "async ", "class ", "def "};

  std::string_view m_source;
  const std::vector<uint32_t> &m_offsets;
};

} // namespace

std::vector<DiagnosticFix> indentFix(std::string_view source,
                                     const std::vector<uint32_t> &lineOffsets, Position begin,
                                     uint32_t file) {
  static constexpr uint32_t kIndent = 4;
  const Lines lines(source, lineOffsets);
  const auto belongs = [&](uint32_t line) {
    return lines.column(line).value_or(0) >= begin.column && lines.column(line) &&
           !lines.beginsDefinition(line);
  };
  if (lines.column(begin.line) != begin.column || !belongs(begin.line))
    return {};
  // Where the first line alone was forgotten, the next one says how far.
  const uint32_t next = lines.column(begin.line + 1).value_or(0);
  const bool isAlone = next > begin.column;
  const std::string blanks(isAlone ? next - begin.column : kIndent, ' ');
  uint32_t last = begin.line;
  std::string indented = blanks + std::string(lines.text(last));
  while (!isAlone && belongs(last + 1))
    indented += "\n" + blanks + std::string(lines.text(++last));
  const std::string first = std::to_string(begin.line + 1);
  const Position end{last, static_cast<uint32_t>(lines.text(last).size())};
  return {{{{begin.line, 0}, end, file},
           indented,
           last == begin.line ? "indent line " + first
                              : "indent lines " + first + " to " + std::to_string(last + 1)}};
}

} // namespace tilescope::compiler::ast
