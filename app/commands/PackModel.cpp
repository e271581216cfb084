// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/PackModel.h"

#include "app/commands/MakePackage.h"
#include "app/commands/ModelBuffers.h"
#include "app/commands/RunModel.h"

#include <filesystem>

namespace tilescope::app {

using profiler::ModelBuffer;
using profiler::ModelPackage;

/// At which every tensor begins, as in the plan's arena.
static constexpr uint64_t kAlignment = 256;

static uint64_t aligned(uint64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

static std::string textOf(const std::vector<std::byte> &bytes) {
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

static Status addStep(compiler::WorkerClient &worker, const ModelToPack &model,
                      const ModelPlan::Step &step, PackedModel &packed) {
  compiler::Selection selection;
  selection.target = model.target;
  CompiledPackage compiled =
      compilePackage(worker, stepSource(model.plan, step), selection, {.stop = model.stop});
  for (const compiler::Diagnostic &diagnostic : compiled.diagnostics)
    packed.findings.push_back({diagnostic.severity, step.node, step.function, diagnostic.message});
  if (!compiled.package)
    return firstError(compiled.package.error(), compiled.diagnostics, compiled.files);
  profiler::ModelStep &added = packed.package.steps.emplace_back();
  added.node = step.node;
  added.kernel = std::move(*compiled.package);
  // The source is the model's; PTX serves where there is no machine code.
  added.kernel.sourceText.clear();
  if (!added.kernel.cubin.empty() && !model.keepsPtx)
    added.kernel.ptx.clear();
  for (const ModelPlan::Tensor &tensor : step.tensors)
    added.tensors.push_back({tensor.name, tensor.buffer, tensor.isResult});
  return {};
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
  for (size_t i = 0; i < model.plan.steps.size(); ++i) {
    if (model.stop.stop_requested())
      return Error{ErrorCode::Cancelled, "the run was stopped", ""};
    if (Status status = addStep(worker, model, model.plan.steps[i], packed); !status)
      return stepError(model.plan.steps[i], status.error());
    if (model.progress)
      model.progress(i + 1, model.plan.steps.size());
  }
  return packed;
}

} // namespace tilescope::app
