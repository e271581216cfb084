// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Diagnostic.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler {

/// Stands between what a run found and what would mend it: "program 3 reads `x[1000]`, past its last element 999; add
/// `mask=i < n`".
inline constexpr std::string_view kBeforeAdvice = "; ";

/// The words of a finding without those that would mend it.
inline std::string withoutAdvice(const std::string &words) {
  return words.substr(0, words.find(kBeforeAdvice));
}

/// Whether a run found accesses in no order. What it left is then one of several outcomes, also where
/// it is what was expected.
inline bool hasRaces(const std::vector<Diagnostic> &findings) {
  return std::ranges::find(findings, DiagnosticKind::RunWriteRace, &Diagnostic::kind) !=
         findings.end();
}

/// Whether a finding is about that output, or about what decides where and whether the kernel writes,
/// and so about any.
inline bool concerns(const Diagnostic &finding, const std::string &output) {
  return (finding.cause.subject == output && !finding.cause.sparesSubject) ||
         finding.cause.need == Need::Pointer;
}

/// Whether what a finding is about takes part in an output.
inline bool takesPart(const Diagnostic &finding, const std::string &output) {
  return std::ranges::find(finding.cause.outputs, output) != finding.cause.outputs.end();
}

/// Whether a race leaves an output to chance: one for it, or for what it is computed from.
inline bool leavesToChance(const Diagnostic &finding, const std::string &output) {
  return finding.kind == DiagnosticKind::RunWriteRace &&
         (finding.cause.subject.empty() || concerns(finding, output) || takesPart(finding, output));
}

inline bool isByChance(const std::string &output, const std::vector<Diagnostic> &findings) {
  return std::ranges::any_of(findings,
                             [&](const Diagnostic &each) { return leavesToChance(each, output); });
}

/// Whether none of these races is between programs.
inline bool racesWithinPrograms(const std::string &output,
                                const std::vector<Diagnostic> &findings) {
  return std::ranges::none_of(findings, [&](const Diagnostic &each) {
    return leavesToChance(each, output) && !each.cause.isWithinProgram;
  });
}

/// Whether what is read outside of an argument takes part in an output.
inline bool takesOutside(const std::string &output, const std::vector<Diagnostic> &findings) {
  return std::ranges::any_of(findings, [&](const Diagnostic &each) {
    return each.kind == DiagnosticKind::RunAccessOutside && takesPart(each, output);
  });
}

/// Whether a run found programs that wait for others which the target may not begin.
inline bool canHang(const std::vector<Diagnostic> &findings) {
  return std::ranges::any_of(findings, [](const Diagnostic &each) {
    return each.kind == DiagnosticKind::RunStepLimit && each.severity == Severity::Warning;
  });
}

} // namespace tilescope::compiler
