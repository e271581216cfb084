// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/NativeRun.h"

#include "compiler/interpreter/ArgumentUses.h"
#include "compiler/interpreter/OutsideFinding.h"
#include "compiler/interpreter/PreparedKernel.h"
#include "compiler/pipeline/NativeChecks.h"
#include "compiler/pipeline/NativeLaunch.h"
#include "compiler/pipeline/SampledPrograms.h"
#include "compiler/pipeline/SavedArguments.h"

#include <algorithm>

namespace tilescope::compiler {

/// Says why there is no code, and that the interpreter executes the kernel.
static void reportUncompiled(CompileJob &job, const Error &error,
                             std::vector<Diagnostic> reported) {
  static constexpr std::string_view kInstead = "; the interpreter executes the kernel instead";
  if (reported.empty()) {
    job.report(DiagnosticKind::RunUnsupported, Severity::Note,
               "the kernel could not be compiled to native code: " + error.message +
                   std::string(kInstead));
    return;
  }
  // One reason is enough.
  reported.front().severity = Severity::Note;
  reported.front().message += kInstead;
  job.result.diagnostics.push_back(std::move(reported.front()));
}

/// What the interpreter would say of accesses outside: one finding for each place in the source.
static void addOutside(const native::NativeKernel &kernel, const native::GridOutcome &run,
                       const InterpreterLaunch &launch, size_t maxFindings,
                       Interpretation &outcome) {
  interpreter::Execution execution;
  execution.grid = launch.grid;
  for (const InterpreterArgument &argument : launch.arguments)
    execution.areas.push_back(
        {argument.data, argument.data ? argument.sizeBytes : 0, argument.name, argument.shape});
  for (const native::OutsideAccess &outside : run.outside) {
    const native::CheckedAccess &access = kernel.checkedAccesses()[outside.access];
    InterpreterFinding finding =
        interpreter::outsideFinding(execution, outside.programId, access.element, outside.elements);
    finding.range = interpreter::choosePlace(access.places, outcome.files);
    finding.numPrograms = outside.numPrograms;
    if (interpreter::joinsCopy(execution, finding, outcome.findings))
      continue;
    ++outcome.numFindings;
    if (outcome.findings.size() < maxFindings)
      outcome.findings.push_back(std::move(finding));
  }
}

/// The same of assertions.
static void addAssertions(const native::NativeKernel &kernel, const native::GridOutcome &run,
                          size_t maxFindings, Interpretation &outcome) {
  // No argument is concerned.
  const interpreter::Execution execution;
  for (const native::FailedAssertion &failed : run.assertions) {
    const native::KernelAssertion &assertion = kernel.assertions()[failed.number];
    InterpreterFinding finding;
    finding.kind = InterpreterFindingKind::AssertFailed;
    finding.programId = failed.programId;
    finding.numPrograms = failed.numPrograms;
    finding.range = interpreter::choosePlace(assertion.places, outcome.files);
    finding.message = assertion.text;
    if (assertion.numElements > 1)
      finding.message += " (first at element " + std::to_string(failed.element) + ")";
    if (interpreter::joinsCopy(execution, finding, outcome.findings))
      continue;
    ++outcome.numFindings;
    if (outcome.findings.size() < maxFindings)
      outcome.findings.push_back(std::move(finding));
  }
}

/// What ran, in the words and in the order of the interpreter.
static void addFindings(CompileJob &job, const native::NativeKernel &kernel,
                        const native::GridOutcome &run, const InterpreterLaunch &launch,
                        size_t maxFindings, Interpretation &outcome) {
  addOutside(kernel, run, launch, maxFindings, outcome);
  // They end their programs, so they come last there.
  addAssertions(kernel, run, maxFindings, outcome);
  std::ranges::stable_sort(outcome.findings, {}, [](const InterpreterFinding &each) {
    const auto [x, y, z] = each.programId;
    return std::array{z, y, x};
  });
  for (const std::string &path : outcome.files)
    job.files.indexOf(path);
}

/// Has the interpreter look at some programs first.
static void addSample(CompileJob &job, mlir::ModuleOp ttir, const InterpreterLaunch &launch,
                      const InterpreterOptions &options, Interpretation &outcome) {
  job.step(StageId::Ttir, "interpret some programs");
  std::optional<Interpretation> sample =
      samplePrograms(ttir, launch, options, outermostPrograms(launch));
  if (!sample)
    return;
  outcome.findings = std::move(sample->findings);
  outcome.numFindings = sample->numFindings;
  outcome.files = std::move(sample->files);
  outcome.statistics.sampledPrograms = sample->statistics.programs;
  outcome.statistics.sampleDuration = sample->statistics.runDuration;
}

static void note(CompileJob &job, std::string message) {
  job.report(DiagnosticKind::RunUnsupported, Severity::Note, std::move(message));
}

/// Whether the interpreter has to execute the kernel, because of what it has found in some programs or
/// native code in all of them.
static bool needsInterpreter(CompileJob &job, mlir::ModuleOp ttir,
                             const native::NativeKernel &kernel, const InterpreterLaunch &launch,
                             const InterpreterOptions &options, const native::GridOutcome &run,
                             NativeChecks &checks) {
  if (checks.hasReadRace(interpreter::numPrograms(launch.grid))) {
    note(job, "native code has found elements that a program reads and another one changes; the "
              "interpreter executed the kernel to say which");
    return true;
  }
  if (run.hasRace) {
    note(job, "native code has found elements that are written twice, with different values; the "
              "interpreter executed the kernel to say which");
    return true;
  }
  if (run.doubtful.empty())
    return false;
  if (mayPrintUndefined(kernel, run)) {
    note(job, "programs may print undefined values; the interpreter executed the kernel to say "
              "which are");
    return true;
  }
  const ExaminedPrograms examined = examinePrograms(ttir, launch, options, run.doubtful, checks);
  if (examined.hasFindings)
    note(job, "native code has a doubt about undefined values; the interpreter executed the kernel "
              "to say where");
  else if (examined.count < run.doubtful.size())
    note(job, "undefined values were looked for in " + std::to_string(examined.count) + " of " +
                  std::to_string(run.doubtful.size()) + " programs that may use some");
  return examined.hasFindings;
}

/// What the arguments hold that the kernel may change; all of them where it is not known which.
static SavedArguments savedOf(mlir::ModuleOp ttir, const InterpreterLaunch &launch) {
  tt::FuncOp kernel = interpreter::findKernel(ttir, "");
  std::vector<interpreter::ArgumentUse> uses;
  if (kernel && kernel.getNumArguments() == launch.arguments.size())
    uses = interpreter::argumentUses(kernel, ttir);
  SavedArguments saved;
  for (size_t i = 0; i < launch.arguments.size(); ++i)
    if (uses.empty() || uses[i].isStored || uses[i].isUpdated)
      saved.save(launch.arguments[i]);
  return saved;
}

/// Executes the grid again and again, and leaves the arguments as they are.
static std::vector<int64_t> repeatGrid(CompileJob &job, mlir::ModuleOp ttir,
                                       const native::NativeKernel &kernel,
                                       const std::vector<uint64_t> &words,
                                       const InterpreterLaunch &launch,
                                       const InterpreterOptions &options) {
  using Clock = std::chrono::steady_clock;
  std::vector<int64_t> durationsNs;
  InterpreterOptions silent = options;
  silent.progress = {};
  silent.maxPrints = 0;
  const SavedArguments saved = savedOf(ttir, launch);
  for (uint32_t i = 0; i < options.repeats && !options.stop.stop_requested(); ++i) {
    const auto start = Clock::now();
    if (!runPrograms(job, kernel, words, launch, silent).completed)
      break;
    durationsNs.push_back(std::chrono::nanoseconds(Clock::now() - start).count());
  }
  saved.restore();
  return durationsNs;
}

/// Executes the grid. Nothing: the interpreter shall do it.
static std::optional<native::GridOutcome>
runGrid(CompileJob &job, mlir::ModuleOp ttir, const native::NativeKernel &kernel,
        const DoubtCoverage &coverage, const InterpreterLaunch &launch,
        const InterpreterOptions &options, InterpreterStatistics &statistics) {
  job.step(StageId::Ttir, "native code");
  const auto start = std::chrono::steady_clock::now();
  std::vector<uint64_t> words = wordsOf(launch.arguments, kernel.checksBounds());
  NativeChecks checks(coverage, launch, job.state.keptPages);
  if (kernel.notesDoubts())
    checks.addWords(words);
  native::GridOutcome run = runPrograms(job, kernel, words, launch, options);
  statistics.runDuration = std::chrono::steady_clock::now() - start;
  if (!options.stop.stop_requested() &&
      needsInterpreter(job, ttir, kernel, launch, options, run, checks)) {
    checks.restore();
    return std::nullopt;
  }
  if (options.repeats > 0 && run.completed && !kernel.checksBounds())
    statistics.repeatNs = repeatGrid(job, ttir, kernel, words, launch, options);
  return run;
}

std::optional<Interpretation> runAsNativeCode(CompileJob &job, mlir::ModuleOp ttir,
                                              const InterpreterLaunch &launch,
                                              const InterpreterOptions &options,
                                              const NativeRunOptions &nativeOptions) {
  using Clock = std::chrono::steady_clock;
  const bool isChecked = nativeOptions.isChecked;
  DoubtCoverage coverage;
  if (isChecked)
    coverage = coverDoubts(ttir, launch, options);
  Interpretation outcome;
  outcome.isNative = true;
  // Who writes is known where doubts are noted, but nobody has asked so far.
  outcome.countsUnwritten = false;
  outcome.files = options.files;
  const auto begin = Clock::now();
  std::vector<Diagnostic> reported;
  const Result<native::NativeKernel> kernel =
      compileNative(job, ttir,
                    {.argumentsOverlap = argumentsOverlap(launch.arguments),
                     .checkBounds = isChecked,
                     .noteDoubts = isChecked && coverage.gap.empty(),
                     .isExact = nativeOptions.isExact,
                     .streamsStores = writesPastCaches(ttir, launch)},
                    reported);
  if (!kernel) {
    reportUncompiled(job, kernel.error(), std::move(reported));
    return std::nullopt;
  }
  outcome.statistics.translateDuration = Clock::now() - begin;
  if (isChecked)
    addSample(job, ttir, launch, options, outcome);
  if (kernel->notesDoubts() && !outcome.findings.empty()) {
    note(job, "the first or the last program has findings; the interpreter executed the kernel to "
              "find all");
    return std::nullopt;
  }
  std::optional<native::GridOutcome> run =
      runGrid(job, ttir, *kernel, coverage, launch, options, outcome.statistics);
  if (!run)
    return std::nullopt;
  outcome.completed = run->completed;
  addPrints(*kernel, *run, outcome);
  addFindings(job, *kernel, *run, launch, options.maxFindings, outcome);
  if (run->fault) {
    outcome.findings.push_back(
        faultFinding(job, ttir, *run->fault, launch.grid, options.maxProgramDuration));
    ++outcome.numFindings;
  }
  outcome.cancelled = !run->completed && !run->fault && run->assertions.empty();
  if (!coverage.gap.empty() && !outcome.cancelled)
    note(job,
         "races and undefined values are looked for in the first and the last program alone: " +
             coverage.gap);
  outcome.statistics.programs =
      uint64_t(launch.grid[0]) * uint64_t(launch.grid[1]) * uint64_t(launch.grid[2]);
  return outcome;
}

} // namespace tilescope::compiler
