// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/PackModel.h"

#include "app/commands/CompileSteps.h"
#include "app/commands/ModelBuffers.h"
#include "app/commands/RunModel.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace tilescope::app {

using profiler::ModelBuffer;
using profiler::ModelPackage;

/// At which every tensor begins, as in the plan's arena.
static constexpr uint64_t kAlignment = 256;

static uint64_t aligned(uint64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

static std::string textOf(const profiler::TensorBytes &bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

/// A buffer that no step writes, at the end of the memory.
static Status addContents(const ModelToPack &model, size_t number, ModelPackage &package) {
  const ModelPlan::Buffer &buffer = model.plan.buffers[number];
  const auto contents = ModelBuffers(model.plan, model.file, model.inputs).contents(number);
  if (!contents)
    return contents.error();
  const bool isRepeated = !buffer.input && !buffer.isInFile;
  package.buffers[number] = {
      package.memoryBytes, contents->size() * (isRepeated ? buffer.repeat : 1), textOf(*contents)};
  package.memoryBytes = aligned(package.memoryBytes + package.buffers[number].bytes);
  return {};
}

static Status addBuffers(const ModelToPack &model, ModelPackage &package) {
  const std::vector<ModelPlan::Buffer> &buffers = model.plan.buffers;
  package.buffers.resize(buffers.size());
  package.memoryBytes = aligned(model.plan.arenaBytes);
  for (size_t i = 0; i < buffers.size(); ++i)
    if (const auto &life = buffers[i].life)
      package.buffers[i] = {life->at, life->bytes, ""};
  for (const bool isInput : {true, false})
    for (size_t i = 0; i < buffers.size(); ++i)
      if (!buffers[i].life && buffers[i].input.has_value() == isInput)
        if (Status status = addContents(model, i, package); !status)
          return status;
  return {};
}

static std::vector<profiler::ModelPort> portsOf(const std::vector<ModelPlan::Tensor> &tensors) {
  std::vector<profiler::ModelPort> ports;
  for (const ModelPlan::Tensor &tensor : tensors)
    ports.push_back({tensor.name, tensor.dtype, tensor.shape, tensor.buffer});
  return ports;
}

/// Takes what the compiler has made of a step.
static Status addStep(const ModelPlan::Step &step, bool keepsPtx, CompiledPackage compiled,
                      profiler::ModelStep &added,
                      std::vector<compiler::ModelDiagnostic> &findings) {
  for (const compiler::Diagnostic &diagnostic : compiled.diagnostics)
    findings.push_back({diagnostic.severity, step.node, step.function, diagnostic.message});
  if (!compiled.package)
    return firstError(compiled.package.error(), compiled.diagnostics, compiled.files);
  added.node = step.node;
  added.kernel = std::move(*compiled.package);
  // The source is the model's; PTX serves where there is no machine code.
  added.kernel.sourceText.clear();
  if (!added.kernel.cubin.empty() && !keepsPtx)
    added.kernel.ptx.clear();
  for (const ModelPlan::Tensor &tensor : step.tensors)
    added.tensors.push_back({tensor.name, tensor.buffer, tensor.isResult});
  return {};
}

/// Compiles all kernels. What there is to say of them is in the plan's order, in whichever they were compiled.
static Status addSteps(compiler::WorkerClient &worker, const ModelToPack &model,
                       PackedModel &packed) {
  const size_t total = model.plan.steps.size();
  packed.package.steps.resize(total);
  std::vector<std::vector<compiler::ModelDiagnostic>> findings(total);
  size_t done = 0;
  Status status =
      compileSteps(worker, {model.plan, model.target, 0, model.stop},
                   [&](size_t number, CompiledPackage compiled) -> Status {
                     const ModelPlan::Step &step = model.plan.steps[number];
                     if (Status added = addStep(step, model.keepsPtx, std::move(compiled),
                                                packed.package.steps[number], findings[number]);
                         !added)
                       return stepError(step, added.error());
                     if (model.progress)
                       model.progress(++done, total);
                     return {};
                   });
  for (std::vector<compiler::ModelDiagnostic> &each : findings)
    std::ranges::move(each, std::back_inserter(packed.findings));
  return status;
}

Result<PackedModel> packModel(compiler::WorkerClient &worker, const ModelToPack &model) {
  PackedModel packed;
  ModelPackage &package = packed.package;
  package.model = std::filesystem::path(model.file).filename().string();
  package.target = model.target;
  package.generator = "tilescope " TILESCOPE_VERSION;
  package.inputs = portsOf(model.plan.inputs);
  package.outputs = portsOf(model.plan.outputs);
  if (Status status = addBuffers(model, package); !status)
    return status.error();
  if (Status status = addSteps(worker, model, packed); !status)
    return status.error();
  return packed;
}

} // namespace tilescope::app
