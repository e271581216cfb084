// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/TraceTouches.h"

#include "compiler/dialects/ttng/ir/Dialect.h"
#include "compiler/interpreter/Frame.h"
#include "compiler/interpreter/TraceKernel.h"
#include "compiler/interpreter/TracedOperands.h"
#include "compiler/pipeline/KernelAccesses.h"
#include "compiler/pipeline/ParsedKernel.h"
#include "compiler/pipeline/TouchRecorder.h"
#include "compiler/pipeline/Unsupported.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler {

static void planLoops(const std::vector<Operation *> &operations, TouchPlan &plan) {
  std::vector<Operation *> loops;
  for (Operation *op : operations) {
    Operation *loop = op->getParentOfType<LoopLikeOpInterface>();
    auto found = std::ranges::find(loops, loop);
    if (loop && found == loops.end())
      found = loops.insert(loops.end(), loop);
    plan.loops.push_back(loop ? static_cast<int>(found - loops.begin()) : -1);
    plan.elementBytes.push_back(elementBytesOf(op));
    plan.shapes.push_back(blockShape(op));
  }
  for (Operation *each : loops) {
    std::vector<bool> &row = plan.nested.emplace_back();
    for (Operation *other : loops)
      row.push_back(each->isAncestor(other) || other->isAncestor(each));
  }
}

static TouchAccess accessOf(Operation *op, const StageSources &sources) {
  TouchAccess access;
  access.range = sources.of(op);
  access.operation = op->getName().getStringRef().str();
  access.reads = !isa<tt::StoreOp>(op);
  access.writes = !isa<tt::LoadOp, ttg::AsyncCopyGlobalToLocalOp>(op);
  access.isInLoop = op->getParentOfType<LoopLikeOpInterface>() != nullptr;
  access.elementBytes = elementBytesOf(op);
  return access;
}

/// The runs of all threads, by program.
static void collect(const std::vector<std::unique_ptr<TouchRecorder>> &recorders,
                    TouchTrace &trace) {
  for (const std::unique_ptr<TouchRecorder> &recorder : recorders) {
    trace.isCut |= recorder->isCut();
    trace.runs.insert(trace.runs.end(), recorder->runs().begin(), recorder->runs().end());
    trace.blocks.insert(trace.blocks.end(), recorder->blocks().begin(), recorder->blocks().end());
  }
  std::ranges::stable_sort(trace.runs, {}, &TouchRun::program);
  std::ranges::stable_sort(trace.blocks, {}, &TouchRun::program);
}

TouchOutcome traceTouches(const CompileResult &compiled, const TouchInput &input) {
  const Stage *stage = compiled.stage(StageId::Ttir);
  if (!stage || !stage->ok)
    return unsupported<TouchOutcome>(
        "what programs touch is found in a kernel that compiles to TTIR");
  ParsedKernel kernel(stage->text);
  if (!kernel.module() || !rewriteDescriptors(kernel.module()))
    return unsupported<TouchOutcome>(kernel.message());
  const std::vector<Operation *> operations = numberAccesses(kernel.module());
  TouchPlan plan;
  plan.grid = input.grid;
  plan.mostBytes = input.mostBytes;
  planLoops(operations, plan);

  TouchOutcome outcome;
  TouchTrace trace;
  trace.grid = input.grid;
  trace.programs = input.programs;
  const AddressNeeds needs = findAddressNeeds(kernel.module());
  trace.dependsOnData = needs.dependOnData();
  InterpreterLaunch launch;
  launch.grid = input.grid;
  if (auto fault = addArguments(compiled, input.argument, needs, launch))
    return unsupported<TouchOutcome>(std::move(*fault));
  InterpreterOptions options;
  options.numThreads = input.numThreads;
  options.stop = input.stop;
  std::vector<std::unique_ptr<TouchRecorder>> recorders;
  TraceOptions traced;
  traced.sample = input.programs;
  traced.addressesOnly = true;
  traced.observer = [&]() -> AccessObserver & {
    return *recorders.emplace_back(std::make_unique<TouchRecorder>(plan));
  };
  const Interpretation run = traceKernel(kernel.module(), launch, options, traced);
  outcome.cancelled = run.cancelled;
  if (run.cancelled)
    return outcome;
  if (!run.completed)
    return unsupported<TouchOutcome>(run.findings.empty() ? "the kernel cannot be executed"
                                                          : run.findings.front().message);
  trace.programs.count = run.statistics.programs;
  const StageSources sources(stage->sourceMap);
  for (Operation *op : operations)
    trace.accesses.push_back(accessOf(op, sources));
  for (const KernelParameter &parameter : compiled.metadata.parameters)
    trace.arguments.push_back(
        {parameter.name, interpreter::areaAddress(trace.arguments.size()), {}, 0});
  collect(recorders, trace);
  outcome.trace = std::move(trace);
  return outcome;
}

} // namespace tilescope::compiler
