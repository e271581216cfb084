// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/TextChange.h"

#include <algorithm>

namespace tilescope::views {

static Position endOf(Position at, std::string_view text) {
  const auto numFeeds = static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n'));
  const size_t feed = text.rfind('\n');
  const auto tail = static_cast<uint32_t>(text.size() - (numFeeds > 0 ? feed + 1 : 0));
  return {at.line + numFeeds, numFeeds > 0 ? tail : at.column + tail};
}

TextChange TextChange::insertion(Position at, std::string_view text) {
  return {at, at, endOf(at, text)};
}

TextChange TextChange::deletion(Position at, std::string_view text) {
  return {at, endOf(at, text), at};
}

Position TextChange::moved(Position position) const {
  if (position < begin)
    return position;
  if (position < oldEnd)
    return newEnd;
  if (position.line != oldEnd.line)
    return {position.line - oldEnd.line + newEnd.line, position.column};
  return {newEnd.line, newEnd.column + (position.column - oldEnd.column)};
}

SourceRange TextChange::moved(SourceRange range) const {
  if (range.file != 0)
    return range;
  // Text typed right behind a range does not belong to it.
  const bool isBehind = range.end == begin && !range.empty();
  return {moved(range.begin), isBehind ? range.end : moved(range.end), range.file};
}

bool TextChange::touches(const SourceRange &range) const {
  return range.file == 0 && begin <= range.end && range.begin <= oldEnd;
}

void moveDiagnostics(std::vector<compiler::Diagnostic> &diagnostics, const TextChange &change) {
  for (compiler::Diagnostic &diagnostic : diagnostics) {
    std::erase_if(diagnostic.fixes,
                  [&](const compiler::DiagnosticFix &fix) { return change.touches(fix.range); });
    diagnostic.range = change.moved(diagnostic.range);
    for (compiler::DiagnosticLabel &label : diagnostic.labels)
      label.range = change.moved(label.range);
    for (compiler::DiagnosticFix &fix : diagnostic.fixes)
      fix.range = change.moved(fix.range);
  }
}

} // namespace tilescope::views
