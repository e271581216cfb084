// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CompileFile.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/ModelCommands.h"
#include "app/commands/ModelText.h"
#include "app/commands/ReadModel.h"
#include "app/commands/RunModel.h"
#include "profiler/data/Npy.h"
#include "profiler/data/Text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tilescope::app {

using profiler::Tensor;

/// The name of a file for a tensor: what a name of a file cannot hold becomes `_`.
static std::string fileOf(const std::string &name) {
  std::string file = name;
  std::ranges::replace_if(
      file, [](char c) { return c == '/' || static_cast<unsigned char>(c) < ' '; }, '_');
  if (file.starts_with('.') || file.starts_with('-'))
    file.front() = '_';
  return file + ".npy";
}

/// Adds the extents that the given inputs tell: `N` of `[N, 3]` where the file has [2, 3].
static Status addExtents(const std::string &folder, const compiler::ModelResult &model,
                         compiler::ModelRequest &request) {
  for (const compiler::ModelTensor &input : model.inputs) {
    const Result<Tensor> tensor = profiler::readNpy(folder + "/" + fileOf(input.name));
    if (!tensor)
      return tensor.error();
    for (size_t axis = 0; axis < std::min(input.extents.size(), tensor->shape.size()); ++axis) {
      std::string name = input.extents[axis];
      if (name.size() > 2 && name.front() == '"')
        name = name.substr(1, name.size() - 2);
      if (std::ranges::find(model.symbols, name) != model.symbols.end())
        request.extents.emplace_back(name, tensor->shape[axis]);
    }
  }
  return {};
}

static Result<std::vector<Tensor>> inputsOf(const ModelPlan &plan, const std::string &folder) {
  std::vector<Tensor> tensors;
  for (const ModelPlan::Tensor &input : plan.inputs) {
    if (folder.empty()) {
      profiler::TensorInit init;
      init.kind = profiler::isFloat(input.dtype) ? profiler::TensorInit::Kind::Randn
                                                 : profiler::TensorInit::Kind::Zeros;
      init.seed = tensors.size();
      tensors.push_back(profiler::makeTensor(input.dtype, input.shape, init));
      continue;
    }
    const std::string path = folder + "/" + fileOf(input.name);
    Result<Tensor> tensor = profiler::readNpy(path);
    if (!tensor)
      return tensor.error();
    if (tensor->dtype != input.dtype || tensor->shape != input.shape)
      return Error{ErrorCode::InvalidInput,
                   "`" + path + "` does not have the type and the extents of the input", ""};
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

static std::string shapeText(const std::vector<int64_t> &shape) {
  std::string text;
  for (const int64_t extent : shape)
    text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return "[" + text + "]";
}

static Status writeOutputs(const ModelPlan &plan, const ModelRun &run, const std::string &folder) {
  if (folder.empty())
    return {};
  const Result<profiler::OutputFolder> made = profiler::OutputFolder::make(folder);
  if (!made)
    return made.error();
  for (size_t i = 0; i < run.outputs.size(); ++i)
    if (Status status =
            made->write(fileOf(plan.outputs[i].name), profiler::encodeNpy(run.outputs[i]));
        !status)
      return status;
  return {};
}

/// The least and the largest element of each output.
static void printOutputs(const ModelPlan &plan, const ModelRun &run) {
  for (size_t i = 0; i < run.outputs.size(); ++i) {
    const Tensor &tensor = run.outputs[i];
    double low = INFINITY, high = -INFINITY;
    for (int64_t at = 0; at < tensor.numElements(); ++at) {
      low = std::min(low, tensor.at(at));
      high = std::max(high, tensor.at(at));
    }
    std::printf("output %s: %s %s, from %.6g to %.6g\n",
                profiler::printableLine(plan.outputs[i].name).c_str(),
                std::string(profiler::dtypeName(tensor.dtype)).c_str(),
                shapeText(tensor.shape).c_str(), low, high);
  }
}

int runModelRun(const ModelRunOptions &options) {
  Result<compiler::ModelRequest> request = modelRequest(options.extents, options.form);
  if (!request)
    return reportError(request.error());
  request->path = options.file;
  compiler::WorkerClient worker(workerOptions(options.timeLimit));
  if (!options.inputs.empty()) {
    const Result<compiler::ModelResult> model = readModel(worker, *request);
    if (!model)
      return reportError(model.error());
    if (Status status = addExtents(options.inputs, *model, *request); !status)
      return reportError(status.error());
  }
  request->text = compiler::ModelText::Plan;
  const Result<compiler::ModelResult> model = readModel(worker, *request);
  if (!model)
    return reportError(model.error());
  std::fputs(modelDiagnosticsText(options.file, *model).c_str(), stderr);
  if (!model->ok)
    return 1;
  const Result<ModelPlan> plan = parseModelPlan(model->text);
  if (!plan)
    return reportError(plan.error());
  const Result<std::vector<Tensor>> inputs = inputsOf(*plan, options.inputs);
  if (!inputs)
    return reportError(inputs.error());
  const Result<ModelRun> run = runModel(worker, *plan, options.file, *inputs);
  if (!run)
    return reportError(run.error());
  std::fputs(modelDiagnosticsText(options.file, run->findings).c_str(), stderr);
  printOutputs(*plan, *run);
  std::printf("%zu launches of %zu kernels\n", plan->steps.size(), plan->functions.size());
  if (Status status = writeOutputs(*plan, *run, options.output); !status)
    return reportError(status.error());
  return 0;
}

} // namespace tilescope::app
