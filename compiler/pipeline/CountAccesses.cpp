// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/CountAccesses.h"

#include "compiler/conversion/ttg_to_llvm/passes/Passes.h"
#include "compiler/interpreter/TraceKernel.h"
#include "compiler/pipeline/ComputeFacts.h"
#include "compiler/pipeline/Dialects.h"
#include "compiler/pipeline/KernelAccesses.h"
#include "compiler/pipeline/RecordAccesses.h"
#include "compiler/target/TargetSpec.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace tilescope::compiler {
namespace {

/// A context of its own: the kernel is read back from its text.
class ParsedKernel {
public:
  explicit ParsedKernel(const std::string &text) : m_context(makeRegistry()) {
    m_context.disableMultithreading();
    m_context.loadAllAvailableDialects();
    m_handler.emplace(&m_context, [this](mlir::Diagnostic &diagnostic) {
      if (m_message.empty())
        m_message = diagnostic.str();
    });
    m_module = parseSourceString<ModuleOp>(text, ParserConfig(&m_context), "ttgir");
  }

  MLIRContext *context() { return &m_context; }
  /// Null when the text could not be read.
  ModuleOp module() { return m_module.get(); }
  /// The first thing that was wrong.
  const std::string &message() const { return m_message; }

private:
  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerDialects(registry);
    return registry;
  }

  MLIRContext m_context;
  std::string m_message;
  std::optional<ScopedDiagnosticHandler> m_handler;
  OwningOpRef<ModuleOp> m_module;
};

} // namespace

/// The last change of blocks and layouts: what is executed afterwards is what is lowered.
static bool settle(ParsedKernel &kernel) {
  PassManager passes(kernel.context());
  passes.addPass(createSettleScanLayouts());
  return succeeded(passes.run(kernel.module()));
}

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

static CountOutcome fail(std::string message) {
  CountOutcome outcome;
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::RunUnsupported;
  diagnostic.message = std::move(message);
  outcome.diagnostics.push_back(std::move(diagnostic));
  return outcome;
}

static CountOutcome stopped() {
  CountOutcome outcome;
  outcome.cancelled = true;
  return outcome;
}

/// Runs the kernel and leaves the tallies in `counted`; what keeps it from running, or nothing.
static std::optional<std::string> run(ParsedKernel &kernel, const CompileResult &compiled,
                                      const CountInput &input, CountedKernel &counted,
                                      CountOutcome &outcome) {
  MemoryFacts &facts = *outcome.facts;
  facts.dependsOnData = addressesDependOnData(kernel.module());
  InterpreterLaunch launch;
  launch.grid = input.grid;
  for (const KernelParameter &parameter : compiled.metadata.parameters) {
    std::optional<InterpreterArgument> argument = input.argument(parameter, facts.dependsOnData);
    if (!argument)
      return "the launch has no argument `" + parameter.name + "` of type `" + parameter.type + "`";
    launch.arguments.push_back(std::move(*argument));
    counted.argumentNames.push_back(parameter.name);
  }
  InterpreterOptions options;
  options.numThreads = input.numThreads;
  options.stop = input.stop;
  TraceOptions trace;
  trace.program = input.program;
  trace.addressesOnly = !facts.dependsOnData;
  // A single program has a single thread.
  const bool isRecorded = input.program && input.record;
  AccessRecorder *recorder = nullptr;
  trace.observer = [&]() -> AccessObserver & {
    if (!isRecorded)
      return *counted.tallies.emplace_back(std::make_unique<AccessTally>(counted.accesses));
    auto made = std::make_unique<AccessRecorder>(counted.accesses, *input.record);
    recorder = made.get();
    return *counted.tallies.emplace_back(std::move(made));
  };
  const Interpretation interpretation = traceKernel(kernel.module(), launch, options, trace);
  outcome.cancelled = interpretation.cancelled;
  facts.programs = interpretation.statistics.programs;
  if (recorder && interpretation.completed) {
    outcome.record = makeRecord(counted, *recorder);
    outcome.record.program = *input.program;
  }
  if (interpretation.completed || interpretation.cancelled)
    return std::nullopt;
  return interpretation.findings.empty() ? "the kernel cannot be executed"
                                         : interpretation.findings.front().message;
}

/// What the kernel computes, from its TTIR, too, where it has one.
static ComputeFacts factsOf(ParsedKernel &kernel, const std::vector<Operation *> &operations,
                            const CompileResult &compiled) {
  ComputeFacts facts;
  addLaidOutFacts(kernel.module(), operations, compiled.metadata.numStages,
                  StageSources(compiled.stage(StageId::Ttgir)->sourceMap), facts);
  const Stage *ttir = compiled.stage(StageId::Ttir);
  if (!ttir || !ttir->ok || ttir->text.empty())
    return facts;
  ParsedKernel source(ttir->text);
  if (source.module())
    addSourceFacts(source.module(), compiled.metadata.parameters, StageSources(ttir->sourceMap),
                   facts);
  return facts;
}

CountOutcome countAccesses(const CompileResult &compiled, const CountInput &input) {
  const Stage *stage = compiled.stage(StageId::Ttgir);
  const Result<TargetSpec> target = parseTarget(compiled.target);
  if (!stage || !stage->ok || !target)
    return fail("accesses are counted in a kernel that compiles to TTGIR");
  ParsedKernel kernel(stage->text);
  if (!kernel.module() || !settle(kernel))
    return fail(kernel.message());
  CountedKernel counted;
  counted.operations = numberOperations(kernel.module());
  if (input.stop.stop_requested())
    return stopped();
  auto accesses = planAccesses(kernel, counted.operations, target->maxSharedBytes());
  if (!accesses)
    return fail(kernel.message());
  counted.accesses = std::move(*accesses);

  if (input.stop.stop_requested())
    return stopped();
  CountOutcome outcome;
  MemoryFacts &facts = outcome.facts.emplace();
  facts.grid = input.grid;
  facts.program = input.program;
  if (std::optional<std::string> fault = run(kernel, compiled, input, counted, outcome))
    return fail(std::move(*fault));
  const StageSources sources(stage->sourceMap);
  addFacts(counted, sources, facts);
  facts.pipelines = findPipelines(kernel.module(), sources);
  if (input.wantsKernel)
    outcome.kernel = factsOf(kernel, counted.operations, compiled);
  return outcome;
}

} // namespace tilescope::compiler
