// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/SharedFixes.h"

#include "compiler/artifacts/RunFindings.h"
#include "profiler/package/LaunchBlock.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace tilescope::app {

using compiler::Diagnostic;
using compiler::DiagnosticFix;
using compiler::DiagnosticKind;

static constexpr std::string_view kTakesPadding =
    "an `other` would only be stored as a result: the store covers elements that the load leaves "
    "out, so rows and columns may be exchanged, or a reduction may use the wrong axis";

/// Those that mend outputs, but for changes of the launch block, whose inputs are others.
static Fixes fixesOfOutputs(const std::string &text, const LaunchRun &run) {
  const auto blocks = profiler::parseLaunchBlocks(text).blocks;
  const auto isInBlock = [&](const DiagnosticFix &fix) {
    return std::ranges::any_of(blocks, [&](const profiler::LaunchBlock &block) {
      return block.range.begin <= fix.range.begin && fix.range.end <= block.range.end;
    });
  };
  Fixes found;
  for (const Diagnostic &each : run.diagnostics)
    for (const DiagnosticFix &fix : each.fixes)
      if (each.kind == DiagnosticKind::RunMismatch && !isInBlock(fix) &&
          std::ranges::find(found, fix) == found.end())
        found.push_back(fix);
  return found;
}

/// What an output's finding says of the place that the fix changes.
static void adoptReason(const LaunchRun &run, const DiagnosticFix &fix, Diagnostic &finding) {
  for (const Diagnostic &each : run.diagnostics)
    for (const compiler::DiagnosticLabel &label : each.labels)
      if (each.kind == DiagnosticKind::RunMismatch && label.range == fix.range &&
          std::ranges::find(finding.labels, label) == finding.labels.end())
        finding.labels.push_back(label);
}

void shareFixes(const std::string &text, const LaunchRun &before, const std::vector<size_t> &padded,
                const std::function<Fixes(const Diagnostic &)> &helping, LaunchRun &run) {
  const Fixes found = fixesOfOutputs(text, run);
  const LaunchRun settled = run;
  for (size_t i = 0; i < run.diagnostics.size(); ++i) {
    Diagnostic &finding = run.diagnostics[i];
    const bool isPadded = std::ranges::find(padded, i) != padded.end();
    const bool isOutside = finding.kind == DiagnosticKind::RunAccessOutside;
    if (!isPadded && !isOutside)
      continue;
    Diagnostic asked = before.diagnostics[i];
    asked.fixes.clear();
    std::ranges::copy_if(found, std::back_inserter(asked.fixes), [&](const DiagnosticFix &fix) {
      return std::ranges::find(finding.fixes, fix) == finding.fixes.end();
    });
    const Fixes shared = asked.fixes.empty() ? Fixes() : helping(asked);
    if (shared.empty() && isPadded)
      finding.notes.emplace_back(kTakesPadding);
    if (shared.empty())
      continue;
    // An `other`, beside what mends it, would be as much of a detour.
    if (isPadded)
      finding.fixes.clear();
    finding.fixes.insert(finding.fixes.begin(), shared.begin(), shared.end());
    adoptReason(settled, shared.front(), finding);
    finding.message = compiler::withoutAdvice(finding.message) +
                      std::string(compiler::kBeforeAdvice) + shared.front().title;
  }
}

} // namespace tilescope::app
