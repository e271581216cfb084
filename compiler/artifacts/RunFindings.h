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

/// Whether a run found elements of a block that a GPU may combine in another order.
inline bool hasOrders(const std::vector<Diagnostic> &findings) {
  return std::ranges::find(findings, DiagnosticKind::RunOrder, &Diagnostic::kind) != findings.end();
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

/// Whether a finding is about an order in which a GPU may not do what this run did: a race, or elements of a block
/// that it combines in the order of the layout.
inline bool isAboutOrder(const Diagnostic &finding) {
  return finding.kind == DiagnosticKind::RunWriteRace || finding.kind == DiagnosticKind::RunOrder;
}

/// Whether an order leaves an output to chance: one for it, or for what it is computed from.
inline bool leavesToChance(const Diagnostic &finding, const std::string &output) {
  return isAboutOrder(finding) &&
         (finding.cause.subject.empty() || concerns(finding, output) || takesPart(finding, output));
}

inline bool isByChance(const std::string &output, const std::vector<Diagnostic> &findings) {
  return std::ranges::any_of(findings,
                             [&](const Diagnostic &each) { return leavesToChance(each, output); });
}

/// Whether what leaves an output to chance is a race, between programs or within one.
inline bool isRaced(const std::string &output, const std::vector<Diagnostic> &findings,
                    bool withinProgram) {
  return std::ranges::any_of(findings, [&](const Diagnostic &each) {
    return each.kind == DiagnosticKind::RunWriteRace && leavesToChance(each, output) &&
           each.cause.isWithinProgram == withinProgram;
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
