// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ModelPlan.h"

#include <nlohmann/json.hpp>

namespace tilescope::app {

using nlohmann::json;

/// What one tensor of a run may take.
static constexpr int64_t kMostBytes = int64_t(1) << 34;

static std::string fromHex(const std::string &text) {
  std::string bytes;
  for (size_t i = 0; i + 1 < text.size(); i += 2)
    bytes += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
  return bytes;
}

static ModelPlan::Tensor tensorFrom(const json &object) {
  ModelPlan::Tensor tensor;
  tensor.name = object.contains("argument") ? object.at("argument") : object.at("name");
  tensor.dtype = profiler::parseDtype(object.at("dtype").get<std::string>()).value();
  tensor.shape = object.at("shape").get<std::vector<int64_t>>();
  tensor.buffer = object.at("buffer");
  tensor.isResult = object.value("is_result", false);
  return tensor;
}

static ModelPlan::Buffer bufferFrom(const json &object) {
  ModelPlan::Buffer buffer;
  if (object.contains("input"))
    buffer.input = object.at("input").get<size_t>();
  if (object.contains("data")) {
    buffer.data = fromHex(object.at("data"));
    buffer.repeat = object.at("repeat");
  }
  buffer.isInFile = object.contains("file");
  if (buffer.isInFile) {
    buffer.file = object.at("file");
    buffer.offset = object.at("offset");
    buffer.bytes = object.at("bytes");
    if (object.contains("order")) {
      buffer.order = object.at("order").get<std::vector<int64_t>>();
      buffer.shape = object.at("shape").get<std::vector<int64_t>>();
    }
  }
  if (object.contains("at"))
    buffer.life = {object.at("at"), object.at("bytes"), object.at("first"), object.at("last")};
  return buffer;
}

static ModelPlan::Step stepFrom(const json &object) {
  ModelPlan::Step step{object.at("node"), object.at("function"), object.at("block"), {}};
  for (const json &tensor : object.at("tensors"))
    step.tensors.push_back(tensorFrom(tensor));
  return step;
}

static Status checkSizes(const std::vector<ModelPlan::Tensor> &tensors, const std::string &where) {
  for (const ModelPlan::Tensor &tensor : tensors) {
    const auto bytes = profiler::tensorBytes(tensor.dtype, tensor.shape);
    if (!bytes || *bytes > kMostBytes)
      return Error{ErrorCode::InvalidInput,
                   "`" + tensor.name + "`" + where + " is larger than 16 GB: that is not run", ""};
  }
  return {};
}

static Status checkArena(const ModelPlan &plan) {
  if (plan.arenaBytes > uint64_t(kMostBytes))
    return Error{ErrorCode::InvalidInput,
                 "what its kernels write takes more than 16 GB at once: that is not run", ""};
  for (const ModelPlan::Buffer &buffer : plan.buffers)
    if (buffer.life && (buffer.life->at > plan.arenaBytes ||
                        buffer.life->bytes > plan.arenaBytes - buffer.life->at))
      return Error{ErrorCode::Environment, "the plan of the model has a tensor outside its arena",
                   ""};
  return {};
}

static Status checkSizes(const ModelPlan &plan) {
  for (const auto *tensors : {&plan.inputs, &plan.outputs})
    if (Status status = checkSizes(*tensors, ""); !status)
      return status;
  for (const ModelPlan::Step &step : plan.steps)
    if (Status status = checkSizes(step.tensors, " of node `" + step.node + "`"); !status)
      return status;
  return checkArena(plan);
}

Result<ModelPlan> parseModelPlan(const std::string &text) {
  ModelPlan plan;
  try {
    const json document = json::parse(text);
    plan.arenaBytes = document.at("arena").at("bytes");
    plan.leastArenaBytes = document.at("arena").at("least_bytes");
    plan.functions = document.at("functions").get<std::map<std::string, std::string>>();
    for (const json &buffer : document.at("buffers"))
      plan.buffers.push_back(bufferFrom(buffer));
    for (const json &step : document.at("steps"))
      plan.steps.push_back(stepFrom(step));
    for (const json &input : document.at("inputs"))
      plan.inputs.push_back(tensorFrom(input));
    for (const json &output : document.at("outputs"))
      plan.outputs.push_back(tensorFrom(output));
  } catch (const std::exception &fault) {
    return Error{ErrorCode::Environment,
                 "the plan of the model cannot be read: " + std::string(fault.what()), ""};
  }
  if (Status status = checkSizes(plan); !status)
    return status.error();
  return plan;
}

} // namespace tilescope::app
