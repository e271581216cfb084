// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CompileFile.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/ModelCommands.h"
#include "app/commands/PrepareModel.h"
#include "app/commands/RunModel.h"
#include "profiler/serve/HttpServer.h"
#include "profiler/serve/ModelProcess.h"
#include "profiler/serve/ServeOverHttp.h"

#include <cstring>
#include <filesystem>
#include <memory>
#include <unistd.h>

namespace tilescope::app {

using profiler::ServedTensor;

static std::vector<ServedTensor> servedTensors(const std::vector<ModelPlan::Tensor> &tensors) {
  std::vector<ServedTensor> served;
  for (const ModelPlan::Tensor &each : tensors) {
    ServedTensor &tensor = served.emplace_back(each.name, each.dtype, each.shape);
    // Small floating types are bytes for the protocol.
    if (profiler::datatypeName(each.dtype) == "UINT8")
      tensor.dtype = profiler::Dtype::Uint8;
  }
  return served;
}

/// A model has one, which its symbolic extents decide.
static profiler::ServedSet servedSet(const ModelPlan &plan) {
  return {servedTensors(plan.inputs), servedTensors(plan.outputs)};
}

static ModelSource sourceOf(const ModelServeOptions &options) {
  return {options.file, options.extents, options.fusions, "fused", ""};
}

/// The same command, for the process that has the model.
static std::vector<std::string> childCommand(const ModelServeOptions &options) {
  std::vector<std::string> command{std::filesystem::read_symlink("/proc/self/exe").string(),
                                   "model", "serve-child",
                                   std::filesystem::absolute(options.file).string()};
  const auto add = [&](const char *name, const std::vector<std::string> &values) {
    for (const std::string &value : values)
      command.insert(command.end(), {name, value});
  };
  add("--dim", options.extents);
  add("--fuse", options.fusions.fused);
  add("--no-fuse", options.fusions.apart);
  return command;
}

int runModelServe(const ModelServeOptions &options) {
  if (const auto address = profiler::parseHttpAddress(options.address); !address)
    return reportError(address.error());
  profiler::ServeOptions serving;
  {
    compiler::WorkerClient worker(workerOptions(std::nullopt));
    const Result<std::optional<PreparedModel>> prepared = prepareModel(worker, sourceOf(options));
    if (!prepared)
      return reportError(prepared.error());
    if (!*prepared)
      return 1;
    serving.model.sets = {servedSet((*prepared)->planned.plan)};
  }
  serving.model.name =
      options.name.empty() ? std::filesystem::path(options.file).stem().string() : options.name;
  serving.address = options.address;
  serving.command = childCommand(options);
  serving.timeLimitS = options.timeLimit;
  if (Status status = profiler::serveOverHttp(serving); !status)
    return reportError(status.error());
  return 0;
}

namespace {
/// A model that the worker runs as machine code of this processor.
class CpuModel {
public:
  CpuModel(std::string file, PreparedModel model)
      : m_file(std::move(file)), m_model(std::move(model)), m_worker(workerOptions(std::nullopt)) {}

  Result<std::vector<std::string>> infer(const std::vector<std::string> &inputs) {
    for (size_t i = 0; i < inputs.size(); ++i)
      std::memcpy(m_model.inputs[i].data.data(), inputs[i].data(), inputs[i].size());
    ModelRunHooks hooks;
    hooks.target = "cpu:native";
    const Result<ModelRun> run =
        runModel(m_worker, m_model.planned.plan, m_file, m_model.inputs, hooks);
    if (!run)
      return run.error();
    std::vector<std::string> outputs;
    for (const profiler::Tensor &output : run->outputs)
      outputs.emplace_back(reinterpret_cast<const char *>(output.data.data()), output.data.size());
    return outputs;
  }
  const ModelPlan &plan() const { return m_model.planned.plan; }

private:
  std::string m_file;
  PreparedModel m_model;
  compiler::WorkerClient m_worker;
};
} // namespace

int runModelServeChild(const ModelServeOptions &options) {
  std::unique_ptr<CpuModel> model;
  return profiler::serveInferences([&]() -> Result<profiler::LoadedModel> {
    compiler::WorkerClient worker(workerOptions(std::nullopt));
    Result<std::optional<PreparedModel>> prepared = prepareModel(worker, sourceOf(options));
    if (!prepared)
      return prepared.error();
    if (!*prepared)
      return Error{ErrorCode::InvalidInput, "the model is at fault", ""};
    model = std::make_unique<CpuModel>(options.file, std::move(**prepared));
    // The first one compiles.
    std::vector<std::string> zeros;
    for (const ServedTensor &input : servedTensors(model->plan().inputs))
      zeros.emplace_back(input.bytes(), '\0');
    if (const auto outputs = model->infer(zeros); !outputs)
      return outputs.error();
    return profiler::LoadedModel{
        "CPU (native code)", {servedSet(model->plan())}, [&](const profiler::Inference &inference) {
          return model->infer(inference.inputs);
        }};
  });
}

} // namespace tilescope::app
