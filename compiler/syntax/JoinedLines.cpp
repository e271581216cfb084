// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/JoinedLines.h"

#include "compiler/syntax/Ast.h"
#include "compiler/syntax/FunctionText.h"

#include <algorithm>
#include <string>

namespace tilescope::compiler::ast {

static bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// The word that begins at `at`; empty where none does.
static std::string_view wordAt(std::string_view source, size_t at) {
  size_t end = at;
  while (end < source.size() && isWordByte(source[end]))
    ++end;
  const bool begins = at == 0 || !isWordByte(source[at - 1]);
  return begins && end > at && !isDigit(source[at]) ? source.substr(at, end - at)
                                                    : std::string_view();
}

bool hasWord(std::string_view source, std::string_view word) {
  for (size_t at = source.find(word); at != std::string_view::npos; at = source.find(word, at + 1))
    if (wordAt(source, at) == word)
      return true;
  return false;
}

std::vector<DiagnosticFix> partLinesFix(std::string_view source,
                                        const std::vector<uint32_t> &lineOffsets,
                                        const SourceRange &between, uint32_t column) {
  const size_t next = lineOffsets[between.end.line] + between.end.column;
  const std::string_view line = source.substr(0, source.find('\n', next));
  const size_t end = std::min(line.find(' ', next), line.size());
  return {{between, "\n" + std::string(column, ' '),
           "begin a line with `" + std::string(line.substr(next, end - next)) + "`"}};
}

std::vector<DiagnosticFix> partWordFix(std::string_view source,
                                       const std::vector<uint32_t> &lineOffsets, Position end,
                                       uint32_t column, uint32_t file) {
  const size_t last = lineOffsets[end.line] + end.column;
  size_t first = last;
  while (first > 0 && isWordByte(source[first - 1]))
    --first;
  const std::string_view word = wordAt(source, first);
  // The longest beginning is what was meant: `n_cols` of `n_colsy`, not `n`.
  for (size_t size = word.size(); size-- > 1;)
    if (const std::string_view rest = word.substr(size);
        !isDigit(rest.front()) && hasWord(source, word.substr(0, size)) && hasWord(source, rest)) {
      const Position at{end.line, end.column - static_cast<uint32_t>(rest.size())};
      return partLinesFix(source, lineOffsets, {at, at, file}, column);
    }
  return {};
}

DiagnosticFix commaFix(const SourceRange &end) { return {end, ",", "add the missing comma"}; }

/// Whether the line begins with the name, or assigns to what ends with it.
static bool mayAssign(std::string_view line, std::string_view name) {
  const size_t first = std::min(line.find_first_not_of(" \t"), line.size());
  if (wordAt(line, first) == name)
    return true;
  for (size_t at = line.find(name); at != std::string_view::npos; at = line.find(name, at + 1)) {
    std::string_view rest = line.substr(at + name.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    if (rest.starts_with('=') && !rest.starts_with("=="))
      return true;
  }
  return false;
}

bool isOfBrokenLine(const SyntaxTree &tree, std::string_view name) {
  const std::string_view source = tree.source;
  return std::ranges::any_of(tree.diagnostics, [&](const Diagnostic &error) {
    const uint32_t line = error.range.begin.line;
    if (error.severity != Severity::Error || line >= tree.lineOffsets.size())
      return false;
    const std::string_view text = source.substr(tree.lineOffsets[line]);
    return mayAssign(text.substr(0, text.find('\n')), name);
  });
}

} // namespace tilescope::compiler::ast
