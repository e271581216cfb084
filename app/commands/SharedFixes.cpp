// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/SharedFixes.h"

#include "app/commands/KernelText.h"
#include "compiler/artifacts/RunFindings.h"
#include "compiler/artifacts/UntriedFixes.h"
#include "compiler/syntax/AccessArguments.h"
#include "profiler/package/LaunchBlock.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

namespace tilescope::app {

namespace ast = compiler::ast;
using compiler::Diagnostic;
using compiler::DiagnosticFix;
using compiler::DiagnosticKind;

static constexpr std::string_view kTakesPadding =
    "an `other` would only be stored as a result: the store covers elements that the load leaves "
    "out, so rows and columns may be exchanged, or a reduction may use the wrong axis";

static constexpr std::string_view kTakesReduced =
    "an `other` would only be stored as a result: a reduction takes in elements that the load "
    "leaves out, so it may use "
    "the wrong axis, or be meant element by element";
static constexpr std::string_view kTakesMixed =
    "an `other` would only be stored as a result: the store has the load's mask, and what is "
    "computed in between moves elements that it leaves out to where it lets them through";

/// The access at a place; null: there is none.
static const ast::Call *accessAt(const KernelText &kernel, const SourceRange &range) {
  const ast::Call *found = nullptr;
  kernel.walk([&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    if (call && call->range == range)
      found = call;
  });
  return found;
}

/// Whether what a store writes comes from a reduction, by the names that stand for it.
static bool isReduced(const KernelText &kernel, const ast::Expr &value) {
  return kernel.isMadeOf(value, [](const ast::Node &node) {
    return std::ranges::any_of(
        std::initializer_list<std::string_view>{"sum", "max", "min", "argmax", "argmin", "reduce"},
        [&](std::string_view reduction) { return KernelText::callOf(&node, reduction); });
  });
}

/// Why what a load leaves out comes to be stored, as far as the source shows it.
static std::string_view paddingWords(const KernelText &kernel, const Diagnostic &finding) {
  const ast::Call *store = accessAt(kernel, finding.range);
  const ast::Expr *value = store ? compiler::argument(*store, 1, "value") : nullptr;
  const ast::Expr *mask = store ? compiler::maskOf(*store) : nullptr;
  const bool hasSameMask =
      mask && std::ranges::any_of(finding.labels, [&](const compiler::DiagnosticLabel &label) {
        const ast::Call *load = accessAt(kernel, label.range);
        const ast::Expr *other = load ? compiler::maskOf(*load) : nullptr;
        return other && kernel.text(*other) == kernel.text(*mask);
      });
  if (value && isReduced(kernel, *value))
    return kTakesReduced;
  return hasSameMask ? kTakesMixed : kTakesPadding;
}

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
    const bool isRace = finding.kind == DiagnosticKind::RunWriteRace && finding.fixes.empty();
    if (!isPadded && !isOutside && !isRace)
      continue;
    Diagnostic asked = before.diagnostics[i];
    asked.fixes.clear();
    std::ranges::copy_if(found, std::back_inserter(asked.fixes), [&](const DiagnosticFix &fix) {
      return std::ranges::find(finding.fixes, fix) == finding.fixes.end();
    });
    const Fixes shared = asked.fixes.empty() ? Fixes() : helping(asked);
    if (shared.empty() && isPadded)
      finding.notes.emplace_back(
          paddingWords(KernelText(text, run.plan ? run.plan->kernel : ""), finding));
    if (shared.empty())
      continue;
    // An `other`, beside what mends it, would be as much of a detour.
    if (isPadded)
      finding.fixes.clear();
    compiler::eraseWhyNoFix(finding);
    finding.fixes.insert(finding.fixes.begin(), shared.begin(), shared.end());
    adoptReason(settled, shared.front(), finding);
    finding.message = compiler::withoutAdvice(finding.message) +
                      std::string(compiler::kBeforeAdvice) + shared.front().title;
  }
}

} // namespace tilescope::app
