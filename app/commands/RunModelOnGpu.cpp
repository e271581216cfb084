// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/RunModelOnGpu.h"

#include "app/commands/AskPlace.h"
#include "app/commands/ModelBuffers.h"
#include "app/commands/PackModel.h"
#include "app/commands/RunnerClient.h"
#include "app/commands/TemporaryFolder.h"
#include "profiler/data/Base64.h"
#include "profiler/data/NoSuchDevice.h"
#include "profiler/data/Npy.h"
#include "profiler/runner/Frames.h"

#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tilescope::app {

using nlohmann::json;
using profiler::Tensor;

Result<std::string> modelTargetAt(const RunPlace &place) {
  const Result<std::vector<profiler::DeviceInfo>> devices = runnerDevices(place);
  if (!devices)
    return devices.error();
  const auto number = static_cast<size_t>(place.device);
  if (number >= devices->size())
    return profiler::noSuchDevice(place.device, devices->size(), "tilescope gpus");
  const profiler::DeviceInfo &device = devices->at(number);
  std::string target = targetOf(device);
  if (target.empty())
    return Error{
        ErrorCode::Environment,
        fmt::format("`{}` has the compute capability {}.{}, for which no kernel is compiled",
                    device.name, device.computeMajor, device.computeMinor),
        "`tilescope gpus` lists the devices that can be used"};
  return target;
}

Result<std::string> gpuTargetAt(const RunPlace &place) {
  return place.kind == RunPlace::Kind::Cpu ? std::string() : modelTargetAt(place);
}

Result<RunPlace> modelPlace(const std::string &where, const std::string &target) {
  Result<RunPlace> place = parseRunPlace(where.empty() ? "cpu" : where);
  if (!place || place->kind == RunPlace::Kind::Cpu)
    return place;
  if (!target.empty())
    return Error{ErrorCode::Usage, "`--target " + target + "` is not for a GPU",
                 "`--on` alone compiles for the GPU that is there"};
  if (const Result<std::string> found = modelTargetAt(*place); !found)
    return found.error();
  return place;
}

/// For a runner here, files; one at the far end of ssh does not see them.
static Result<json> requestFor(const profiler::ModelPackage &package, const ModelRunHooks &hooks,
                               const std::string &folder) {
  json params = {{"device", hooks.place.device},
                 {"measure", hooks.measure},
                 {"results", static_cast<bool>(hooks.wrote)},
                 {"time_limit_s", hooks.timeLimit}};
  if (hooks.place.kind != RunPlace::Kind::Ssh) {
    const std::string path = folder + "/model.tsmodel";
    if (Status status = profiler::writeModelPackage(path, package); !status)
      return status.error();
    params["package"] = path;
    params["dump"] = folder;
  } else {
    std::string bytes = profiler::encodeBase64(profiler::encodeModelPackage(package));
    if (bytes.size() + 4096 > profiler::kLargestRequest)
      return Error{
          ErrorCode::InvalidInput,
          fmt::format("the model takes {} MiB with its weights, which is too much to be sent to "
                      "another machine",
                      bytes.size() >> 20),
          "run it there, with `--on cuda`"};
    params["package_base64"] = std::move(bytes);
    params["return_tensors"] = true;
  }
  return json{{"id", 1}, {"method", "model"}, {"params", std::move(params)}};
}

namespace {
/// Tensors that a run has left in a folder, or in the runner's answer.
class RunTensors {
public:
  RunTensors(std::string folder, const json &answer) : m_folder(std::move(folder)) {
    if (answer.contains("tensors"))
      for (const json &tensor : answer.at("tensors"))
        m_sent[tensor.at("name").get<std::string>()] = tensor.at("npy_base64").get<std::string>();
  }

  /// The tensor of this name, which must be what the view says.
  Result<Tensor> read(const std::string &name, const ModelPlan::Tensor &view) const {
    Result<Tensor> tensor = readAny(name);
    if (tensor && (tensor->dtype != view.dtype || tensor->shape != view.shape))
      return Error{ErrorCode::Environment,
                   "the runner's tensor `" + name + "` is not what the plan says",
                   "the runner may be a different version"};
    return tensor;
  }

private:
  Result<Tensor> readAny(const std::string &name) const {
    const auto sent = m_sent.find(name);
    if (sent == m_sent.end())
      return profiler::readNpy(m_folder + "/" + name + ".npy");
    const auto bytes = profiler::decodeBase64(sent->second);
    if (!bytes)
      return Error{ErrorCode::Environment, "the runner's tensor `" + name + "` is not readable",
                   ""};
    return profiler::decodeNpy(*bytes);
  }

  std::string m_folder;
  std::map<std::string, std::string> m_sent;
};
} // namespace

/// Tells the hooks of each step what it read and wrote.
static Status tellSteps(const ModelPlan &plan, const ModelRunHooks &hooks,
                        const RunTensors &tensors, ModelBuffers &buffers) {
  for (size_t number = 0; number < plan.steps.size(); ++number) {
    const std::vector<ModelPlan::Tensor> &views = plan.steps[number].tensors;
    for (const ModelPlan::Tensor &view : views) {
      if (view.isResult || !hooks.read)
        continue;
      const Result<Tensor> tensor = buffers.load(view);
      if (!tensor)
        return tensor.error();
      hooks.read(number, view, *tensor);
    }
    for (const ModelPlan::Tensor &view : views) {
      if (!view.isResult)
        continue;
      const Result<Tensor> tensor = tensors.read(profiler::resultFileName(number, view.name), view);
      if (!tensor)
        return tensor.error();
      if (Status status = buffers.store(view, *tensor); !status)
        return status;
      hooks.wrote(number, view, *tensor);
    }
  }
  return {};
}

static Result<ModelRun> takeRun(const json &answer, const ModelPlan &plan,
                                const RunTensors &tensors) {
  ModelRun run;
  run.measurement = profiler::modelMeasurementFromJson(answer);
  if (run.measurement->steps.size() != plan.steps.size())
    return Error{ErrorCode::Environment, "the runner's answer is of another model", ""};
  for (const profiler::StepMeasurement &step : run.measurement->steps)
    run.stepUs.push_back(step.us.value_or(0));
  for (size_t i = 0; i < plan.outputs.size(); ++i) {
    Result<Tensor> tensor = tensors.read(profiler::outputFileName(i), plan.outputs[i]);
    if (!tensor)
      return tensor.error();
    run.outputs.push_back(std::move(*tensor));
  }
  return run;
}

Result<ModelRun> runModelOnGpu(compiler::WorkerClient &worker, const ModelPlan &plan,
                               const std::string &model, const std::vector<Tensor> &inputs,
                               const ModelRunHooks &hooks) {
  const Result<std::string> target = modelTargetAt(hooks.place);
  if (!target)
    return target.error();
  Result<PackedModel> packed = packModel(worker, {.plan = plan,
                                                  .file = model,
                                                  .inputs = inputs,
                                                  .target = *target,
                                                  .stop = hooks.stop,
                                                  .progress = hooks.compiled});
  if (!packed)
    return packed.error();
  const Result<TemporaryFolder> folder = TemporaryFolder::make();
  if (!folder)
    return folder.error();
  const Result<json> request = requestFor(packed->package, hooks, folder->path());
  if (!request)
    return request.error();
  RunnerHooks asking;
  asking.stop = hooks.stop;
  const Result<json> answer =
      askPlace(hooks.place, *request, runnerPatience(hooks.timeLimit), asking);
  if (!answer)
    return answer.error();
  try {
    const RunTensors tensors(folder->path(), *answer);
    Result<ModelRun> run = takeRun(*answer, plan, tensors);
    if (!run)
      return run;
    run->findings.diagnostics = std::move(packed->findings);
    ModelBuffers buffers(plan, model, inputs);
    if (hooks.wrote)
      if (Status status = tellSteps(plan, hooks, tensors, buffers); !status)
        return status.error();
    return run;
  } catch (const std::exception &failure) {
    return Error{ErrorCode::Environment,
                 "the runner's answer is not a model's measurement: " + std::string(failure.what()),
                 "the runner may be a different version"};
  }
}

} // namespace tilescope::app
