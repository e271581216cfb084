// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/StandIn.h"

#include "compiler/interpreter/PreparedKernel.h"
#include "compiler/pipeline/NativeChecks.h"
#include "compiler/pipeline/NativeLaunch.h"
#include "compiler/pipeline/SampledPrograms.h"
#include "compiler/pipeline/Tf32Factors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <new>

namespace tilescope::compiler {

using Clock = std::chrono::steady_clock;

/// Of the blocks of one program: each thread has as much, and the interpreter says what is too much.
static constexpr int64_t kMostScratchBytes = int64_t{256} << 20;

/// What a run is asked for that native code does not tell; empty: nothing.
static std::string obstacleOf(mlir::ModuleOp ttir, const InterpreterLaunch &launch,
                              const DoubtCoverage &coverage) {
  if (!coverage.gap.empty())
    return coverage.gap;
  if (!launch.watches.empty())
    return "it is asked who wrote some elements";
  if (argumentsOverlap(launch.arguments))
    return "arguments share memory";
  if (interpreter::numPrograms(launch.grid) == 0)
    return "the grid is empty";
  for (size_t i = 0; i < launch.arguments.size(); ++i)
    if (launch.arguments[i].countUnwritten && coverage.uses[i].isUpdated)
      return "what atomic operations leave unwritten of `" + launch.arguments[i].name +
             "` is counted";
  return {};
}

static bool kernelPrints(mlir::ModuleOp ttir) {
  return ttir.walk([](tt::PrintOp) { return mlir::WalkResult::interrupt(); }).wasInterrupted();
}

/// Whether a reduction or a scan has a function of its own whose results show in which order elements come: differences
/// and quotients, as in Welford's merge of mean and variance.
static bool showsOrder(mlir::ModuleOp ttir) {
  return ttir
      .walk([](mlir::Operation *op) {
        const bool isOrdered = mlir::isa<mlir::arith::SubFOp, mlir::arith::DivFOp,
                                         mlir::arith::SubIOp, mlir::arith::DivSIOp>(op) &&
                               mlir::isa<tt::ReduceOp, tt::ScanOp>(op->getParentOp());
        return isOrdered ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// Why the interpreter has to execute a grid that native code has executed; empty: it need not.
static std::string doubtOf(mlir::ModuleOp ttir, const native::NativeKernel &kernel,
                           const InterpreterLaunch &launch, const InterpreterOptions &options,
                           const native::GridOutcome &run, NativeChecks &checks) {
  if (run.fault)
    return "a signal ended native code";
  if (!run.outside.empty())
    return "programs access elements outside of an argument";
  if (!run.assertions.empty())
    return "an assertion does not hold";
  if (run.hasRace)
    return "programs may have written different values to one element";
  if (checks.hasReadRace(interpreter::numPrograms(launch.grid)))
    return "programs may have read what others change";
  if (mayPrintUndefined(kernel, run))
    return "programs may print undefined values";
  const ExaminedPrograms examined = examinePrograms(ttir, launch, options, run.doubtful, checks);
  if (examined.hasFindings)
    return "programs use undefined values";
  if (examined.count < run.doubtful.size())
    return "programs may use undefined values";
  if (const std::string *name = checks.untouched())
    return "nothing was stored to `" + *name + "`";
  return {};
}

/// Whether a run ended for a reason that the interpreter would not find out sooner.
static bool isFinal(const native::GridOutcome &run, const InterpreterOptions &options) {
  const bool isEndless = run.fault && run.fault->signal == 0;
  return isEndless || options.stop.stop_requested();
}

/// Whether a run had an access whose mask was false throughout.
static bool hasMaskedOff(const std::optional<Interpretation> &run) {
  return run && !run->maskedOff.empty();
}

static std::string reasonOf(const Error &error, const std::vector<Diagnostic> &reported) {
  return reported.empty() ? error.message : reported.front().message;
}

static StandInRun standIn(CompileJob &job, mlir::ModuleOp ttir, const InterpreterLaunch &launch,
                          const InterpreterOptions &options) {
  const DoubtCoverage coverage = coverDoubts(ttir, launch, options);
  if (std::string obstacle = obstacleOf(ttir, launch, coverage); !obstacle.empty())
    return {{}, std::move(obstacle)};
  Interpretation outcome;
  outcome.isNative = true;
  const auto begin = Clock::now();
  const mlir::OwningOpRef<mlir::ModuleOp> rounded =
      options.truncateToTf32 ? withTf32Factors(ttir) : mlir::OwningOpRef<mlir::ModuleOp>();
  std::vector<Diagnostic> reported;
  const Result<native::NativeKernel> kernel =
      compileNative(job, rounded ? *rounded : ttir,
                    // What is printed is compared with nothing that may differ in its last digits.
                    {.checkBounds = true,
                     .noteDoubts = true,
                     .isExact = kernelPrints(ttir) || showsOrder(ttir),
                     .streamsStores = writesPastCaches(ttir, launch)},
                    reported);
  if (!kernel)
    return {{}, reasonOf(kernel.error(), reported)};
  if (kernel->scratchBytes() > kMostScratchBytes)
    return {{},
            "the blocks of one program need " + std::to_string(kernel->scratchBytes() >> 20) +
                " MiB of memory"};
  outcome.statistics.translateDuration = Clock::now() - begin;
  job.step(StageId::Ttir, "interpret the first program");
  const std::optional<Interpretation> first =
      samplePrograms(ttir, launch, options, {0}, SampleMemory::InPlace);
  outcome.files = first ? first->files : options.files;
  if (first && !first->findings.empty())
    return {{}, "the first program has findings"};
  // At an edge of the data it may be so; whether it is so everywhere, the interpreter finds out.
  if (hasMaskedOff(first) &&
      hasMaskedOff(samplePrograms(ttir, launch, options, outermostPrograms(launch))))
    return {{}, "a mask may be false everywhere"};
  if (first) {
    outcome.statistics.sampledPrograms = first->statistics.programs;
    outcome.statistics.sampleDuration = first->statistics.runDuration;
  }
  job.step(StageId::Ttir, "native code");
  const auto start = Clock::now();
  NativeChecks checks(coverage, launch, job.state.keptPages);
  std::vector<uint64_t> words = wordsOf(launch.arguments, true);
  checks.addWords(words);
  native::GridOutcome run = runPrograms(job, *kernel, words, launch, options);
  outcome.statistics.runDuration = Clock::now() - start;
  outcome.statistics.programs = interpreter::numPrograms(launch.grid);
  outcome.completed = run.completed;
  addPrints(*kernel, run, outcome);
  if (isFinal(run, options)) {
    outcome.cancelled = options.stop.stop_requested();
    outcome.countsUnwritten = false;
    if (run.fault && !outcome.cancelled) {
      outcome.findings = {
          faultFinding(job, ttir, *run.fault, launch.grid, options.maxProgramDuration)};
      outcome.numFindings = 1;
    }
    return {std::move(outcome), {}};
  }
  if (std::string doubt = doubtOf(ttir, *kernel, launch, options, run, checks); !doubt.empty()) {
    checks.restore();
    return {{}, std::move(doubt)};
  }
  outcome.unwritten = checks.unwritten();
  return {std::move(outcome), {}};
}

StandInRun standInForInterpreter(CompileJob &job, mlir::ModuleOp ttir,
                                 const InterpreterLaunch &launch,
                                 const InterpreterOptions &options) {
  try {
    return standIn(job, ttir, launch, options);
  } catch (const std::bad_alloc &) {
    // Before the grid: its programs throw nothing.
    return {{}, "the memory does not suffice for the marks of checked native code"};
  }
}

} // namespace tilescope::compiler
