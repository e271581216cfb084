// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/ReportFindings.h"

#include "compiler/artifacts/RunFindings.h"
#include "compiler/interpreter/ArgumentUses.h"
#include "compiler/interpreter/PreparedKernel.h"
#include "compiler/interpreter/ProgramOrder.h"
#include "compiler/pipeline/AtomicAdvice.h"
#include "compiler/pipeline/LaunchSlips.h"
#include "compiler/pipeline/LockAdvice.h"
#include "compiler/pipeline/MaskAdvice.h"
#include "compiler/pipeline/RaceReach.h"
#include "compiler/pipeline/TakingOutside.h"

#include <algorithm>

namespace tilescope::compiler {

static DiagnosticKind kindOf(InterpreterFindingKind kind) {
  switch (kind) {
  case InterpreterFindingKind::OutOfBoundsLoad:
  case InterpreterFindingKind::OutOfBoundsStore:
  case InterpreterFindingKind::OutOfBoundsAtomic:
  case InterpreterFindingKind::InvalidPointer:
    return DiagnosticKind::RunAccessOutside;
  case InterpreterFindingKind::WriteRace:
  case InterpreterFindingKind::StoreConflict:
    return DiagnosticKind::RunWriteRace;
  case InterpreterFindingKind::UndefinedStored:
  case InterpreterFindingKind::UndefinedAddress:
  case InterpreterFindingKind::DivisionByZero:
    return DiagnosticKind::RunUndefined;
  case InterpreterFindingKind::AssertFailed:
    return DiagnosticKind::RunAssertFailed;
  case InterpreterFindingKind::StepLimit:
    return DiagnosticKind::RunStepLimit;
  case InterpreterFindingKind::Unsupported:
    return DiagnosticKind::RunUnsupported;
  }
  return DiagnosticKind::Internal;
}

static bool isOutside(InterpreterFindingKind kind) {
  return kind == InterpreterFindingKind::OutOfBoundsLoad ||
         kind == InterpreterFindingKind::OutOfBoundsStore ||
         kind == InterpreterFindingKind::OutOfBoundsAtomic;
}

/// Whether the cause has been reported, of another access: `offsets <= n` is one mistake, however many
/// accesses have that mask. Then these become places of it.
static bool joinsEarlier(CompileJob &job, const InterpreterFinding &finding,
                         const MaskAdvice &advice) {
  if (advice.fixes.empty())
    return false;
  const auto same = std::ranges::find_if(job.result.diagnostics, [&](const Diagnostic &other) {
    return other.kind == kindOf(finding.kind) && other.fixes == advice.fixes &&
           other.range != finding.range;
  });
  if (same == job.result.diagnostics.end())
    return false;
  same->labels.push_back({finding.range, finding.message});
  // What is undefined reaches this argument, too.
  if (kindOf(finding.kind) == DiagnosticKind::RunUndefined &&
      finding.argument != same->cause.subject)
    same->cause.outputs.push_back(finding.argument);
  if (finding.kind == InterpreterFindingKind::UndefinedAddress)
    same->cause.need = Need::Pointer;
  return true;
}

/// `decided`: the arguments whose values depend on it, other than the one that it is about; nothing: any
/// may.
static Diagnostic &reportFinding(CompileJob &job, const InterpreterFinding &finding,
                                 const std::array<int32_t, 3> &grid, const MaskAdvice &advice,
                                 const std::optional<std::vector<std::string>> &decided) {
  const DiagnosticKind kind = kindOf(finding.kind);
  // Doubtful, but the run has a result.
  const bool isDoubt = kind == DiagnosticKind::RunWriteRace || kind == DiagnosticKind::RunUndefined;
  std::vector<std::string> notes;
  // What was not executed happened in no program; other messages name theirs themselves.
  if (finding.kind != InterpreterFindingKind::Unsupported &&
      finding.kind != InterpreterFindingKind::WriteRace && kind != DiagnosticKind::RunAccessOutside)
    notes.push_back("in " + programText(finding.programId, {grid[0], grid[1], grid[2]}));
  if (finding.numPrograms > 1)
    notes.push_back("the same in " + std::to_string(finding.numPrograms - 1) + " more " +
                    (finding.numPrograms == 2 ? "program" : "programs"));
  if (finding.numCopies > 1)
    notes.push_back(copiesNote(finding));
  notes.insert(notes.end(), advice.notes.begin(), advice.notes.end());
  Diagnostic &diagnostic = job.report(
      kind, isDoubt ? Severity::Warning : Severity::Error,
      finding.message + (advice.text.empty() ? "" : std::string(kBeforeAdvice) + advice.text),
      std::move(notes));
  diagnostic.range = finding.range;
  diagnostic.fixes = advice.fixes;
  diagnostic.cause.subject = finding.argument;
  diagnostic.cause.isWithinProgram = finding.isWithinProgram;
  if (decided)
    diagnostic.cause.outputs = *decided;
  else
    diagnostic.cause.need = Need::Pointer;
  diagnostic.labels = advice.labels;
  return diagnostic;
}

/// Of an undefined value whose loads all read nothing, ever: an `other` would only hide that their masks are wrong. Nothing:
/// one of them reads something.
static std::optional<MaskAdvice> advisedOfNothing(const Interpretation &interpretation,
                                                  const std::vector<UndefinedLoad> &loads) {
  MaskAdvice advice;
  for (const UndefinedLoad &load : loads) {
    const bool readsNothing =
        std::ranges::any_of(interpretation.maskedOff, [&](const MaskedOffAccess &each) {
          return each.isLoad && each.range == load.range;
        });
    if (!readsNothing)
      return std::nullopt;
    advice.labels.push_back(
        {load.range, "this reads nothing: its mask is false for every element of every program"});
  }
  if (loads.empty())
    return std::nullopt;
  advice.text = "the mask of the load is never true";
  return advice;
}

/// Of an undefined value that a store without a mask writes where others go outside: the mask that keeps these in
/// mends both, and an `other` would hide that it is missing. Nothing: there is no such mask.
static std::optional<MaskAdvice> advisedOfOutside(const RunKernel &kernel,
                                                  const Interpretation &interpretation,
                                                  const InterpreterFinding &undefined) {
  const auto outside =
      std::ranges::find_if(interpretation.findings, [&](const InterpreterFinding &each) {
        return each.kind == InterpreterFindingKind::OutOfBoundsStore &&
               each.range == undefined.range && each.range.file == 0;
      });
  if (!kernel.tree || outside == interpretation.findings.end())
    return std::nullopt;
  MaskAdvice advice = maskAdvice(*kernel.tree, *outside, kernel.sizes);
  const bool isMask =
      advice.fixes.size() == 1 && advice.fixes.front().replacement.starts_with(", mask=");
  return isMask ? std::optional(std::move(advice)) : std::nullopt;
}

/// What is done with the arguments of a launch; nothing where it is not known.
static std::vector<interpreter::ArgumentUse> usesOf(mlir::ModuleOp module,
                                                    const InterpreterLaunch &launch) {
  tt::FuncOp kernel = interpreter::findKernel(module, "");
  if (!kernel || kernel.getNumArguments() != launch.arguments.size())
    return {};
  return interpreter::argumentUses(kernel, module);
}

/// Says of a grid whose programs are too many to follow who waits for whom.
static void reportUnfollowed(CompileJob &job, const std::vector<interpreter::ArgumentUse> &uses,
                             const InterpreterLaunch &launch) {
  if (interpreter::numPrograms(launch.grid) > interpreter::kMostOrderedPrograms &&
      std::ranges::any_of(uses, &interpreter::ArgumentUse::isAwaited))
    job.report(
        DiagnosticKind::RunUnsupported, Severity::Note,
        "races behind a wait for other programs are not looked for: that is done in grids of "
        "up to " +
            std::to_string(interpreter::kMostOrderedPrograms) + " programs");
}

void reportFindings(CompileJob &job, const RunKernel &kernel, const Interpretation &interpretation,
                    const InterpreterLaunch &launch) {
  const std::vector<interpreter::ArgumentUse> uses = usesOf(kernel.ttir, launch);
  reportUnfollowed(job, uses, launch);
  for (InterpreterFinding finding : interpretation.findings) {
    MaskAdvice advice;
    if (finding.kind == InterpreterFindingKind::DivisionByZero)
      advice.text = "give the divisor a value, or do not divide where it is 0";
    else if (kindOf(finding.kind) == DiagnosticKind::RunUndefined) {
      const std::vector<UndefinedLoad> loads = undefinedLoads(kernel.ttir, finding, job.files);
      const std::optional<MaskAdvice> ofNothing = advisedOfNothing(interpretation, loads);
      advice = ofNothing ? *ofNothing : otherAdvice(kernel.tree, finding, loads);
      if (std::optional<MaskAdvice> mask = advisedOfOutside(kernel, interpretation, finding)) {
        advice.text = std::move(mask->text);
        advice.fixes = std::move(mask->fixes);
      }
    } else if (kernel.tree && finding.range.file == 0 && isOutside(finding.kind)) {
      advice = maskAdvice(*kernel.tree, finding, kernel.sizes);
      addOther(advice, neutralOther(kernel.ttir, finding.range, job.files));
    } else if (kernel.tree && finding.range.file == 0 &&
               kindOf(finding.kind) == DiagnosticKind::RunWriteRace) {
      advice = atomicAdvice(*kernel.tree, finding, interpretation.findings, launch.grid);
      if (const std::string lock = lockAdvice(*kernel.tree, finding); !lock.empty())
        finding.message = withoutAdvice(finding.message) + std::string(kBeforeAdvice) + lock;
    }
    if (joinsEarlier(job, finding, advice))
      continue;
    std::optional<std::vector<std::string>> decided;
    if (kindOf(finding.kind) == DiagnosticKind::RunWriteRace)
      decided = decidedByRace(kernel.ttir, launch, finding.argument);
    else if (finding.kind != InterpreterFindingKind::UndefinedAddress)
      decided.emplace();
    const bool sparesSubject =
        finding.isWithRead && !readsIntoItself(kernel.ttir, launch, finding.argument);
    if (decided && sparesSubject)
      std::erase(*decided, finding.argument);
    reportFinding(job, finding, launch.grid, advice, decided).cause.sparesSubject = sparesSubject;
  }
  noteTakingOutside(interpretation, job.result.diagnostics);
  if (kernel.tree)
    std::ranges::move(launchSlips(kernel.ttir, *kernel.tree, launch, kernel.sizes, job.files),
                      std::back_inserter(job.result.diagnostics));
  if (interpretation.numFindings > interpretation.findings.size())
    job.report(DiagnosticKind::RunAccessOutside, Severity::Note,
               std::to_string(interpretation.numFindings - interpretation.findings.size()) +
                   " more findings are not listed");
}

} // namespace tilescope::compiler
