// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CompileFile.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/ExtentSets.h"
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

/// Of one choice of the symbolic extents.
static profiler::ServedSet servedSet(const ModelPlan &plan) {
  return {servedTensors(plan.inputs), servedTensors(plan.outputs)};
}

/// The model for each set of its symbolic extents. Nothing: it is at fault, which was told.
static Result<std::optional<std::vector<PreparedModel>>>
prepareSets(const ModelServeOptions &options) {
  const Result<std::vector<std::vector<std::string>>> sets = extentSets(options.extents);
  if (!sets)
    return sets.error();
  compiler::WorkerClient worker(workerOptions(std::nullopt));
  std::vector<PreparedModel> models;
  for (const std::vector<std::string> &extents : *sets) {
    Result<std::optional<PreparedModel>> prepared =
        prepareModel(worker, {options.file, extents, options.fusions, "fused", ""});
    if (!prepared)
      return prepared.error();
    if (!*prepared)
      return std::optional<std::vector<PreparedModel>>();
    models.push_back(std::move(**prepared));
  }
  return std::optional(std::move(models));
}

static std::vector<profiler::ServedSet> servedSets(const std::vector<PreparedModel> &models) {
  std::vector<profiler::ServedSet> sets;
  for (const PreparedModel &model : models)
    sets.push_back(servedSet(model.planned.plan));
  return sets;
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
    const auto models = prepareSets(options);
    if (!models)
      return reportError(models.error());
    if (!*models)
      return 1;
    serving.model.sets = servedSets(**models);
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
  CpuModel(std::string file, std::vector<PreparedModel> sets)
      : m_file(std::move(file)), m_sets(std::move(sets)), m_worker(workerOptions(std::nullopt)) {}

  Result<std::vector<std::string>> infer(const profiler::Inference &inference) {
    PreparedModel &model = m_sets[inference.set];
    for (size_t i = 0; i < inference.inputs.size(); ++i)
      std::memcpy(model.inputs[i].data.data(), inference.inputs[i].data(),
                  inference.inputs[i].size());
    ModelRunHooks hooks;
    hooks.target = "cpu:native";
    const Result<ModelRun> run =
        runModel(m_worker, model.planned.plan, m_file, model.inputs, hooks);
    if (!run)
      return run.error();
    std::vector<std::string> outputs;
    for (const profiler::Tensor &output : run->outputs)
      outputs.emplace_back(reinterpret_cast<const char *>(output.data.data()), output.data.size());
    return outputs;
  }
  std::vector<profiler::ServedSet> sets() const { return servedSets(m_sets); }

private:
  std::string m_file;
  std::vector<PreparedModel> m_sets;
  compiler::WorkerClient m_worker;
};
} // namespace

int runModelServeChild(const ModelServeOptions &options) {
  std::unique_ptr<CpuModel> model;
  return profiler::serveInferences([&]() -> Result<profiler::LoadedModel> {
    auto prepared = prepareSets(options);
    if (!prepared)
      return prepared.error();
    if (!*prepared)
      return Error{ErrorCode::InvalidInput, "the model is at fault", ""};
    model = std::make_unique<CpuModel>(options.file, std::move(**prepared));
    std::vector<profiler::ServedSet> sets = model->sets();
    // The first inference of each set compiles.
    for (size_t set = 0; set < sets.size(); ++set) {
      profiler::Inference first{set, {}};
      for (const ServedTensor &input : sets[set].inputs)
        first.inputs.emplace_back(input.bytes(), '\0');
      if (const auto outputs = model->infer(first); !outputs)
        return outputs.error();
    }
    return profiler::LoadedModel{
        "CPU (native code)", std::move(sets),
        [&](const profiler::Inference &inference) { return model->infer(inference); }};
  });
}

} // namespace tilescope::app
