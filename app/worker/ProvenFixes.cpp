// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/ProvenFixes.h"

#include "app/launch/ResolveLaunch.h"
#include "compiler/artifacts/AppliedFix.h"
#include "compiler/support/TimeLimit.h"
#include "profiler/package/LaunchBlock.h"

#include <algorithm>
#include <chrono>
#include <string_view>

namespace tilescope::app {

using namespace compiler;

static constexpr size_t kMostFixes = 8;
/// The user waits for the diagnostics meanwhile.
static constexpr std::chrono::milliseconds kMostTime(200);

/// Whether the kind is of a run, whose fixes are tried by running.
static bool isOfRun(DiagnosticKind kind) { return diagnosticId(kind).starts_with("run-"); }

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
  size_t begin = 0;
  for (uint32_t line = 0; line < range.begin.line; ++line) {
    begin = text.find('\n', begin);
    if (begin == std::string_view::npos)
      return {};
    ++begin;
  }
  size_t end = begin;
  for (uint32_t line = range.begin.line; line < range.end.line; ++line) {
    end = text.find('\n', end);
    if (end == std::string_view::npos)
      return {};
    ++end;
  }
  begin += range.begin.column;
  end += range.end.column;
  return begin <= end && end <= text.size() ? text.substr(begin, end - begin) : std::string_view();
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
  const std::string_view code = textAt(fixed, found.range);
  return code.empty() || textAt(trial.text, trial.fix.range).find(code) == std::string_view::npos;
}

/// Nothing: there was no time to find out.
static std::optional<bool> isProven(Compiler &worker, const CompileRequest &request,
                                    const Trial &trial, const std::stop_token &stop) {
  CompileRequest fixed = request;
  fixed.text = fixedText(request.text, trial.fix);
  const std::vector<Diagnostic> found = diagnosticsOf(worker, fixed, stop);
  if (stop.stop_requested())
    return std::nullopt;
  return std::ranges::none_of(found, [&](const Diagnostic &each) {
    return isLeft(trial, each) || isNewError(trial, fixed.text, each);
  });
}

/// Whether a fix can do no harm to the code although it was not tried.
static bool isHarmless(const CompileRequest &request, const Diagnostic &diagnostic,
                       const DiagnosticFix &fix) {
  const auto blocks = profiler::parseLaunchBlocks(request.text).blocks;
  return diagnosticId(diagnostic.kind).starts_with("syntax-") ||
         std::ranges::any_of(blocks, [&](const profiler::LaunchBlock &block) {
           return isInside(fix.range, block.range);
         });
}

void keepProvenFixes(Compiler &worker, const CompileRequest &request,
                     std::vector<Diagnostic> &diagnostics, const std::stop_token &stop) {
  const auto isTried = [](const Diagnostic &each) {
    return !each.fixes.empty() && !isOfRun(each.kind);
  };
  if (request.entry != StageId::Ast || std::ranges::none_of(diagnostics, isTried))
    return;
  const TimeLimit limit(stop, kMostTime);
  size_t numTried = 0;
  for (Diagnostic &diagnostic : diagnostics) {
    if (!isTried(diagnostic))
      continue;
    // Trials read the diagnostic.
    const Diagnostic mended = diagnostic;
    std::erase_if(diagnostic.fixes, [&](const DiagnosticFix &fix) {
      if (fix.range.file != 0)
        return false;
      std::optional<bool> proven;
      if (numTried++ < kMostFixes && !limit.token().stop_requested())
        proven = isProven(worker, request, {request.text, mended, fix}, limit.token());
      return !proven.value_or(isHarmless(request, diagnostic, fix));
    });
  }
}

} // namespace tilescope::app
