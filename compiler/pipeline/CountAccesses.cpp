// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/CountAccesses.h"

#include "compiler/conversion/ttg_to_llvm/passes/Passes.h"
#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/interpreter/TraceKernel.h"
#include "compiler/pipeline/ComputeFacts.h"
#include "compiler/pipeline/KernelAccesses.h"
#include "compiler/pipeline/LoopSummary.h"
#include "compiler/pipeline/ParsedKernel.h"
#include "compiler/pipeline/ProgramTally.h"
#include "compiler/pipeline/RecordAccesses.h"
#include "compiler/pipeline/Unsupported.h"
#include "compiler/target/TargetSpec.h"

#include "mlir/Pass/PassManager.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler {
/// What each numbered operation becomes. Found in a copy, as far towards machine code as the
/// lowering looks at it.
static std::optional<std::vector<PlannedAccesses>>
planAccesses(ParsedKernel &kernel, const std::vector<Operation *> &operations,
             int64_t sharedBytes) {
  OwningOpRef<ModuleOp> copy = kernel.module().clone();
  PassManager passes(kernel.context());
  passes.addPass(createLoopsToBranches());
  passes.addPass(createAllocateSharedMemory({sharedBytes}));
  if (failed(passes.run(*copy)))
    return std::nullopt;
  const AxisInfoMap axes(*copy);
  std::vector<PlannedAccesses> accesses(operations.size());
  copy->walk([&](Operation *op) {
    if (const std::optional<uint32_t> number = operationNumber(op))
      accesses[*number] = accessesOf(op, axes);
  });
  return accesses;
}

/// Which pass made which conversion; what later passes make is not known.
static void nameConversionPasses(ModuleOp module, const std::vector<std::string> &passes,
                                 CountedKernel &counted) {
  std::vector<Operation *> conversions;
  module.walk<WalkOrder::PreOrder>(
      [&](ttg::ConvertLayoutOp convert) { conversions.push_back(convert); });
  for (size_t i = 0; i < conversions.size() && conversions.size() == passes.size(); ++i)
    counted.conversionPasses[conversions[i]] = passes[i];
}

static CountOutcome stopped() {
  CountOutcome outcome;
  outcome.cancelled = true;
  return outcome;
}

static bool hasFew(const std::array<int32_t, 3> &grid) {
  return static_cast<uint64_t>(grid[0]) * static_cast<uint64_t>(grid[1]) *
             static_cast<uint64_t>(grid[2]) <=
         kMostProgramFacts;
}

namespace {
/// The tallies that keep more than counts.
struct RunTallies {
  std::vector<const ProgramTally *> byProgram;
  /// A single program has a single thread.
  AccessRecorder *recorder = nullptr;
};
} // namespace

/// The tally of a thread.
static AccessTally &addTally(const CountInput &input, CountedKernel &counted, RunTallies &tallies) {
  std::unique_ptr<AccessTally> added;
  if (input.program && input.record) {
    auto recorder = std::make_unique<AccessRecorder>(counted.accesses, *input.record);
    tallies.recorder = recorder.get();
    added = std::move(recorder);
  } else if (input.wantsKernel && !input.program && hasFew(input.grid)) {
    auto tally = std::make_unique<ProgramTally>(counted.accesses, input.grid);
    tallies.byProgram.push_back(tally.get());
    added = std::move(tally);
  } else {
    added = std::make_unique<AccessTally>(counted.accesses);
  }
  return *counted.tallies.emplace_back(std::move(added));
}

/// What ended a program before its end, at its place in the source: a wait for others, since each
/// program is followed alone, or an endless loop.
static Diagnostic endedEarly(const InterpreterFinding &finding, MLIRContext *context,
                             const StageSources &sources) {
  Diagnostic note;
  note.kind = DiagnosticKind::RunStepLimit;
  note.severity = Severity::Note;
  note.message = finding.message + "; how often accesses are executed is not counted";
  note.range = sources.of(FileLineColLoc::get(context, "", finding.range.begin.line + 1, 1));
  return note;
}

/// Runs the kernel and leaves the tallies in `counted`; what keeps it from running, or nothing.
static std::optional<std::string> run(ParsedKernel &kernel, const CompileResult &compiled,
                                      const CountInput &input, CountedKernel &counted,
                                      CountOutcome &outcome) {
  MemoryFacts &facts = *outcome.facts;
  const AddressNeeds needs = findAddressNeeds(kernel.module());
  facts.dependsOnData = needs.dependOnData();
  InterpreterLaunch launch;
  launch.grid = input.grid;
  if (auto fault = addArguments(compiled, input.argument, needs, launch))
    return fault;
  for (const KernelParameter &parameter : compiled.metadata.parameters)
    counted.argumentNames.push_back(parameter.name);
  InterpreterOptions options;
  options.numThreads = input.numThreads;
  options.stop = input.stop;
  TraceOptions trace;
  trace.program = input.program;
  trace.addressesOnly = true;
  RunTallies tallies;
  trace.observer = [&]() -> AccessObserver & { return addTally(input, counted, tallies); };
  const Interpretation interpretation = traceKernel(kernel.module(), launch, options, trace);
  outcome.cancelled = interpretation.cancelled;
  facts.programs = interpretation.statistics.programs;
  if (!tallies.byProgram.empty() && interpretation.completed)
    outcome.kernel.programs = programsOf(tallies.byProgram, input.grid);
  if (tallies.recorder && interpretation.completed) {
    outcome.record = makeRecord(counted, *tallies.recorder);
    outcome.record.program = *input.program;
  }
  if (interpretation.completed || interpretation.cancelled)
    return std::nullopt;
  const auto ended = std::ranges::find(interpretation.findings, InterpreterFindingKind::StepLimit,
                                       &InterpreterFinding::kind);
  if (ended != interpretation.findings.end()) {
    outcome.diagnostics.push_back(endedEarly(
        *ended, kernel.context(), StageSources(compiled.stage(StageId::Ttgir)->sourceMap)));
    counted.tallies.clear();
    facts.programs = 0;
    return std::nullopt;
  }
  return interpretation.findings.empty() ? "the kernel cannot be executed"
                                         : interpretation.findings.front().message;
}

/// Adds what the kernel computes, from its TTIR, too, where it has one.
static void addComputeFacts(ParsedKernel &kernel, const std::vector<Operation *> &operations,
                            const CompileResult &compiled, ComputeFacts &facts) {
  addLaidOutFacts(kernel.module(), operations, compiled.metadata.numStages,
                  StageSources(compiled.stage(StageId::Ttgir)->sourceMap), facts);
  const Stage *ttir = compiled.stage(StageId::Ttir);
  if (!ttir || !ttir->ok || ttir->text.empty())
    return;
  ParsedKernel source(ttir->text);
  if (source.module())
    addSourceFacts(source.module(), compiled.metadata.parameters, StageSources(ttir->sourceMap),
                   facts);
}

CountOutcome countAccesses(const CompileResult &compiled, const CountInput &input) {
  const Stage *stage = compiled.stage(StageId::Ttgir);
  const Result<TargetSpec> target = parseTarget(compiled.target);
  if (!stage || !stage->ok || !target)
    return unsupported<CountOutcome>("accesses are counted in a kernel that compiles to TTGIR");
  ParsedKernel kernel(stage->text);
  CountedKernel counted;
  if (kernel.module())
    nameConversionPasses(kernel.module(), input.conversionPasses, counted);
  if (!kernel.module() || !kernel.settle())
    return unsupported<CountOutcome>(kernel.message());
  counted.operations = numberOperations(kernel.module());
  if (input.stop.stop_requested())
    return stopped();
  auto accesses = planAccesses(kernel, counted.operations, target->maxSharedBytes());
  if (!accesses)
    return unsupported<CountOutcome>(kernel.message());
  counted.accesses = std::move(*accesses);

  if (input.stop.stop_requested())
    return stopped();
  CountOutcome outcome;
  MemoryFacts &facts = outcome.facts.emplace();
  facts.grid = input.grid;
  facts.program = input.program;
  if (input.isExecuted)
    if (std::optional<std::string> fault = run(kernel, compiled, input, counted, outcome))
      return unsupported<CountOutcome>(std::move(*fault));
  const StageSources sources(stage->sourceMap);
  addFacts(counted, sources, facts);
  facts.pipelines = findPipelines(kernel.module(), sources);
  if (input.wantsKernel)
    addComputeFacts(kernel, counted.operations, compiled, outcome.kernel);
  return outcome;
}

} // namespace tilescope::compiler
