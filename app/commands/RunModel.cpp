// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/RunModel.h"

#include "app/commands/DiagnosticText.h"
#include "app/commands/RunLaunch.h"
#include "app/commands/TemporaryFolder.h"
#include "profiler/data/Npy.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace tilescope::app {

namespace fs = std::filesystem;
using profiler::Tensor;

namespace {
/// The buffers of a run. What steps write shares one arena, as the plan has it.
class Memory {
public:
  Memory(const ModelPlan &plan, std::string model, const std::vector<Tensor> &inputs)
      : m_plan(plan), m_model(std::move(model)), m_inputs(inputs), m_arena(plan.arenaBytes) {}

  Result<Tensor> load(const ModelPlan::Tensor &view) {
    Tensor tensor{view.dtype, view.shape, {}};
    const auto size = profiler::tensorBytes(view.dtype, view.shape);
    if (!size)
      return Error{ErrorCode::InvalidInput, "a tensor is larger than any memory", ""};
    if (Status status = fill(view.buffer, tensor.data); !status)
      return status.error();
    if (tensor.data.size() != size_t(*size))
      return Error{ErrorCode::InvalidInput, "a tensor has other bytes than its shape says", ""};
    return tensor;
  }

  Status store(const ModelPlan::Tensor &view, const Tensor &tensor) {
    const auto &life = m_plan.buffers[view.buffer].life;
    if (!life || tensor.data.size() != life->bytes)
      return Error{ErrorCode::Environment, "a step writes other bytes than the plan says", ""};
    std::ranges::copy(tensor.data, m_arena.begin() + std::ptrdiff_t(life->at));
    return {};
  }

private:
  Status fill(size_t number, std::vector<std::byte> &data) const {
    const ModelPlan::Buffer &buffer = m_plan.buffers[number];
    if (buffer.input) {
      data = m_inputs[*buffer.input].data;
      return {};
    }
    if (buffer.isInFile)
      return readFile(buffer, data);
    if (buffer.life) {
      const auto begin = m_arena.begin() + std::ptrdiff_t(buffer.life->at);
      data.assign(begin, begin + std::ptrdiff_t(buffer.life->bytes));
      return {};
    }
    const auto *bytes = reinterpret_cast<const std::byte *>(buffer.data.data());
    for (uint64_t i = 0; i < buffer.repeat; ++i)
      data.insert(data.end(), bytes, bytes + buffer.data.size());
    return {};
  }

  Status readFile(const ModelPlan::Buffer &buffer, std::vector<std::byte> &data) const {
    const fs::path path =
        buffer.file.empty() ? fs::path(m_model) : fs::path(m_model).parent_path() / buffer.file;
    std::ifstream file(path, std::ios::binary);
    data.resize(buffer.bytes);
    file.seekg(std::streamoff(buffer.offset));
    file.read(reinterpret_cast<char *>(data.data()), std::streamsize(buffer.bytes));
    if (!file)
      return Error{ErrorCode::InvalidInput, "cannot read the weights in `" + path.string() + "`",
                   ""};
    return {};
  }

  const ModelPlan &m_plan;
  std::string m_model;
  const std::vector<Tensor> &m_inputs;
  std::vector<std::byte> m_arena;
};

/// Folders that a step's tensors go through.
struct StepFolders {
  std::string inputs, outputs;
};
} // namespace

/// Why it did not run: where only its diagnostics say so, the first error with its place.
static Error errorOf(const LaunchRun &launch) {
  Error error = launch.measurement.error();
  for (const compiler::Diagnostic &diagnostic : launch.diagnostics)
    if (error.message.empty() && diagnostic.severity == compiler::Severity::Error)
      error.message = diagnosticHeadline(diagnostic, launch.files);
  return error;
}

static Status runStep(compiler::WorkerClient &worker, const ModelPlan &plan, size_t number,
                      const StepFolders &folders, const ModelRunHooks &hooks, Memory &memory,
                      ModelRun &run) {
  const ModelPlan::Step &step = plan.steps[number];
  for (const ModelPlan::Tensor &view : step.tensors) {
    if (view.isResult)
      continue;
    const Result<Tensor> tensor = memory.load(view);
    if (!tensor)
      return tensor.error();
    if (hooks.read)
      hooks.read(number, view, *tensor);
    if (Status status = profiler::writeNpy(folders.inputs + "/" + view.name + ".npy", *tensor);
        !status)
      return status;
  }
  LaunchRequest request;
  request.input.path = "model.py";
  request.input.text = plan.functions.at(step.function) + "\n\n" + step.block;
  request.input.entry = compiler::StageId::Ast;
  request.selection.target = hooks.target;
  request.inputFolder = folders.inputs;
  request.dumpFolder = folders.outputs;
  LaunchHooks launchHooks;
  launchHooks.runner.stop = hooks.stop;
  const LaunchRun launch = runLaunch(worker, request, launchHooks);
  for (const compiler::Diagnostic &diagnostic : launch.diagnostics)
    run.findings.diagnostics.push_back(
        {diagnostic.severity, step.node, step.function, diagnostic.message});
  if (!launch.measurement)
    return errorOf(launch);
  run.stepUs.push_back(launch.measurement->timeUs ? launch.measurement->timeUs->median : 0);
  for (const ModelPlan::Tensor &view : step.tensors) {
    if (!view.isResult)
      continue;
    Result<Tensor> tensor = profiler::readNpy(folders.outputs + "/" + view.name + ".npy");
    if (!tensor)
      return tensor.error();
    if (Status status = memory.store(view, *tensor); !status)
      return status;
    if (hooks.wrote)
      hooks.wrote(number, view, *tensor);
  }
  return {};
}

Result<ModelRun> runModel(compiler::WorkerClient &worker, const ModelPlan &plan,
                          const std::string &model, const std::vector<Tensor> &inputs,
                          const ModelRunHooks &hooks) {
  ModelRun run;
  Memory memory(plan, model, inputs);
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    if (hooks.stop.stop_requested())
      return Error{ErrorCode::Cancelled, "the run was stopped", ""};
    const Result<TemporaryFolder> before = TemporaryFolder::make(), after = TemporaryFolder::make();
    if (!before || !after)
      return before ? after.error() : before.error();
    if (Status status =
            runStep(worker, plan, i, {before->path(), after->path()}, hooks, memory, run);
        !status) {
      const ModelPlan::Step &step = plan.steps[i];
      const Error &error = status.error();
      return Error{error.code,
                   "node `" + step.node + "` (`" + step.function +
                       "`): " + (error.message.empty() ? "it does not run" : error.message),
                   error.hint};
    }
  }
  for (const ModelPlan::Tensor &output : plan.outputs) {
    Result<Tensor> tensor = memory.load(output);
    if (!tensor)
      return tensor.error();
    run.outputs.push_back(std::move(*tensor));
  }
  return run;
}

} // namespace tilescope::app
