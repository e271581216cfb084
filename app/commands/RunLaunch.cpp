// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/RunLaunch.h"

#include "app/commands/BlockEnd.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/DiagonalStores.h"
#include "app/commands/ExplainMismatches.h"
#include "app/commands/FixTrials.h"
#include "app/commands/ForgottenFactor.h"
#include "app/commands/IntendedMeans.h"
#include "app/commands/InterpreterRun.h"
#include "app/commands/KernelQuestions.h"
#include "app/commands/LockStarts.h"
#include "app/commands/MakePackage.h"
#include "app/commands/MissingMasks.h"
#include "app/commands/NarrowSums.h"
#include "app/commands/NotLaunched.h"
#include "app/commands/OtherOrder.h"
#include "app/commands/OutputChecks.h"
#include "app/commands/PredictLaunch.h"
#include "app/commands/SameRandoms.h"
#include "app/commands/TemporaryFolder.h"
#include "app/commands/TracedPackage.h"
#include "app/commands/TurnedLocks.h"
#include "app/commands/UnfilledOutputs.h"
#include "app/commands/VolatilePolls.h"
#include "app/launch/GuessedLaunch.h"
#include "app/launch/ResolveLaunch.h"
#include "app/report/SampleLines.h"
#include "compiler/artifacts/CpuTarget.h"
#include "compiler/artifacts/RunFindings.h"
#include "profiler/analysis/Comparison.h"
#include "profiler/data/OutputFolder.h"
#include "profiler/data/ProfileDocument.h"
#include "profiler/data/Tensor.h"

#include <algorithm>

namespace tilescope::app {

using compiler::Diagnostic;
using profiler::Measurement;
using profiler::OutputResult;

Result<RunSelection> toRunSelection(const SelectionOptions &options, const std::string &where,
                                    std::optional<double> timeLimit) {
  Result<compiler::Selection> selection = toSelection(options);
  if (!selection)
    return selection.error();
  const Result<RunPlace> place = parseRunPlace(where, timeLimit);
  if (!place)
    return place.error();
  if (selection->target.empty()) {
    Result<std::string> target = targetAt(*place, timeLimit);
    if (!target)
      return target.error();
    selection->target = std::move(*target);
  }
  return RunSelection{std::move(*selection), *place};
}

/// Whether what passed is no sign that the kernel is right: chance, or a tolerance as large as the errors of a wrong one.
static bool provesNothing(const profiler::OutputComparison &comparison) {
  return profiler::isByChance(comparison.doubt) ||
         comparison.doubt == profiler::MatchDoubt::NarrowSums ||
         (comparison.doubt == profiler::MatchDoubt::Tolerance && comparison.isTolerancePerElement &&
          comparison.relErrorInNorm > profiler::kLooseShare);
}

bool LaunchRun::ok() const {
  if (!measurement || hasErrors(diagnostics))
    return false;
  return std::ranges::none_of(measurement->outputs, [](const OutputResult &output) {
    return output.isWrong() || (output.comparison && provesNothing(*output.comparison));
  });
}

/// Compares the outputs with what the launch block expects; what cannot be compared is a problem of
/// the block.
static void checkOutputs(const LaunchRequest &request, const profiler::LaunchPlan &plan,
                         const KernelRoundings &kernel, const LaunchHooks &hooks, LaunchRun &run) {
  if (!run.measurement)
    return;
  const std::stop_token &stop = hooks.runner.stop;
  if (hooks.checking && expectsResults(plan))
    hooks.checking();
  ExpectedSources sources{plan, request.input.path, request.inputFolder};
  sources.roundings = judgedWith(kernel.facts, request.judgedBy);
  compareWithExpected(*run.measurement, sources, request.dumpFolder, stop);
  if (!kernel.tf32Products.empty())
    noteTf32(*run.measurement);
  noteNonFinite(*run.measurement, stop);
  if (stop.stop_requested())
    return;
  const compiler::CompileRequest source = request.source();
  for (const OutputResult &output : run.measurement->outputs) {
    if (!output.comparison || !output.comparison->isWithExpected ||
        output.comparison->fault.empty())
      continue;
    const Diagnostic unchecked =
        uncheckedOutput(output.name, output.comparison->fault, expectedRange(source, output.name));
    // What is known before the run may have a fix.
    const bool isKnown = std::ranges::any_of(run.diagnostics, [&](const Diagnostic &each) {
      return each.range == unchecked.range && each.message == unchecked.message;
    });
    if (!isKnown)
      run.diagnostics.push_back(unchecked);
  }
}

/// What the run found that leaves an output in doubt although it matches.
static profiler::MatchDoubt doubtOf(const OutputResult &output,
                                    const std::vector<Diagnostic> &found) {
  if (compiler::isRaced(output.name, found, false))
    return profiler::MatchDoubt::Races;
  if (compiler::isRaced(output.name, found, true))
    return profiler::MatchDoubt::Threads;
  if (compiler::isByChance(output.name, found))
    return profiler::MatchDoubt::Order;
  const bool isUndefined = std::ranges::any_of(found, [&](const Diagnostic &each) {
    return each.kind == compiler::DiagnosticKind::RunUndefined &&
           (compiler::concerns(each, output.name) || compiler::takesPart(each, output.name));
  });
  if (isUndefined)
    return profiler::MatchDoubt::Undefined;
  if (compiler::takesOutside(output.name, found))
    return profiler::MatchDoubt::Outside;
  if (compiler::canHang(found))
    return profiler::MatchDoubt::Hang;
  return output.changed ? profiler::MatchDoubt::None : profiler::MatchDoubt::Unchanged;
}

/// Says which outputs match, but are not shown to be right.
static void noteDoubts(LaunchRun &run) {
  if (!run.measurement)
    return;
  for (OutputResult &output : run.measurement->outputs) {
    if (!output.comparison || !output.comparison->ok())
      continue;
    if (const auto doubt = doubtOf(output, run.diagnostics); doubt != profiler::MatchDoubt::None)
      output.comparison->doubt = doubt;
    if (output.comparison->doubt != profiler::MatchDoubt::None)
      run.measurement->notes.push_back("`" + output.name + "` matches" +
                                       profiler::doubtText(output));
  }
}

/// The run of a request on the CPU: its outputs end up in `folder`.
static LaunchRun runOnCpu(compiler::WorkerClient &worker, const LaunchRequest &request,
                          const std::string &folder, const LaunchHooks &hooks) {
  LaunchRun run;
  run.files = {{request.input.path, request.input.text}};
  const InputFile &input = request.input;
  if (Status status = checkInterpretable(input.path, input.entry); !status) {
    run.measurement = status.error();
    return run;
  }
  const compiler::Selection &selection = request.selection;
  Result<CompiledFile> file = resolveInput(worker, input, selection, hooks.runner.stop);
  if (!file) {
    run.measurement = file.error();
    return run;
  }
  run.diagnostics = launchDiagnostics(*file);
  if (hasErrors(run.diagnostics))
    return run;
  if (!file->plan) {
    // A block, or its kernel, may be in what does not parse.
    if (hasErrors(file->result.diagnostics))
      run.diagnostics = file->result.diagnostics;
    else
      run.measurement = notLaunched(file->request);
    return run;
  }
  fillMemory(*file->plan, request.fill);
  run.references = referenceFiles(*file->plan, input.path);
  if (file->result.configurations.size() > 1)
    std::ranges::move(refusedConfigurations(worker, input, selection, hooks.runner.stop),
                      std::back_inserter(run.diagnostics));
  InterpreterRun interpreted{folder, request.inputFolder};
  interpreted.executor = request.executor;
  interpreted.checksBounds = request.checksBounds;
  interpreted.isExact = request.isExact;
  interpreted.keepsCode = request.keepsCode;
  interpreted.explainsExecutor = request.explainsExecutor;
  interpreted.programLimit = request.programLimit;
  interpreted.repeats = request.repeats;
  interpreted.widensFloats = request.widensFloats;
  Result<compiler::RunDoneReply> done = interpret(worker, file->request, *file->plan, interpreted,
                                                  hooks.programsDone, hooks.runner.stop);
  if (!done) {
    run.measurement = done.error();
    return run;
  }
  if (!done->files.empty()) {
    run.files = std::move(done->files);
    run.files.front() = {request.input.path, request.input.text};
  }
  run.diagnostics.insert(run.diagnostics.end(), done->diagnostics.begin(), done->diagnostics.end());
  run.prints = std::move(done->prints);
  run.faults = std::move(done->faults);
  // What the kernel wrote is shown even if it has faults.
  if (done->ok || !done->outputs.empty())
    run.measurement = toMeasurement(*done, file->request, *file->plan, interpreted);
  if (run.measurement)
    for (const OutputResult &output : run.measurement->outputs) {
      if (auto diagonal = diagonalStore(request.input.text, file->plan->kernel, output))
        run.diagnostics.push_back(std::move(*diagonal));
      else if (auto shorter = shortBlock(request.input.text, *file->plan, output))
        run.diagnostics.push_back(std::move(*shorter));
    }
  std::ranges::move(sameRandoms(request.input.text, *file->plan),
                    std::back_inserter(run.diagnostics));
  run.roundings = std::move(done->roundings);
  run.plan = file->plan;
  checkOutputs(request, *file->plan, {run.roundings, done->roundedProducts}, hooks, run);
  return run;
}

/// What the interpreter found may explain differences: a race, a value that was never written.
static void addFindings(LaunchRun &run, const LaunchRun &reference) {
  for (const Diagnostic &finding : reference.diagnostics)
    if (std::ranges::find(run.diagnostics, finding) == run.diagnostics.end())
      run.diagnostics.push_back(finding);
  if (run.files.size() < reference.files.size())
    run.files = reference.files;
  run.prints = reference.prints;
}

static LaunchRun runPackaged(compiler::WorkerClient &worker, const LaunchRequest &request,
                             const LaunchHooks &hooks) {
  LaunchRun run;
  compiler::Selection selection = request.selection;
  if (selection.target.empty()) {
    Result<std::string> target = targetAt(request.place);
    if (!target) {
      run.measurement = target.error();
      return run;
    }
    selection.target = std::move(*target);
  }
  CompiledPackage compiled =
      compilePackage(worker, request.input, selection,
                     {.stop = hooks.runner.stop, .sass = request.profile.samples});
  run.diagnostics = std::move(compiled.diagnostics);
  run.files = std::move(compiled.files);
  if (!compiled.package) {
    run.measurement = compiled.package.error();
    return run;
  }
  const Result<TemporaryFolder> reference = TemporaryFolder::make();
  if (!reference) {
    run.measurement = reference.error();
    return run;
  }
  LaunchOptions launch;
  launch.place = request.place;
  launch.dumpFolder = request.dumpFolder;
  launch.inputFolder = request.inputFolder;
  launch.measure = request.measure;
  launch.coldL2 = request.coldL2;
  launch.isProfile = request.isProfile;
  launch.profile = request.profile;
  launch.timeLimit = request.timeLimit;
  const Status traced =
      request.profile.trace
          ? addTraced(worker, {request.input, selection, request.trace, *compiled.package},
                      hooks.runner.stop, launch)
          : Status();
  if (request.compare) {
    LaunchRequest interpreted = request;
    interpreted.executor = compiler::CpuExecutor::Interpreter;
    LaunchRun expected = runOnCpu(worker, interpreted, reference->path(), hooks);
    if (!expected.measurement || hasErrors(expected.diagnostics)) {
      if (expected.measurement)
        expected.measurement = Error{ErrorCode::InvalidInput, "", ""};
      return expected;
    }
    launch.referenceFolder = reference->path();
    launch.roundings = expected.roundings;
    addFindings(run, expected);
  }
  const profiler::LaunchPlan &plan = compiled.package->plan;
  run.references = referenceFiles(plan, request.input.path);
  const Result<TemporaryFolder> outputs = TemporaryFolder::make();
  const bool isKept = !launch.dumpFolder.empty();
  if (!isKept && expectsResults(plan) && outputs)
    launch.dumpFolder = outputs->path();
  run.measurement = runOnGpu(*compiled.package, launch, hooks.runner);
  if (run.measurement && !traced)
    addUntraced(traced.error(), *run.measurement);
  if (compiled.sass)
    run.machineCode = profiler::textDigest(compiled.sass->text);
  if (run.measurement)
    mapSamples(*run.measurement, compiled.sass ? &*compiled.sass : nullptr, *compiled.package);
  if (run.measurement && request.isProfile && !hooks.runner.stop.stop_requested())
    if (const auto file = resolveInput(worker, request.input, selection, hooks.runner.stop))
      addPrediction(worker, *file, hooks.runner.stop, *run.measurement);
  checkOutputs(request, plan,
               roundingsOfKernel(worker, request.input, selection, hooks.runner.stop), hooks, run);
  if (run.measurement && isKept)
    keepReferences(*run.measurement, reference->path(), request.dumpFolder);
  if (run.measurement && !isKept)
    for (OutputResult &output : run.measurement->outputs)
      output.path.clear();
  if (run.measurement && (request.compare || expectsResults(plan)))
    explainMismatches(worker, request, hooks, run);
  return run;
}

/// Whether native code has left what is not as it should be, or not shown to be right.
static bool isInDoubt(const LaunchRun &run) {
  if (!run.measurement || !isNativeRun(*run.measurement))
    return false;
  return std::ranges::any_of(run.measurement->outputs, [&](const OutputResult &output) {
    if (!output.comparison || !output.comparison->fault.empty())
      return false;
    return !output.comparison->ok() || output.comparison->doubt != profiler::MatchDoubt::None ||
           doubtOf(output, run.diagnostics) != profiler::MatchDoubt::None;
  });
}

/// Runs on the CPU. What is said of outputs that differ is the interpreter's, whose sums are in the
/// order of the source.
static LaunchRun runBeyondDoubt(compiler::WorkerClient &worker, const LaunchRequest &request,
                                const std::string &folder, const LaunchHooks &hooks) {
  LaunchRun run = runOnCpu(worker, request, folder, hooks);
  if (request.executor != compiler::CpuExecutor::Native || !isInDoubt(run) ||
      hooks.runner.stop.stop_requested())
    return run;
  LaunchRequest again = request;
  again.executor = compiler::CpuExecutor::Interpreter;
  const LaunchRun native = std::move(run);
  run = runOnCpu(worker, again, folder, hooks);
  if (!run.measurement)
    return run;
  doubtOrder(native, run);
  std::string &why = run.measurement->execution->whyInterpreted = "outputs are not as expected";
  if (request.explainsExecutor)
    run.measurement->notes.push_back(interpretedNote(why));
  return run;
}

static LaunchRun runAt(compiler::WorkerClient &worker, const LaunchRequest &request,
                       const LaunchHooks &hooks) {
  const std::string &folder = request.dumpFolder;
  LaunchRun failed;
  if (!folder.empty())
    if (const Result<profiler::OutputFolder> dump = profiler::OutputFolder::make(folder); !dump) {
      failed.measurement = dump.error();
      return failed;
    }
  if (request.place.kind != RunPlace::Kind::Cpu)
    return runPackaged(worker, request, hooks);
  const Result<TemporaryFolder> scratch = TemporaryFolder::make();
  if (!scratch) {
    failed.measurement = scratch.error();
    return failed;
  }
  LaunchRun run = runBeyondDoubt(worker, request, folder.empty() ? scratch->path() : folder, hooks);
  const std::vector<NarrowSum> sums = judgeNarrowSums(worker, request, hooks, run);
  if (run.measurement)
    explainMismatches(worker, request, hooks, run);
  explainNarrowSums(sums, request, run);
  // Files in the scratch folder no longer exist when the user reads about them.
  if (run.measurement && folder.empty())
    for (OutputResult &output : run.measurement->outputs)
      output.path.clear();
  return run;
}

LaunchRun runLaunch(compiler::WorkerClient &worker, const LaunchRequest &request,
                    const LaunchHooks &hooks) {
  const auto start = std::chrono::steady_clock::now();
  LaunchRun run = runAt(worker, request, hooks);
  const auto duration = std::chrono::steady_clock::now() - start;
  dropIntendedMeans(run);
  if (!request.isTrial)
    findUnfilled(worker, request, hooks, run);
  noteDoubts(run);
  if (request.isTrial)
    return run;
  explainLockStarts(worker, request, hooks, run);
  explainTurnedLocks(worker, request, hooks, run);
  noteVolatilePolls(request, run);
  const std::optional<ForgottenFactor> factor = offerFactor(request, run);
  keepFixesThatHelp(worker, request, hooks,
                    std::chrono::duration_cast<std::chrono::milliseconds>(duration), run);
  if (factor)
    settleFactor(*factor, run);
  // Who waits long for one run does not wait for another.
  if (duration < std::chrono::seconds(5))
    noteMissingMasks(worker, request, hooks, run);
  return run;
}

} // namespace tilescope::app
