// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/run/MovedFindings.h"

#include <algorithm>

namespace tilescope::app {

using compiler::Diagnostic;

namespace {
/// The lines of a text that a change touches, and by how many those behind them move.
struct LineChange {
  int64_t first = 0;
  /// Of the text before; half-open.
  int64_t end = 0;
  int64_t shift = 0;

  /// False: the place is lost.
  bool move(SourceRange &range) const {
    if (range.file != 0 || int64_t{range.end.line} < first)
      return true;
    if (int64_t{range.begin.line} < end)
      return false;
    range.begin.line = static_cast<uint32_t>(range.begin.line + shift);
    range.end.line = static_cast<uint32_t>(range.end.line + shift);
    return true;
  }
};
} // namespace

static LineChange changeOf(std::string_view before, std::string_view after) {
  const auto begin = static_cast<size_t>(std::ranges::mismatch(before, after).in1 - before.begin());
  size_t tail = 0;
  const size_t most = std::min(before.size(), after.size()) - begin;
  while (tail < most && before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
    ++tail;
  const auto feeds = [](std::string_view text) { return std::ranges::count(text, '\n'); };
  const std::string_view lost = before.substr(begin, before.size() - tail - begin);
  const std::string_view made = after.substr(begin, after.size() - tail - begin);
  LineChange change;
  change.first = feeds(before.substr(0, begin));
  change.end = change.first + feeds(lost) + 1;
  change.shift = feeds(made) - feeds(lost);
  // Whole lines that come in front of a line leave it as it is.
  const bool isAtStart = begin == 0 || before[begin - 1] == '\n';
  if (isAtStart && (lost.empty() || lost.ends_with('\n')) && (made.empty() || made.ends_with('\n')))
    --change.end;
  return change;
}

std::vector<Diagnostic> movedFindings(std::vector<Diagnostic> findings, std::string_view before,
                                      std::string_view after) {
  if (before == after)
    return findings;
  const LineChange change = changeOf(before, after);
  std::erase_if(findings, [&](Diagnostic &finding) { return !change.move(finding.range); });
  for (Diagnostic &finding : findings) {
    std::erase_if(finding.labels, [&](auto &label) { return !change.move(label.range); });
    std::erase_if(finding.fixes, [&](auto &fix) { return !change.move(fix.range); });
  }
  return findings;
}

} // namespace tilescope::app
