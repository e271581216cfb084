// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/AppliedFix.h"

#include "compiler/support/TextOffset.h"

#include <algorithm>

namespace tilescope::compiler {

std::string fixedText(std::string_view text, const DiagnosticFix &fix) {
  const size_t begin = offsetOf(text, fix.range.begin);
  const size_t end = std::max(begin, offsetOf(text, fix.range.end));
  return std::string(text.substr(0, begin)) + fix.replacement + std::string(text.substr(end));
}

SourceRange writtenRange(const DiagnosticFix &fix) {
  SourceRange written = fix.range;
  const auto newlines = static_cast<uint32_t>(std::ranges::count(fix.replacement, '\n'));
  const size_t last = fix.replacement.rfind('\n');
  const auto length = static_cast<uint32_t>(
      last == std::string::npos ? fix.replacement.size() : fix.replacement.size() - last - 1);
  written.end = {written.begin.line + newlines,
                 newlines == 0 ? written.begin.column + length : length};
  return written;
}

SourceRange movedRange(const DiagnosticFix &fix, SourceRange range) {
  if (range.file != fix.range.file)
    return range;
  const SourceRange written = writtenRange(fix);
  const auto moved = [&](Position position, Position inside) -> Position {
    if (position <= fix.range.begin)
      return position;
    if (position < fix.range.end)
      return inside;
    if (position.line == fix.range.end.line)
      return {written.end.line, written.end.column + position.column - fix.range.end.column};
    return {written.end.line + position.line - fix.range.end.line, position.column};
  };
  return {moved(range.begin, written.begin), moved(range.end, written.end), range.file};
}

} // namespace tilescope::compiler
