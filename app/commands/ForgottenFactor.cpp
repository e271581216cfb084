// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ForgottenFactor.h"

#include "app/commands/BareSums.h"
#include "app/commands/KernelText.h"
#include "app/commands/SeveralChanges.h"
#include "compiler/artifacts/RunFindings.h"
#include "compiler/support/WholeNumber.h"
#include "profiler/package/LaunchBlock.h"
#include "profiler/package/PlannedBlock.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace tilescope::app {

namespace ast = compiler::ast;
using compiler::Diagnostic;
using compiler::DiagnosticFix;
using compiler::DiagnosticKind;
using profiler::LaunchPlan;
using profiler::OutputResult;

/// The number of elements in a block.
static std::optional<int64_t> extentOf(const LaunchPlan &plan, const std::string &block) {
  const auto stated = plan.constexprs.find(block);
  return wholeNumber(stated == plan.constexprs.end() ? block : stated->second);
}

/// `grid = [n]` has a program for each element: `cdiv(n, BLOCK)`. Nothing: it has one for each block.
static std::optional<Change> smallerGrid(std::string_view text, const LaunchPlan &plan,
                                         const BareSum &sum) {
  for (const profiler::LaunchBlock &block : profiler::parseLaunchBlocks(text).blocks) {
    if (!profiler::isOfPlan(block, plan) || sum.axis >= block.grid.size())
      continue;
    const profiler::LaunchExpression &extent = block.grid[sum.axis];
    if (extent.text.find("cdiv") == std::string::npos && !extent.range.empty())
      return Change{extent.range, "\"cdiv(" + extent.text + ", " + sum.block + ")\""};
  }
  return std::nullopt;
}

namespace {
/// What multiplies the numbers of a kernel's programs.
struct Factors {
  std::vector<Change> changes;
  std::string title;
  /// For a grid that has a program for each element.
  std::optional<Change> grid;
};
} // namespace

static Factors factorsOf(const KernelText &kernel, std::string_view text, const LaunchPlan &plan,
                         const std::vector<BareSum> &sums) {
  Factors factors;
  std::string written;
  for (const BareSum &each : sums) {
    const std::string code = std::string(kernel.text(*each.number)) + " * " + each.block;
    factors.changes.push_back({each.number->range, code});
    if (written.find("`" + code + "`") == std::string::npos)
      written += (written.empty() ? "`" : " and `") + code + "`";
  }
  factors.title = "write " + written;
  if (sums.front().axis == 0 && plan.grid[1] == 1 && plan.grid[2] == 1)
    factors.grid = smallerGrid(text, plan, sums.front());
  return factors;
}

static DiagnosticFix withGrid(const KernelText &kernel, const Factors &factors) {
  std::vector<Change> changes = factors.changes;
  changes.push_back(*factors.grid);
  return together(kernel, std::move(changes),
                  factors.title + ", and `grid = [" + factors.grid->code + "]`");
}

/// The factors together with a fix of something else, such as a mask.
static DiagnosticFix withFix(const KernelText &kernel, const Factors &factors,
                             const DiagnosticFix &fix) {
  std::vector<Change> changes = factors.changes;
  if (factors.grid)
    changes.push_back(*factors.grid);
  changes.push_back({fix.range, fix.replacement});
  return together(kernel, std::move(changes),
                  factors.title +
                      (factors.grid ? ", `grid = [" + factors.grid->code + "]`, and " : ", and ") +
                      fix.title);
}

/// What is offered for a finding that has other fixes, which may be needed beside the factors.
static std::vector<DiagnosticFix> fixesFor(const KernelText &kernel, const Factors &factors,
                                           const Diagnostic &finding) {
  const bool isOutside = finding.kind == DiagnosticKind::RunAccessOutside;
  std::vector<DiagnosticFix> fixes;
  if (!isOutside || !factors.grid)
    fixes.push_back(together(kernel, factors.changes, factors.title));
  if (factors.grid)
    fixes.push_back(withGrid(kernel, factors));
  const auto isApart = [&](const DiagnosticFix &fix) {
    return fix.range.file == 0 && std::ranges::all_of(factors.changes, [&](const Change &each) {
             return fix.range.end <= each.range.begin || each.range.end <= fix.range.begin;
           });
  };
  if (isOutside && !finding.fixes.empty() && isApart(finding.fixes.front()))
    fixes.push_back(withFix(kernel, factors, finding.fixes.front()));
  return fixes;
}

/// Whether the kernel's programs share out what they write by such a sum. One that only reads by it may have windows
/// that overlap; one that adds to what it reads elsewhere may spread it.
static bool isWritten(const std::vector<ReachedAccess> &accesses) {
  const bool isRead = std::ranges::find(accesses, "load", &ReachedAccess::name) != accesses.end();
  return std::ranges::any_of(accesses, [&](const ReachedAccess &each) {
    return each.name == "store" || (isRead && each.name.starts_with("atomic_"));
  });
}

/// The first output that such an access leaves not as it should be, as far as that is known.
static const ReachedAccess *faultyWrite(const std::vector<ReachedAccess> &accesses,
                                        const LaunchRun &run) {
  for (const ReachedAccess &access : accesses)
    for (const OutputResult &output : run.measurement->outputs) {
      if (access.name == "load" || output.name != access.array ||
          (output.comparison && output.comparison->fault.empty()))
        continue;
      if (access.name != "store" || output.neverWritten.value_or(0) > 0)
        return &access;
    }
  return nullptr;
}

static Diagnostic ownFinding(const ReachedAccess &access, const std::string &reached) {
  Diagnostic finding;
  finding.kind = DiagnosticKind::RunLaunchUnfit;
  finding.severity = compiler::Severity::Warning;
  finding.range = access.call->range;
  finding.cause.subject = access.array;
  finding.message = "programs 0 and 1 both " +
                    std::string(access.name == "store" ? "write" : "update") + " elements " +
                    reached + " of `" + std::string(access.array) + "`";
  return finding;
}

/// Whether a finding is about such an access, or about results.
static bool isBehind(const Diagnostic &finding, const std::vector<ReachedAccess> &accesses) {
  if (finding.kind == DiagnosticKind::RunMismatch)
    return !accesses.empty();
  return (finding.kind == DiagnosticKind::RunAccessOutside ||
          finding.kind == DiagnosticKind::RunWriteRace) &&
         finding.range.file == 0 && isWritten(accesses) &&
         std::ranges::any_of(accesses, [&](const ReachedAccess &each) {
           return each.call->range.begin == finding.range.begin;
         });
}

/// "1 to 255": what program 0 shares with program 1. Empty: they share nothing, or that is not known.
static std::string sharedElements(const LaunchPlan &plan, const BareSum &sum) {
  const std::optional<int64_t> extent = extentOf(plan, sum.block);
  return plan.grid[sum.axis] > 1 && extent && *extent > 2 ? "1 to " + std::to_string(*extent - 1)
                                                          : std::string();
}

static std::string adviceOf(const KernelText &kernel, const BareSum &sum) {
  return "`" + std::string(kernel.text(*sum.number)) + "` counts programs, and each has `" +
         sum.block + "` elements; multiply the program's number by `" + sum.block + "`";
}

std::optional<ForgottenFactor> offerFactor(const LaunchRequest &request, LaunchRun &run) {
  if (!run.measurement || !run.plan || request.input.entry != compiler::StageId::Ast)
    return std::nullopt;
  const KernelText kernel(request.input.text, run.plan->kernel);
  const BareSums reader(kernel);
  const std::vector<BareSum> &sums = reader.sums();
  const std::string shared = sums.empty() ? std::string() : sharedElements(*run.plan, sums.front());
  if (shared.empty())
    return std::nullopt;
  const std::vector<ReachedAccess> accesses = reader.accesses();
  const Factors factors = factorsOf(kernel, request.input.text, *run.plan, sums);
  const std::string advice = adviceOf(kernel, sums.front());
  const std::string note = "programs 0 and 1 both reach elements " + shared + ": " + advice;
  ForgottenFactor factor;
  factor.note = note;
  const auto offer = [&](Diagnostic &finding) {
    const std::vector<DiagnosticFix> fixes = fixesFor(kernel, factors, finding);
    std::erase_if(finding.fixes, [&](const DiagnosticFix &fix) {
      return std::ranges::find(fixes, fix) != fixes.end();
    });
    finding.fixes.insert(finding.fixes.begin(), fixes.begin(), fixes.end());
    factor.fixes.insert(factor.fixes.end(), fixes.begin(), fixes.end());
  };
  for (Diagnostic &finding : run.diagnostics)
    if (isBehind(finding, accesses)) {
      offer(finding);
      finding.notes.insert(finding.notes.begin(), note);
    }
  if (const ReachedAccess *access =
          factor.fixes.empty() && isWritten(accesses) ? faultyWrite(accesses, run) : nullptr) {
    run.diagnostics.push_back(ownFinding(*access, shared));
    factor.ownRange = access->call->range;
    offer(run.diagnostics.back());
    run.diagnostics.back().notes = {advice};
  }
  if (factor.fixes.empty())
    return std::nullopt;
  // Where results differ and blocks are stored one over another, that is said although a mask may be missing, too.
  const bool isSure =
      std::ranges::find(accesses, "store", &ReachedAccess::name) != accesses.end() &&
      std::ranges::find(run.diagnostics, DiagnosticKind::RunMismatch, &Diagnostic::kind) !=
          run.diagnostics.end();
  if (!isSure)
    run.reasons.push_back({factor.fixes, {note}});
  return factor;
}

void settleFactor(const ForgottenFactor &factor, LaunchRun &run) {
  const auto isFactor = [&](const DiagnosticFix &fix) {
    return std::ranges::find(factor.fixes, fix) != factor.fixes.end();
  };
  std::erase_if(run.diagnostics, [&](const Diagnostic &each) {
    return each.fixes.empty() && each.kind == DiagnosticKind::RunLaunchUnfit &&
           factor.ownRange == each.range;
  });
  const bool isElsewhere = std::ranges::any_of(run.diagnostics, [&](const Diagnostic &each) {
    return each.kind == DiagnosticKind::RunMismatch && !each.fixes.empty() &&
           std::ranges::none_of(each.fixes, isFactor);
  });
  for (Diagnostic &finding : run.diagnostics) {
    if (isElsewhere)
      std::erase(finding.notes, factor.note);
    if (finding.fixes.empty() || !isFactor(finding.fixes.front()))
      continue;
    std::erase_if(finding.fixes, [&](const DiagnosticFix &fix) { return !isFactor(fix); });
    if (finding.kind == DiagnosticKind::RunAccessOutside ||
        finding.kind == DiagnosticKind::RunWriteRace)
      finding.message = compiler::withoutAdvice(finding.message);
  }
}

} // namespace tilescope::app
