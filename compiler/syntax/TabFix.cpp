// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/TabFix.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>

namespace tilescope::compiler::ast {
namespace {

/// A line that begins a statement.
struct CodeLine {
  uint32_t line = 0;
  std::string_view blanks;
  /// The line of code before ends with a colon.
  bool beginsBlock = false;
};

/// The columns at which lines begin when a tab has a certain width.
struct Columns {
  std::vector<uint32_t> ofLines;
  /// Of lines that fit no level, or do not begin the block that they should.
  size_t numUnfit = 0;
};

} // namespace

static bool isSpacing(TokenKind kind) {
  return kind == TokenKind::Newline || kind == TokenKind::Indent || kind == TokenKind::Dedent ||
         kind == TokenKind::EndOfFile;
}

static std::vector<CodeLine> codeLines(std::string_view source,
                                       const std::vector<uint32_t> &lineOffsets,
                                       const std::vector<Token> &tokens) {
  std::vector<CodeLine> lines;
  TokenKind last = TokenKind::EndOfFile, before = TokenKind::EndOfFile;
  for (const Token &token : tokens) {
    if (!isSpacing(token.kind) && isSpacing(before)) {
      const uint32_t begin = lineOffsets[token.beginLine];
      lines.push_back(
          {token.beginLine, source.substr(begin, token.begin - begin), last == TokenKind::Colon});
    }
    before = token.kind;
    if (!isSpacing(token.kind))
      last = token.kind;
  }
  return lines;
}

static uint32_t widthOf(std::string_view blanks, uint32_t tabWidth) {
  uint32_t column = 0;
  for (const char c : blanks)
    column = c == '\t' ? (column / tabWidth + 1) * tabWidth : column + 1;
  return column;
}

static Columns columnsOf(std::span<const CodeLine> lines, uint32_t tabWidth) {
  Columns columns;
  std::vector<uint32_t> levels{0};
  for (const CodeLine &line : lines) {
    const uint32_t wanted = widthOf(line.blanks, tabWidth);
    if (line.beginsBlock && wanted > levels.back())
      levels.push_back(wanted);
    else if (line.beginsBlock)
      ++columns.numUnfit;
    uint32_t inner = levels.back();
    while (wanted < levels.back()) {
      inner = levels.back();
      levels.pop_back();
    }
    if (inner > wanted && wanted - levels.back() >= inner - wanted)
      levels.push_back(inner);
    columns.numUnfit += levels.back() != wanted;
    columns.ofLines.push_back(levels.back());
  }
  return columns;
}

/// The lines of code of the statement at the margin that `line` is in.
static std::span<const CodeLine> statementAround(const std::vector<CodeLine> &lines,
                                                 uint32_t line) {
  const auto isMargin = [](const CodeLine &each) { return each.blanks.empty(); };
  const auto behind = std::ranges::upper_bound(lines, line, {}, &CodeLine::line);
  const auto above = std::find_if(std::make_reverse_iterator(behind), lines.rend(), isMargin);
  const auto first = above == lines.rend() ? lines.begin() : above.base() - 1;
  return {first, std::find_if(behind, lines.end(), isMargin)};
}

static std::optional<DiagnosticFix> tabFix(std::span<const CodeLine> lines, std::string_view source,
                                           const std::vector<uint32_t> &lineOffsets,
                                           uint32_t file) {
  const auto hasTab = [](const CodeLine &line) {
    return line.blanks.find('\t') != line.blanks.npos;
  };
  const auto hasSpace = [](const CodeLine &line) {
    return line.blanks.find(' ') != line.blanks.npos;
  };
  if (std::ranges::none_of(lines, hasTab) || std::ranges::none_of(lines, hasSpace))
    return std::nullopt;
  // As editors show tabs, unless fewer lines fit.
  Columns best = columnsOf(lines, 4);
  for (const uint32_t width : {8, 2})
    if (Columns other = columnsOf(lines, width); other.numUnfit < best.numUnfit)
      best = std::move(other);
  std::string text;
  uint32_t copied = lineOffsets[lines.front().line];
  for (size_t i = 0; i < lines.size(); ++i) {
    const uint32_t begin = lineOffsets[lines[i].line];
    text += source.substr(copied, begin - copied);
    text += std::string(best.ofLines[i], ' ');
    copied = begin + static_cast<uint32_t>(lines[i].blanks.size());
  }
  const CodeLine &last = lines.back();
  const auto end = static_cast<uint32_t>(last.blanks.size());
  return DiagnosticFix{{{lines.front().line, 0}, {last.line, end}, file},
                       std::move(text),
                       "turn tabs of indentation into spaces"};
}

void addTabFixes(std::vector<Diagnostic> &diagnostics, std::string_view source,
                 const std::vector<uint32_t> &lineOffsets, const std::vector<Token> &tokens) {
  const auto isOfIndentation = [](const Diagnostic &diagnostic) {
    return diagnostic.kind == DiagnosticKind::SyntaxIndentation;
  };
  if (std::ranges::none_of(diagnostics, isOfIndentation))
    return;
  const std::vector<CodeLine> lines = codeLines(source, lineOffsets, tokens);
  for (Diagnostic &diagnostic : diagnostics) {
    if (!isOfIndentation(diagnostic))
      continue;
    const SourceRange &place = diagnostic.range;
    if (auto fix =
            tabFix(statementAround(lines, place.begin.line), source, lineOffsets, place.file))
      diagnostic.fixes = {std::move(*fix)};
  }
}

} // namespace tilescope::compiler::ast
