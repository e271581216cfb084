// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/ProvenFixes.h"

#include "app/launch/ResolveLaunch.h"
#include "compiler/artifacts/AppliedFix.h"
#include "compiler/artifacts/RunDiagnostics.h"
#include "compiler/artifacts/UntriedFixes.h"
#include "compiler/support/TextOffset.h"
#include "compiler/support/TimeLimit.h"

#include <algorithm>
#include <chrono>
#include <string_view>

namespace tilescope::app {

using namespace compiler;

/// Nobody notices that diagnostics come so much later.
static constexpr std::chrono::milliseconds kUnnoticed(100);

/// What the user has chosen as an argument is none where a fix makes it a constexpr.
static void forgetConstexpr(const DiagnosticFix &fix, Selection &selection) {
  constexpr std::string_view kMake = "make `", kConstexpr = "` a constexpr";
  if (fix.title.starts_with(kMake) && fix.title.ends_with(kConstexpr))
    selection.signature.erase(
        fix.title.substr(kMake.size(), fix.title.size() - kMake.size() - kConstexpr.size()));
}

static std::vector<Diagnostic> diagnosticsOf(Compiler &worker, CompileRequest request,
                                             const std::stop_token &stop) {
  ResolvedLaunch launch = resolveLaunch(request);
  request.selection = launch.selection;
  request.stopAfter = launch.ok() ? std::min(request.stopAfter, StageId::Ttir) : request.entry;
  request.recordPassIr = request.collectFacts = false;
  CompileHooks hooks;
  hooks.stop = stop;
  hooks.wantsText = [](StageId) { return false; };
  hooks.wantsPasses = false;
  std::vector<Diagnostic> found = std::move(launch.diagnostics);
  std::ranges::move(worker.compile(request, hooks).result.diagnostics, std::back_inserter(found));
  return found;
}

static std::string_view textAt(std::string_view text, const SourceRange &range) {
  const size_t begin = offsetOf(text, range.begin);
  return text.substr(begin, std::max(begin, offsetOf(text, range.end)) - begin);
}

static bool isInside(const SourceRange &inner, const SourceRange &outer) {
  return inner.file == outer.file && outer.begin <= inner.begin && inner.end <= outer.end;
}

namespace {
/// A fix in its text.
struct Trial {
  const std::string &text;
  const Diagnostic &mended;
  const DiagnosticFix &fix;
};
} // namespace

/// Whether a diagnostic of the fixed text is the one that the fix should have mended.
static bool isLeft(const Trial &trial, const Diagnostic &found) {
  return found.kind == trial.mended.kind && found.message == trial.mended.message &&
         (found.range.begin == movedRange(trial.fix, trial.mended.range).begin ||
          isInside(found.range, writtenRange(trial.fix)));
}

/// Whether an error stands in what the fix wrote, and not in what it only took along: that was wrong before, though
/// it may have been hidden.
static bool isNewError(const Trial &trial, const std::string &fixed, const Diagnostic &found) {
  if (found.severity != Severity::Error || found.range.empty() ||
      !isInside(found.range, writtenRange(trial.fix)))
    return false;
  // It is mended by the next fix.
  if (found.kind == DiagnosticKind::UndefinedName &&
      std::ranges::any_of(found.fixes, [](const DiagnosticFix &next) {
        return next.title.starts_with("add the parameter ");
      }))
    return false;
  const std::string_view code = textAt(fixed, found.range);
  return code.empty() || textAt(trial.text, trial.fix.range).find(code) == std::string_view::npos;
}

/// Whether a fix changes no code: what is imported, or a comment, such as the launch block.
static bool isBesideCode(const std::string &text, const DiagnosticFix &fix) {
  const SourceRange lines{{fix.range.begin.line, 0}, fix.range.begin, 0};
  return fix.replacement.starts_with("import ") || fix.replacement.starts_with("from ") ||
         textAt(text, lines).starts_with('#');
}

/// Nothing: there was no time to find out.
static std::optional<bool> isProven(Compiler &worker, const CompileRequest &request,
                                    const Trial &trial, const std::stop_token &stop) {
  if (isBesideCode(request.text, trial.fix))
    return true;
  CompileRequest fixed = request;
  fixed.text = fixedText(request.text, trial.fix);
  forgetConstexpr(trial.fix, fixed.selection);
  const std::vector<Diagnostic> found = diagnosticsOf(worker, fixed, stop);
  if (stop.stop_requested())
    return std::nullopt;
  return std::ranges::none_of(found, [&](const Diagnostic &each) {
    return isLeft(trial, each) || isNewError(trial, fixed.text, each);
  });
}

/// The parser has tried it already.
static bool isOfSyntax(const Diagnostic &diagnostic) {
  return diagnosticId(diagnostic.kind).starts_with("syntax-");
}

void keepProvenFixes(Compiler &worker, const CompileRequest &request,
                     std::vector<Diagnostic> &diagnostics, const std::stop_token &stop,
                     const std::function<void()> &soFar, std::chrono::milliseconds mostTime) {
  const auto isTried = [](const Diagnostic &each) {
    // Those of a run are tried by running.
    return !each.fixes.empty() && !isOfRun(each);
  };
  if (request.entry != StageId::Ast || std::ranges::none_of(diagnostics, isTried))
    return;
  const std::vector<Diagnostic> found = diagnostics;
  for (Diagnostic &diagnostic : diagnostics)
    if (isTried(diagnostic))
      std::erase_if(diagnostic.fixes, [](const DiagnosticFix &fix) { return fix.range.file == 0; });
  const TimeLimit limit(stop, mostTime);
  const auto start = std::chrono::steady_clock::now();
  bool isTold = !soFar;
  for (size_t i = 0; i < found.size(); ++i) {
    if (!isTried(found[i]))
      continue;
    std::vector<DiagnosticFix> proven;
    bool isUntried = false;
    for (const DiagnosticFix &fix : found[i].fixes) {
      std::optional<bool> helps;
      if (fix.range.file != 0)
        helps = true;
      else if (!limit.token().stop_requested())
        helps = isProven(worker, request, {request.text, found[i], fix}, limit.token());
      if (helps.value_or(isOfSyntax(found[i]) || isBesideCode(request.text, fix)))
        proven.push_back(fix);
      else
        isUntried |= !helps;
    }
    diagnostics[i].fixes = std::move(proven);
    if (isUntried)
      noteUntriedFixes(diagnostics[i]);
    if (!isTold && std::chrono::steady_clock::now() - start > kUnnoticed) {
      isTold = true;
      soFar();
    }
  }
}

} // namespace tilescope::app
