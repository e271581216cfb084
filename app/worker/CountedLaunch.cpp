// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/CountedLaunch.h"

#include "app/worker/LaunchInput.h"

namespace tilescope::app {

using namespace compiler;
using profiler::Tensor;

uint64_t dataBytes(const profiler::LaunchPlan &plan) {
  uint64_t bytes = 0;
  for (const profiler::PlanArgument &argument : plan.args)
    if (const profiler::PlanTensor *tensor = argument.tensor()) {
      uint64_t count = profiler::dtypeSize(tensor->dtype);
      for (const int64_t extent : tensor->shape)
        count *= static_cast<uint64_t>(extent);
      bytes += count;
    }
  return bytes;
}

static Status checkData(const profiler::LaunchPlan &plan, uint64_t most) {
  const uint64_t bytes = dataBytes(plan);
  if (most == 0 || bytes <= most)
    return {};
  return Error{ErrorCode::Usage,
               "the addresses depend on what the kernel reads, and its arrays take " +
                   std::to_string(bytes >> 20) + " MiB: more than is filled while a file is edited",
               "choose smaller sizes in the launch block"};
}

/// Tensors are made when their data is asked for: most counts need none.
static CountInput makeInput(const CountTask &task, std::map<std::string, Tensor> &tensors,
                            Status &usable) {
  const profiler::LaunchPlan &plan = task.plan;
  const InspectMessage &message = task.message;
  CountInput input;
  for (size_t axis = 0; axis < 3; ++axis)
    input.grid[axis] = static_cast<int32_t>(plan.grid[axis]);
  input.program = message.program;
  input.record = message.record;
  input.numThreads = message.threads;
  input.argument = [&](const KernelParameter &parameter,
                       bool withData) -> std::optional<InterpreterArgument> {
    InterpreterArgument result;
    result.name = parameter.name;
    const profiler::PlanArgument *argument = plan.argument(parameter.name);
    if (!argument)
      return std::nullopt;
    if (!argument->tensor()) {
      result.bits = scalarBits(*argument->scalar(), parameter.type);
      return result;
    }
    if (!withData)
      return result;
    std::string failed;
    if (tensors.empty() && usable) {
      usable = checkData(plan, message.mostDataBytes);
      if (usable)
        usable = makeTensors(plan, message.inputFolder, tensors, failed);
    }
    const auto tensor = tensors.find(parameter.name);
    if (tensor == tensors.end())
      return std::nullopt;
    result.data = tensor->second.data.data();
    result.sizeBytes = tensor->second.data.size();
    return result;
  };
  return input;
}

static Diagnostic unusable(const Error &error) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::LaunchBlockInvalid;
  diagnostic.message = error.message;
  return diagnostic;
}

/// What the cubin tells is part of a hint. The rest of the request is as the client compiled it, so
/// that the cache has it.
CompileRequest countRequest(CompileRequest request, bool wantsHints) {
  request.stopAfter = wantsHints ? StageId::Cubin : StageId::Ttgir;
  if (!wantsHints)
    request.collectFacts = request.recordPassIr = false;
  return request;
}

CountedLaunch countLaunch(CompileOutcome compiled, const CountTask &task) {
  CountedLaunch launch;
  launch.cancelled = compiled.cancelled;
  launch.result = std::move(compiled.result);
  launch.diagnostics = launch.result.diagnostics;
  if (!launch.result.ok)
    return launch;
  std::map<std::string, Tensor> tensors;
  Status usable;
  CountInput input = makeInput(task, tensors, usable);
  input.stop = task.stop;
  input.wantsKernel = task.message.wantsHints;
  CountOutcome counted = countAccesses(launch.result, input);
  launch.cancelled |= counted.cancelled;
  // What an array that cannot be made leads to says less than why it cannot.
  if (!usable) {
    launch.diagnostics.push_back(unusable(usable.error()));
    return launch;
  }
  launch.diagnostics.insert(launch.diagnostics.end(), counted.diagnostics.begin(),
                            counted.diagnostics.end());
  launch.facts = std::move(counted.facts);
  launch.record = std::move(counted.record);
  launch.kernel = std::move(counted.kernel);
  return launch;
}

} // namespace tilescope::app
