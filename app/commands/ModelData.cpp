// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ModelData.h"

#include "app/commands/TensorFile.h"
#include "profiler/data/Npy.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace tilescope::app {

using profiler::Tensor;

/// What a name of a file cannot hold becomes `_`.
static std::string fileStem(const std::string &name) {
  std::string stem = name;
  std::ranges::replace_if(
      stem, [](char c) { return c == '/' || static_cast<unsigned char>(c) < ' '; }, '_');
  if (stem.starts_with('.') || stem.starts_with('-'))
    stem.front() = '_';
  return stem;
}

static std::string npyName(const std::string &name) { return fileStem(name) + ".npy"; }

/// The first of the files that may hold a tensor; nothing: there is none. `kind`: `input` or `output`.
static std::optional<std::string> findTensor(const std::string &folder, const std::string &name,
                                             std::string_view kind, size_t position) {
  for (const std::string &file :
       {npyName(name), fileStem(name) + ".pb", fmt::format("{}_{}.pb", kind, position)})
    if (const std::string path = folder + "/" + file; std::filesystem::exists(path))
      return path;
  return std::nullopt;
}

static Result<Tensor> readInput(const std::string &folder, const std::string &name,
                                size_t position) {
  // Where there is none, the error names the first file that could be.
  return readTensorFile(
      findTensor(folder, name, "input", position).value_or(folder + "/" + npyName(name)));
}

Status addExtents(const std::string &folder, const compiler::ModelResult &model,
                  compiler::ModelRequest &request) {
  for (size_t i = 0; i < model.inputs.size(); ++i) {
    const compiler::ModelTensor &input = model.inputs[i];
    const Result<Tensor> tensor = readInput(folder, input.name, i);
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

Result<std::vector<Tensor>> inputTensors(const ModelPlan &plan, const std::string &folder) {
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < plan.inputs.size(); ++i) {
    const ModelPlan::Tensor &input = plan.inputs[i];
    if (folder.empty()) {
      profiler::TensorInit init;
      init.kind = profiler::isFloat(input.dtype) ? profiler::TensorInit::Kind::Randn
                                                 : profiler::TensorInit::Kind::Zeros;
      init.seed = i;
      tensors.push_back(profiler::makeTensor(input.dtype, input.shape, init));
      continue;
    }
    Result<Tensor> tensor = readInput(folder, input.name, i);
    if (!tensor)
      return tensor.error();
    if (tensor->dtype != input.dtype || tensor->shape != input.shape)
      return Error{ErrorCode::InvalidInput,
                   fmt::format("the file of input `{}` in `{}` has {} [{}], the model {} [{}]",
                               input.name, folder, profiler::dtypeName(tensor->dtype),
                               fmt::join(tensor->shape, ", "), profiler::dtypeName(input.dtype),
                               fmt::join(input.shape, ", ")),
                   ""};
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

Result<std::vector<std::optional<Tensor>>> expectedOutputs(const ModelPlan &plan,
                                                           const std::string &folder) {
  std::vector<std::optional<Tensor>> tensors;
  for (size_t i = 0; i < plan.outputs.size(); ++i) {
    const auto path = findTensor(folder, plan.outputs[i].name, "output", i);
    if (!path) {
      tensors.emplace_back();
      continue;
    }
    Result<Tensor> tensor = readTensorFile(*path);
    if (!tensor)
      return tensor.error();
    tensors.emplace_back(std::move(*tensor));
  }
  return tensors;
}

Status writeOutputs(const ModelPlan &plan, const std::vector<Tensor> &outputs,
                    const std::string &folder) {
  const Result<profiler::OutputFolder> made = profiler::OutputFolder::make(folder);
  if (!made)
    return made.error();
  for (size_t i = 0; i < outputs.size(); ++i)
    if (Status status = profiler::writeNpy(*made, fileStem(plan.outputs[i].name), outputs[i]);
        !status)
      return status;
  return {};
}

} // namespace tilescope::app
