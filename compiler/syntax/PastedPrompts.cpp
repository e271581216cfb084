// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/PastedPrompts.h"

#include <algorithm>
#include <string>

namespace tilescope::compiler::ast {
namespace {

enum class LineKind { Code, Prompt, Continuation, Command };

struct PastedLine {
  LineKind kind = LineKind::Code;
  /// Of the prompt, with the blank behind it.
  size_t length = 0;
};

bool isCommand(std::string_view code) {
  return code.size() > 1 && (code[0] == '!' || code[0] == '%') && code[1] != ' ';
}

/// With the blank that separates it from the code.
PastedLine lineWith(LineKind kind, std::string_view line, size_t length) {
  return {kind, length + (line.substr(length).starts_with(' ') ? 1 : 0)};
}

/// Of `In [12]:`; 0: it is none.
size_t notebookPrompt(std::string_view line) {
  if (!line.starts_with("In ["))
    return 0;
  const size_t end = line.find_first_not_of("0123456789 ", 4);
  return end != line.npos && line.substr(end).starts_with("]:") ? end + 2 : 0;
}

PastedLine readLine(std::string_view line) {
  if (line.starts_with(">>>"))
    return lineWith(LineKind::Prompt, line, 3);
  if (const size_t length = notebookPrompt(line))
    return lineWith(LineKind::Prompt, line, length);
  const size_t blanks = std::min(line.find_first_not_of(' '), line.size());
  if (blanks == 0 && (line.starts_with("... ") || line == "..."))
    return lineWith(LineKind::Continuation, line, 3);
  if (blanks > 0 && line.substr(blanks).starts_with("...:"))
    return lineWith(LineKind::Continuation, line, blanks + 4);
  return isCommand(line) ? PastedLine{LineKind::Command, 0} : PastedLine{};
}

class Text {
public:
  Text(std::string_view source, const std::vector<uint32_t> &lineOffsets)
      : m_source(source), m_offsets(lineOffsets) {}

  uint32_t numLines() const { return static_cast<uint32_t>(m_offsets.size()); }
  std::string_view line(uint32_t number) const {
    const size_t begin = m_offsets[number];
    const size_t end = number + 1 < numLines() ? m_offsets[number + 1] : m_source.size();
    std::string_view text = m_source.substr(begin, end - begin);
    while (text.ends_with('\n') || text.ends_with('\r'))
      text.remove_suffix(1);
    return text;
  }

private:
  std::string_view m_source;
  const std::vector<uint32_t> &m_offsets;
};

} // namespace

/// The first line with a prompt or a command, at `last` at the latest.
static uint32_t firstPasted(const Text &text, uint32_t last) {
  for (uint32_t number = 0; number < last; ++number)
    if (const LineKind kind = readLine(text.line(number)).kind;
        kind == LineKind::Prompt || kind == LineKind::Command)
      return number;
  return last;
}

/// From that line to the last one that was pasted.
static DiagnosticFix withoutPrompts(const Text &text, uint32_t begin) {
  DiagnosticFix fix;
  fix.range.begin = {begin, 0};
  std::string code;
  for (uint32_t number = begin; number < text.numLines(); ++number) {
    const std::string_view line = text.line(number);
    const PastedLine pasted = readLine(line);
    const std::string_view rest = line.substr(pasted.length);
    code += number == begin ? "" : "\n";
    code += (pasted.kind != LineKind::Code && isCommand(rest) ? "# " : "") + std::string(rest);
    if (pasted.kind == LineKind::Code)
      continue;
    fix.replacement = code;
    fix.range.end = {number, static_cast<uint32_t>(line.size())};
  }
  return fix;
}

std::optional<Diagnostic> pastedPrompts(std::string_view source,
                                        const std::vector<uint32_t> &lineOffsets,
                                        const std::vector<Diagnostic> &diagnostics) {
  const auto first = std::ranges::find(diagnostics, Severity::Error, &Diagnostic::severity);
  const Text text(source, lineOffsets);
  if (first == diagnostics.end() || first->range.begin.line >= text.numLines())
    return std::nullopt;
  const uint32_t last = first->range.begin.line;
  if (readLine(text.line(last)).kind == LineKind::Code)
    return std::nullopt;
  const uint32_t begin = firstPasted(text, last);
  const PastedLine pasted = readLine(text.line(begin));
  // `...` alone is Python.
  if (pasted.kind == LineKind::Continuation)
    return std::nullopt;
  const bool isCommandLine = pasted.kind == LineKind::Command;
  const size_t length = isCommandLine ? text.line(begin).size() : pasted.length;
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::SyntaxExpectedExpression;
  diagnostic.range = {{begin, 0}, {begin, static_cast<uint32_t>(length)}, first->range.file};
  diagnostic.message = isCommandLine
                           ? "this is a command of a notebook, not Python"
                           : "this is a prompt of an interactive session or a notebook, not Python";
  DiagnosticFix fix = withoutPrompts(text, begin);
  fix.range.file = first->range.file;
  fix.title =
      isCommandLine ? "make comments of commands, and take prompts away" : "take all prompts away";
  diagnostic.fixes.push_back(std::move(fix));
  return diagnostic;
}

} // namespace tilescope::compiler::ast
