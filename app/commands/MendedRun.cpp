// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/MendedRun.h"

#include "compiler/artifacts/AppliedFix.h"
#include "compiler/artifacts/RunDiagnostics.h"
#include "compiler/artifacts/RunFindings.h"

#include <algorithm>
#include <optional>

namespace tilescope::app {

using compiler::Diagnostic;
using compiler::DiagnosticFix;
using compiler::DiagnosticKind;
using profiler::OutputResult;

bool isFault(const Diagnostic &diagnostic) {
  // Of a load whose mask is never true, which a kernel may mean so, but no fix.
  if (diagnostic.severity == compiler::Severity::Note)
    return diagnostic.kind == DiagnosticKind::RunUndefined;
  return diagnostic.severity == compiler::Severity::Error ||
         (isOfRun(diagnostic) && diagnostic.kind != DiagnosticKind::RunMismatch);
}

static SourceRange moved(SourceRange range, const Fixes &change) {
  for (const DiagnosticFix &fix : change)
    range = movedRange(fix, range);
  return range;
}

bool wasThere(const LaunchRun &before, const Diagnostic &found, const Fixes &change) {
  const auto isThere = [&](const SourceRange &range) {
    const SourceRange now = moved(range, change);
    return now.file == found.range.file && now.begin.line == found.range.begin.line;
  };
  return std::ranges::any_of(before.diagnostics, [&](const Diagnostic &each) {
    return each.kind == found.kind &&
           (isThere(each.range) || std::ranges::any_of(each.labels, [&](const auto &label) {
              return isThere(label.range);
            }));
  });
}

static const OutputResult *outputOf(const LaunchRun &run, const std::string &name) {
  const auto found = std::ranges::find(run.measurement->outputs, name, &OutputResult::name);
  return found == run.measurement->outputs.end() ? nullptr : &*found;
}

bool areAllRight(const LaunchRun &run) {
  return std::ranges::none_of(run.measurement->outputs,
                              [](const OutputResult &output) { return output.isWrong(); });
}

bool isWrong(const LaunchRun &run, const std::string &name) {
  const OutputResult *output = outputOf(run, name);
  return output && output->isWrong();
}

bool leavesOut(const LaunchRun &run) {
  return std::ranges::any_of(run.measurement->outputs, [](const OutputResult &output) {
    return output.changed && output.neverWritten.value_or(0) > 0;
  });
}

/// Elements that differ from what is expected; nothing where that is not known.
static std::optional<int64_t> mismatchesOf(const OutputResult &output) {
  return output.comparison && output.comparison->fault.empty()
             ? std::optional(output.comparison->mismatches)
             : std::nullopt;
}

static bool isAsGood(const OutputResult &before, const OutputResult *after) {
  if (!after || (before.changed && !after->changed) ||
      after->neverWritten.value_or(0) > before.neverWritten.value_or(0) ||
      after->numNan.value_or(0) > before.numNan.value_or(0))
    return false;
  const std::optional<int64_t> were = mismatchesOf(before), are = mismatchesOf(*after);
  return !were || (are && *are <= *were);
}

bool isGone(const LaunchRun &before, const LaunchRun &after, const Diagnostic &finding,
            const Fixes &change) {
  if (finding.kind == DiagnosticKind::RunMismatch) {
    const OutputResult *was = outputOf(before, finding.cause.subject);
    const OutputResult *is = outputOf(after, finding.cause.subject);
    const std::optional<int64_t> were = was ? mismatchesOf(*was) : std::nullopt;
    const std::optional<int64_t> are = is ? mismatchesOf(*is) : std::nullopt;
    // A few elements of many may come to be right by chance.
    constexpr int64_t kLeastShare = 10;
    return were && are && (*were == 0 || (*were > *are && (*were - *are) * kLeastShare >= *were));
  }
  const Position place = moved(finding.range, change).begin;
  return std::ranges::none_of(after.diagnostics, [&](const Diagnostic &each) {
    return each.kind == finding.kind && each.range.file == finding.range.file &&
           each.range.begin == place && each.cause.subject == finding.cause.subject;
  });
}

std::string leftAsWrong(const LaunchRun &before, const LaunchRun &after) {
  for (const OutputResult &output : before.measurement->outputs) {
    const OutputResult *is = outputOf(after, output.name);
    const std::optional<int64_t> were = mismatchesOf(output);
    if (is && were && *were > 0 && mismatchesOf(*is) == were)
      return output.name;
  }
  return {};
}

void doubtIndex(Diagnostic &finding, const DoubtedIndex &doubt) {
  const auto isMask = [&](const DiagnosticFix &fix) {
    return std::ranges::find(doubt.masks, fix) != doubt.masks.end();
  };
  if (!std::ranges::all_of(finding.fixes, isMask)) {
    std::erase_if(finding.fixes, isMask);
    return;
  }
  finding.message = compiler::withoutAdvice(finding.message);
  finding.notes.push_back("a `mask` can keep it inside, but as many elements of `" + doubt.output +
                          "` differ then: the index itself may be wrong");
}

bool isMended(const LaunchRun &before, const LaunchRun &after, const Diagnostic &finding,
              const Fixes &change) {
  if (!before.measurement || !after.measurement || !isGone(before, after, finding, change))
    return false;
  const bool isWorse = std::ranges::any_of(after.diagnostics, [&](const Diagnostic &each) {
    return isFault(each) && !wasThere(before, each, change);
  });
  return !isWorse &&
         std::ranges::all_of(before.measurement->outputs, [&](const OutputResult &output) {
           return isAsGood(output, outputOf(after, output.name));
         });
}

} // namespace tilescope::app
