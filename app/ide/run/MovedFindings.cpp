// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/run/MovedFindings.h"

#include "views/common/MovedPlaces.h"

namespace tilescope::app {

using compiler::Diagnostic;
using views::MovedPlaces;

/// False: something of the range is changed or gone.
static bool move(SourceRange &range, const MovedPlaces &places) {
  if (range.file != 0)
    return true;
  const std::optional<SourceRange> moved = places.unchanged(range);
  if (moved)
    range = *moved;
  return moved.has_value();
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
