// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/run/MovedFindings.h"

#include "views/common/MovedPlaces.h"

namespace tilescope::app {

using compiler::Diagnostic;
using views::MovedPlaces;

/// False: a line of the range is changed or gone.
static bool move(SourceRange &range, const MovedPlaces &places) {
  if (range.file != 0)
    return true;
  const std::optional<uint32_t> first = places.unchangedLine(range.begin.line);
  for (uint32_t line = range.begin.line; line <= range.end.line; ++line) {
    // Nothing of the line that it ends before belongs to it.
    const bool isBehind =
        line == range.end.line && line > range.begin.line && range.end.column == 0;
    const std::optional<uint32_t> moved = places.unchangedLine(line);
    if (!isBehind && (!first || moved != *first + line - range.begin.line))
      return false;
  }
  range.end.line += *first - range.begin.line;
  range.begin.line = *first;
  return true;
}

std::vector<Diagnostic> movedFindings(std::vector<Diagnostic> findings, std::string_view before,
                                      std::string_view after) {
  if (before == after)
    return findings;
  const MovedPlaces places(before, after);
  std::erase_if(findings, [&](Diagnostic &finding) { return !move(finding.range, places); });
  for (Diagnostic &finding : findings) {
    std::erase_if(finding.labels, [&](auto &label) { return !move(label.range, places); });
    std::erase_if(finding.fixes, [&](auto &fix) { return !move(fix.range, places); });
  }
  return findings;
}

} // namespace tilescope::app
