// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/RightingFixes.h"

#include "compiler/artifacts/RunFindings.h"

#include <algorithm>
#include <utility>

namespace tilescope::app {

using compiler::DiagnosticFix;

bool isLeftAlone(const DiagnosticFix &fix) {
  return fix.range.file != 0 || fix.title.starts_with("guess the ");
}

static bool isRighting(const Fixes &righting, const DiagnosticFix &fix) {
  return std::ranges::find(righting, fix) != righting.end();
}

static bool hasOneOf(const Fixes &righting, const compiler::Diagnostic &finding) {
  return std::ranges::any_of(finding.fixes,
                             [&](const DiagnosticFix &fix) { return isRighting(righting, fix); });
}

void preferRighting(const Fixes &righting, compiler::Diagnostic &finding) {
  if (hasOneOf(righting, finding))
    std::erase_if(finding.fixes, [&](const DiagnosticFix &fix) {
      return !isRighting(righting, fix) && !isLeftAlone(fix);
    });
}

void rightAddress(const Fixes &righting, compiler::Diagnostic &finding) {
  if (finding.kind != compiler::DiagnosticKind::RunAccessOutside || finding.range.file != 0 ||
      hasOneOf(righting, finding))
    return;
  Fixes within;
  std::ranges::copy_if(righting, std::back_inserter(within), [&](const DiagnosticFix &fix) {
    return finding.range.begin <= fix.range.begin && fix.range.end <= finding.range.end;
  });
  if (within.empty())
    return;
  finding.fixes = std::move(within);
  finding.message = compiler::withoutAdvice(finding.message);
}

} // namespace tilescope::app
