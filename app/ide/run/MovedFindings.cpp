// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/run/MovedFindings.h"

#include "compiler/artifacts/AppliedFix.h"
#include "compiler/support/Text.h"
#include "views/common/MovedPlaces.h"

#include <algorithm>

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

namespace {
/// Two texts in lines, one before an edit and one behind it.
struct EditedLines {
  std::vector<std::string_view> before, after;

  /// Whether a fix of one line makes of it what it is now.
  bool shows(const compiler::DiagnosticFix &fix, const MovedPlaces &places) const {
    const uint32_t line = fix.range.begin.line;
    const std::optional<Position> now = places.moved(Position{line, 0});
    if (fix.range.file != 0 || fix.range.end.line != line || line >= before.size() || !now ||
        now->line >= after.size() || before[line] == after[now->line])
      return false;
    compiler::DiagnosticFix inLine = fix;
    inLine.range.begin.line = inLine.range.end.line = 0;
    return compiler::fixedText(before[line], inLine) == after[now->line];
  }
};
} // namespace

/// Marks a finding in whose place another one was mended.
static void markUnchecked(Diagnostic &finding) {
  static const std::string kNote =
      "not checked since another finding in this line was fixed: the next run (F5) checks it";
  if (std::ranges::find(finding.notes, kNote) == finding.notes.end())
    finding.notes.push_back(kNote);
}

/// Around a change that is the fix of another finding: where it is now. Nothing: it goes.
static std::optional<SourceRange> aroundFix(const Diagnostic &finding,
                                            const std::vector<compiler::DiagnosticFix> &applied,
                                            const MovedPlaces &places) {
  const auto isIn = [&](const compiler::DiagnosticFix &fix) {
    return finding.range.begin.line == finding.range.end.line &&
           fix.range.begin.line == finding.range.begin.line;
  };
  const auto isOwn = [&](const compiler::DiagnosticFix &fix) {
    return std::ranges::any_of(applied, [&](const auto &each) {
      return each.range == fix.range && each.replacement == fix.replacement;
    });
  };
  if (finding.range.file != 0 || std::ranges::none_of(applied, isIn) ||
      std::ranges::any_of(finding.fixes, isOwn))
    return std::nullopt;
  return places.moved(finding.range);
}

std::vector<Diagnostic> movedFindings(std::vector<Diagnostic> findings, std::string_view before,
                                      std::string_view after) {
  if (before == after)
    return findings;
  const MovedPlaces places(before, after);
  const EditedLines lines{splitLines(before), splitLines(after)};
  std::vector<compiler::DiagnosticFix> applied;
  for (const Diagnostic &finding : findings)
    std::ranges::copy_if(finding.fixes, std::back_inserter(applied),
                         [&](const auto &fix) { return lines.shows(fix, places); });
  std::erase_if(findings, [&](Diagnostic &finding) {
    if (move(finding.range, places))
      return false;
    const std::optional<SourceRange> now = aroundFix(finding, applied, places);
    if (now) {
      finding.range = *now;
      markUnchecked(finding);
    }
    return !now;
  });
  for (Diagnostic &finding : findings) {
    std::erase_if(finding.labels, [&](auto &label) { return !move(label.range, places); });
    std::erase_if(finding.fixes, [&](auto &fix) { return !move(fix.range, places); });
  }
  return findings;
}

} // namespace tilescope::app
