// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/CountedLaunch.h"

#include "app/worker/LaunchInput.h"
#include "profiler/package/InitialTensor.h"
#include "profiler/package/TensorMap.h"

namespace tilescope::app {

using namespace compiler;
using profiler::Tensor;

static uint64_t bytesOf(const profiler::PlanTensor &tensor) {
  uint64_t bytes = profiler::dtypeSize(tensor.dtype);
  for (const int64_t extent : tensor.shape)
    bytes *= static_cast<uint64_t>(extent);
  return bytes;
}

uint64_t dataBytes(const profiler::LaunchPlan &plan) {
  uint64_t bytes = 0;
  for (const profiler::PlanArgument &argument : plan.args)
    if (const profiler::PlanTensor *tensor = argument.tensor())
      bytes += bytesOf(*tensor);
  return bytes;
}

Status TaskArguments::makeTensor(const profiler::PlanArgument &argument) {
  m_bytes += bytesOf(*argument.tensor());
  if (m_task.message.mostDataBytes != 0 && m_bytes > m_task.message.mostDataBytes)
    return Error{ErrorCode::Usage,
                 "the addresses depend on what the kernel reads, and its arrays take " +
                     std::to_string(m_bytes >> 20) +
                     " MiB: more than is filled while a file is edited",
                 "choose smaller sizes in the launch block"};
  Result<Tensor> tensor = profiler::initialTensor(argument, m_task.message.inputFolder);
  if (!tensor)
    return tensor.error();
  m_tensors[argument.name] = std::move(*tensor);
  return {};
}

LaunchArguments TaskArguments::provider() {
  return
      [this](const KernelParameter &parameter, bool withData) { return find(parameter, withData); };
}

std::optional<InterpreterArgument> TaskArguments::find(const KernelParameter &parameter,
                                                       bool withData) {
  InterpreterArgument result;
  result.name = parameter.name;
  const profiler::PlanArgument *argument = m_task.plan.argument(parameter.name);
  if (!argument) {
    // Of a described tensor: its extents and strides are not written in the launch block.
    const auto extent = profiler::extentParameter(m_task.plan, parameter.name);
    if (!extent)
      return std::nullopt;
    result.bits = scalarBits(*extent, parameter.type);
    return result;
  }
  if (!argument->tensor()) {
    result.bits = scalarBits(*argument->scalar(), parameter.type);
    return result;
  }
  if (!withData)
    return result;
  if (m_usable && !m_tensors.contains(parameter.name))
    m_usable = makeTensor(*argument);
  if (!m_usable)
    return std::nullopt;
  Tensor &tensor = m_tensors.at(parameter.name);
  result.data = tensor.data.data();
  result.sizeBytes = tensor.data.size();
  return result;
}

std::array<int32_t, 3> gridOf(const profiler::LaunchPlan &plan) {
  std::array<int32_t, 3> grid{};
  for (size_t axis = 0; axis < grid.size(); ++axis)
    grid[axis] = static_cast<int32_t>(plan.grid[axis]);
  return grid;
}

Diagnostic unusable(const Error &error) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::LaunchBlockInvalid;
  diagnostic.message = error.message;
  return diagnostic;
}

/// What the cubin tells is part of a hint. The rest of the request is as the client compiled it, so
/// that the cache has it.
CompileRequest countRequest(CompileRequest request, bool needsCode) {
  request.stopAfter = needsCode ? StageId::Cubin : StageId::Ttgir;
  if (!needsCode)
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
  TaskArguments arguments(task);
  CountInput input;
  input.grid = gridOf(task.plan);
  input.program = task.message.program;
  input.record = task.message.record;
  input.numThreads = task.message.threads;
  input.argument = arguments.provider();
  input.stop = task.stop;
  input.isExecuted = task.isExecuted();
  input.conversionPasses = std::move(compiled.conversionPasses);
  input.wantsKernel = needsMachineCode(task.message);
  CountOutcome counted = countAccesses(launch.result, input);
  launch.cancelled |= counted.cancelled;
  // What an array that cannot be made leads to says less than why it cannot.
  if (!arguments.usable()) {
    launch.diagnostics.push_back(unusable(arguments.usable().error()));
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
