// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/RunnerClient.h"

#include "app/commands/AskPlace.h"
#include "app/commands/TemporaryFolder.h"
#include "app/commands/UnwrittenElements.h"
#include "app/launch/ExpectedResult.h"
#include "profiler/data/Base64.h"
#include "profiler/data/FileIo.h"
#include "profiler/data/MeasurementJson.h"
#include "profiler/data/Npy.h"
#include "profiler/data/OutputFolder.h"
#include "profiler/data/Unwritten.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace tilescope::app {

namespace fs = std::filesystem;
using nlohmann::json;
using profiler::Measurement;
using profiler::OutputResult;
using profiler::Tensor;

/// How long a busy machine may take to report that the runner is alive, whatever the time limit.
static constexpr double kLeastSilence = 5;
/// Loading the driver of a machine with many GPUs takes seconds.
static constexpr double kDevicesPatience = 20;

std::chrono::milliseconds runnerPatience(double timeLimit) {
  return std::chrono::milliseconds(static_cast<int64_t>(std::max(timeLimit, kLeastSilence) * 1000));
}

std::chrono::milliseconds devicesPatience(std::optional<double> timeLimit) {
  return runnerPatience(timeLimit.value_or(kDevicesPatience));
}

static Error outputError(const std::string &name, const std::string &what) {
  return {ErrorCode::InvalidInput, "the output `" + name + "` of the run " + what, ""};
}

/// The tensors that begin with given contents, for a runner that does not see this machine's files.
static Result<json> encodedInputs(const profiler::KernelPackage &package,
                                  const std::string &folder) {
  json inputs = json::object();
  for (const profiler::PlanArgument &argument : package.plan.args) {
    const fs::path path = fs::path(folder) / (argument.name + ".npy");
    if (argument.tensor() == nullptr || !fs::exists(path))
      continue;
    const Result<std::string> bytes = profiler::readFile(path.string());
    if (!bytes)
      return bytes.error();
    inputs[argument.name] = profiler::encodeBase64(*bytes);
  }
  return inputs;
}

static Result<json> makeRequest(const profiler::KernelPackage &package,
                                const LaunchOptions &options, const std::string &outputFolder) {
  json params = {{"package_base64", profiler::encodeBase64(profiler::encodePackage(package))},
                 {"device", options.place.device},
                 {"measure", options.measure},
                 {"cold_l2", options.coldL2},
                 {"time_limit_s", options.timeLimit}};
  if (options.profile.counters != profiler::CounterSet::None)
    params["counters"] = options.profile.counters == profiler::CounterSet::Full ? "full" : "quick";
  if (options.profile.samples)
    params["pc_samples"] = true;
  if (options.profile.executions)
    params["executions"] = true;
  for (const profiler::KernelPackage &traced : options.traced)
    params["traced_packages_base64"].push_back(
        profiler::encodeBase64(profiler::encodePackage(traced)));
  if (options.isProfile)
    params["samples"] = true;
  const bool isFar = options.place.kind == RunPlace::Kind::Ssh;
  if (!outputFolder.empty() && isFar)
    params["return_outputs"] = true;
  else if (!outputFolder.empty())
    params["dump"] = fs::absolute(outputFolder).string();
  if (!options.inputFolder.empty() && isFar) {
    Result<json> inputs = encodedInputs(package, options.inputFolder);
    if (!inputs)
      return inputs.error();
    params["inputs_base64"] = std::move(*inputs);
  } else if (!options.inputFolder.empty()) {
    params["inputs"] = fs::absolute(options.inputFolder).string();
  }
  return json{{"id", 1}, {"method", "run"}, {"params", std::move(params)}};
}

/// Which elements were not written, where the output itself does not tell.
static Status writeFlags(const json &output, const profiler::OutputFolder &folder,
                         const std::string &name) {
  if (!output.contains("unwritten_npy_base64")) {
    std::error_code fault;
    fs::remove(profiler::unwrittenPath(folder.pathOf(name + ".npy")), fault);
    return {};
  }
  const auto flags =
      profiler::decodeBase64(output.at("unwritten_npy_base64").get_ref<const std::string &>());
  return flags ? folder.write(profiler::unwrittenPath(name + ".npy"), *flags)
               : outputError(name, "is not readable");
}

/// Writes the outputs that came with the answer.
static Status writeOutputs(const json &answer, const profiler::KernelPackage &package,
                           const std::string &path) {
  const Result<profiler::OutputFolder> folder = profiler::OutputFolder::open(path);
  if (!folder)
    return folder.error();
  for (const json &output : answer.at("outputs")) {
    const auto name = output.at("name").get<std::string>();
    // Names become those of files: only what was asked for is taken.
    if (package.plan.argument(name) == nullptr)
      return outputError(name, "is not an argument of the kernel");
    const auto bytes =
        profiler::decodeBase64(output.at("npy_base64").get_ref<const std::string &>());
    if (!bytes)
      return outputError(name, "is not readable");
    if (Status status = folder->write(name + ".npy", *bytes); !status)
      return status;
    if (Status status = writeFlags(output, *folder, name); !status)
      return status;
  }
  return {};
}

/// What the contents of an output show: elements that no program wrote, differences to the
/// reference.
static Status inspectOutput(OutputResult &output, const profiler::KernelPackage &package,
                            const LaunchOptions &options, const std::string &folder) {
  const profiler::PlanArgument *argument = package.plan.argument(output.name);
  if (argument == nullptr || argument->tensor() == nullptr)
    return outputError(output.name, "is not a tensor of the launch");
  const std::string file = output.name + ".npy";
  const bool hasInput =
      !options.inputFolder.empty() && fs::exists(fs::path(options.inputFolder) / file);
  const bool isPoisoned =
      !hasInput && argument->tensor()->init.kind == profiler::TensorInit::Kind::Poison;
  const fs::path reference = fs::path(options.referenceFolder) / file;
  const bool isCompared = !options.referenceFolder.empty() && fs::exists(reference);
  if (!isPoisoned && !isCompared)
    return {};
  const Result<Tensor> actual = profiler::readNpy(folder + "/" + file);
  if (!actual)
    return actual.error();
  profiler::Unwritten unwritten, unwrittenReference;
  if (isPoisoned) {
    unwritten = profiler::readUnwritten(*actual, folder + "/" + file);
    countUnwritten(*actual, unwritten, output);
  }
  if (!isCompared)
    return {};
  const Result<Tensor> expected = profiler::readNpy(reference.string());
  if (!expected)
    return expected.error();
  if (isPoisoned)
    unwrittenReference = profiler::readUnwritten(*expected, reference.string());
  ExpectedSources sources{package.plan, "", ""};
  sources.roundings = options.roundings;
  output.comparison =
      compareSides({*actual, *expected, unwritten, unwrittenReference}, [&](const Tensor &told) {
        return profiler::compareWithReference(
            told, *expected, *argument->tensor(),
            {roundedTo(sources.roundingsOf(*argument)), isPoisoned});
      });
  return {};
}

/// What the runner has not come to, with the reason.
static void addInterruption(const std::string &why, const profiler::ProfileWishes &wishes,
                            Measurement &measurement) {
  using profiler::ProfileRung;
  const auto add = [&](ProfileRung rung, bool isWanted, bool isThere) {
    const bool isKnown = std::ranges::find(measurement.refusals, rung, &profiler::Refusal::rung) !=
                         measurement.refusals.end();
    if (isWanted && !isThere && !isKnown)
      measurement.refusals.push_back({rung, profiler::RefusalKind::Interrupted, why, ""});
  };
  add(ProfileRung::Counters, wishes.counters != profiler::CounterSet::None,
      measurement.counters.has_value());
  add(ProfileRung::Samples, wishes.samples, measurement.samples.has_value());
  add(ProfileRung::Executions, wishes.executions, measurement.executions.has_value());
  add(ProfileRung::Trace, wishes.trace, measurement.trace.has_value());
}

static Result<Measurement> takeMeasurement(const json &answer,
                                           const profiler::KernelPackage &package,
                                           const LaunchOptions &options,
                                           const std::string &folder) {
  try {
    const bool isInterrupted = answer.contains("interrupted");
    const bool isFar = options.place.kind == RunPlace::Kind::Ssh;
    if (!folder.empty() && isFar && !isInterrupted)
      if (Status status = writeOutputs(answer, package, folder); !status)
        return status.error();
    Measurement measurement = profiler::measurementFromJson(answer);
    if (isInterrupted)
      addInterruption(answer.at("interrupted").get<std::string>(), options.profile, measurement);
    // Those of a far runner come with its last answer.
    if (isInterrupted && isFar)
      measurement.outputs.clear();
    for (OutputResult &output : measurement.outputs) {
      if (!folder.empty())
        if (Status status = inspectOutput(output, package, options, folder); !status)
          return status.error();
      output.path =
          options.dumpFolder.empty() ? "" : options.dumpFolder + "/" + output.name + ".npy";
    }
    return measurement;
  } catch (const std::exception &failure) {
    return Error{ErrorCode::Environment,
                 "the runner's answer is not a measurement: " + std::string(failure.what()),
                 "the runner may be a different version"};
  }
}

Result<Measurement> runOnGpu(const profiler::KernelPackage &package, const LaunchOptions &options,
                             const RunnerHooks &hooks) {
  const Result<TemporaryFolder> scratch = TemporaryFolder::make();
  if (!scratch)
    return scratch.error();
  const std::string &folder = !options.dumpFolder.empty()        ? options.dumpFolder
                              : !options.referenceFolder.empty() ? scratch->path()
                                                                 : options.dumpFolder;
  const Result<json> request = makeRequest(package, options, folder);
  if (!request)
    return request.error();
  const Result<json> answer =
      askPlace(options.place, *request, runnerPatience(options.timeLimit), hooks);
  if (!answer)
    return answer.error();
  return takeMeasurement(*answer, package, options, folder);
}

Result<std::vector<profiler::DeviceInfo>>
runnerDevices(const RunPlace &place, const RunnerHooks &hooks, std::optional<double> timeLimit) {
  const Result<json> answer =
      askPlace(place, {{"id", 1}, {"method", "devices"}}, devicesPatience(timeLimit), hooks);
  if (!answer)
    return answer.error();
  try {
    std::vector<profiler::DeviceInfo> devices;
    for (const json &device : answer->at("devices"))
      devices.push_back(profiler::deviceFromJson(device));
    return devices;
  } catch (const std::exception &failure) {
    return Error{ErrorCode::Environment,
                 "the runner's answer is not a list of devices: " + std::string(failure.what()),
                 ""};
  }
}

} // namespace tilescope::app
