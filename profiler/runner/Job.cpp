// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/runner/Job.h"

#include "profiler/collect/CollectCounters.h"
#include "profiler/collect/CollectDeviceWide.h"
#include "profiler/collect/CollectExecutions.h"
#include "profiler/collect/CollectSamples.h"
#include "profiler/collect/CollectTrace.h"
#include "profiler/collect/RunPackage.h"
#include "profiler/data/Base64.h"
#include "profiler/data/BoundedJson.h"
#include "profiler/data/ErrorJson.h"
#include "profiler/data/MeasurementJson.h"
#include "profiler/data/Npy.h"
#include "profiler/data/ProfileJson.h"
#include "profiler/data/TraceJson.h"
#include "profiler/driver/CounterPermission.h"
#include "profiler/runner/CapabilitiesJob.h"
#include "profiler/runner/CuptiIfAny.h"
#include "profiler/runner/DeviceWatch.h"
#include "profiler/runner/Frames.h"
#include "profiler/runner/InterleaveJob.h"
#include "profiler/runner/JobTensors.h"
#include "profiler/runner/ModelJob.h"

#include <cmath>
#include <csignal>
#include <iostream>
#include <sys/prctl.h>
#include <unistd.h>

namespace tilescope::profiler {

using nlohmann::json;

static Result<KernelPackage> packageFrom(const std::string &base64, const std::string &key) {
  auto bytes = decodeBase64(base64);
  if (!bytes)
    return Error{ErrorCode::InvalidInput, "`" + key + "` is not base64", ""};
  return decodePackage(*bytes);
}

static Result<KernelPackage> packageOf(const json &params) {
  if (params.contains("package"))
    return readPackage(params.at("package").get<std::string>());
  if (!params.contains("package_base64"))
    return Error{ErrorCode::Usage, "`run` needs `package` or `package_base64`", ""};
  return packageFrom(params.at("package_base64").get_ref<const std::string &>(), "package_base64");
}

/// The same launch with clock reads, the one that says most first.
static Result<std::vector<KernelPackage>> tracedPackagesOf(const json &params) {
  std::vector<KernelPackage> packages;
  const auto add = [&](Result<KernelPackage> package) -> Status {
    if (!package)
      return package.error();
    packages.push_back(std::move(*package));
    return {};
  };
  for (const auto &path : jsonOr(params, "traced_packages", std::vector<std::string>()))
    if (Status status = add(readPackage(path)); !status)
      return status.error();
  for (const auto &text : jsonOr(params, "traced_packages_base64", std::vector<std::string>()))
    if (Status status = add(packageFrom(text, "traced_packages_base64")); !status)
      return status.error();
  if (packages.empty())
    return Error{ErrorCode::Usage, "`trace` needs a kernel with clock reads", ""};
  return packages;
}

namespace {
/// What every job on a package needs.
struct PackageJob {
  KernelPackage package;
  std::unique_ptr<CudaDriver> driver;
  InputFolder inputs;
  RunOptions options;

  Status open(const json &params, const JobProgress &progress);
};
} // namespace

Status PackageJob::open(const json &params, const JobProgress &progress) {
  auto read = packageOf(params);
  if (!read)
    return read.error();
  package = std::move(*read);
  if (Status status = checkFolders(params); !status)
    return status;
  auto loaded = loadCudaDriver();
  if (!loaded)
    return loaded.error();
  driver = std::move(*loaded);
  options.device = jsonOr(params, "device", 0);
  if (Status status = inputs.open(params, package.plan); !status)
    return status;
  options.inputFolder = inputs.path();
  options.measure = params.value("measure", true);
  options.coldL2 = params.value("cold_l2", true);
  options.mostTraceSlowdown = jsonOr(params, "trace_limit", kMostTraceSlowdown);
  options.progress = [progress, this](const RunState &state) { progress(state, package.symbol); };
  return {};
}

/// For those who do not see the files of this machine.
static void addContents(const RunTensor &tensor, json &output) {
  output["npy_base64"] = encodeBase64(encodeNpy(tensor.after));
  if (tensor.unwritten.isNone())
    return;
  if (const std::optional<Tensor> flags = flagsOf(tensor.after, tensor.unwritten))
    output["unwritten_npy_base64"] = encodeBase64(encodeNpy(*flags));
}

static Result<json> runJob(const json &params, const JobProgress &progress) {
  PackageJob job;
  if (Status status = job.open(params, progress); !status)
    return status.error();
  CuptiIfAny cupti;
  DeviceWatch device;
  if (job.options.measure) {
    cupti = cuptiIfAny();
    device.open(*job.driver, job.options.device);
  }
  if (device.watch)
    job.options.betweenBatches = [&device] { device.watch->read(); };
  auto outcome = runPackage(*job.driver, cupti.cupti.get(), cupti.reason, job.package, job.options);
  if (!outcome)
    return outcome.error();
  if (job.options.measure)
    device.addTo(outcome->measurement);
  if (Status status = dumpAll(params, *outcome); !status)
    return status.error();
  if (Status status = compareOutputs(params, job.package, *outcome); !status)
    return status.error();
  if (outcome->measurement.timeUs && !params.value("samples", false))
    outcome->measurement.timeUs->samples.clear();
  json result = measurementToJson(outcome->measurement);
  if (params.value("return_outputs", false))
    for (size_t i = 0; i < outcome->tensors.size(); ++i)
      addContents(outcome->tensors[i], result["outputs"][i]);
  return result;
}

/// The answer of a job that makes a part of a profile.
template <typename Part>
static json partAnswer(const char *name, json (*toJson)(const Part &), ProfileRung rung,
                       const Grant<Part> &part) {
  if (part)
    return {{name, toJson(*part)}};
  const Refusal refusal = explainRefusal(rung, part.refusal(), readSurroundings());
  return {{"refusals", refusalsToJson({refusal})}};
}

static Result<json> countersJob(const json &params, const JobProgress &progress) {
  PackageJob job;
  if (Status status = job.open(params, progress); !status)
    return status.error();
  const auto answer = [](const Grant<CounterData> &part) {
    return partAnswer("counters", counterDataToJson, ProfileRung::Counters, part);
  };
  const auto profiler = loadRangeProfiler();
  if (!profiler)
    return answer(profiler.refusal());
  const auto counters = collectCounters(*job.driver, **profiler, job.package, job.options,
                                        params.value("counters", "quick") == "full");
  if (!counters)
    return counters.error();
  return answer(*counters);
}

static Result<json> samplesJob(const json &params, const JobProgress &progress) {
  PackageJob job;
  if (Status status = job.open(params, progress); !status)
    return status.error();
  const auto answer = [](const Grant<SampleData> &part) {
    return partAnswer("pc_samples", sampleDataToJson, ProfileRung::Samples, part);
  };
  const auto sampler = loadPcSampler();
  if (!sampler)
    return answer(sampler.refusal());
  const auto samples = collectSamples(*job.driver, **sampler, job.package, job.options);
  if (!samples)
    return samples.error();
  return answer(*samples);
}

static Result<json> executionsJob(const json &params, const JobProgress &progress) {
  PackageJob job;
  if (Status status = job.open(params, progress); !status)
    return status.error();
  const auto answer = [](const Grant<ExecutionData> &part) {
    return partAnswer("executions", executionDataToJson, ProfileRung::Executions, part);
  };
  const auto counter = loadInstructionCounter();
  if (!counter)
    return answer(counter.refusal());
  const auto executions = collectExecutions(*job.driver, **counter, job.package, job.options);
  if (!executions)
    return executions.error();
  return answer(*executions);
}

/// Whoever reads clocks asks no profiler of the driver's, so a refusal says what would help itself.
static Refusal traceRefusal(const DriverRefusal &refusal) {
  const bool isDistorted = refusal.kind == RefusalKind::Distorted;
  return {ProfileRung::Trace, refusal.kind, refusal.words,
          isDistorted ? "trace fewer kinds of operations, as with `--trace-kinds wait,product`"
                      : ""};
}

/// NVML asks for no permission, and where it counts nothing another device or driver would help.
static Refusal deviceWideRefusal(const DriverRefusal &refusal) {
  const auto cure = [&]() -> std::string {
    switch (refusal.kind) {
    case RefusalKind::DeviceUnsupported:
      return "an H100 or a newer device counts it; MIG, vGPU and some virtual machines hide that";
    case RefusalKind::LibraryTooOld:
      return "driver 520 or later has it";
    case RefusalKind::LibraryMissing:
      return "NVML (libnvidia-ml.so.1) comes with the driver; a container needs the capability "
             "`utility`";
    default:
      return "";
    }
  };
  return {ProfileRung::DeviceWide, refusal.kind, refusal.words, cure()};
}

static Result<json> deviceWideJob(const json &params, const JobProgress &progress) {
  PackageJob job;
  if (Status status = job.open(params, progress); !status)
    return status.error();
  const auto refuse = [](const DriverRefusal &refusal) {
    return json{{"refusals", refusalsToJson({deviceWideRefusal(refusal)})}};
  };
  auto nvml = loadNvml();
  if (!nvml)
    return refuse({RefusalKind::LibraryMissing, nvml.error().message});
  const auto device = job.driver->device(job.options.device);
  if (!device)
    return device.error();
  if (Status status = (*nvml)->open(device->pciBusId); !status)
    return refuse({RefusalKind::DeviceUnsupported, status.error().message});
  const auto data = collectDeviceWide(*job.driver, **nvml, job.package, job.options);
  if (!data)
    return data.error();
  if (!*data)
    return refuse(data->refusal());
  return json{{"device_wide", deviceWideToJson(**data)}};
}

static json traceAnswer(const CollectedTrace &collected) {
  json answer = {{"trace", traceDataToJson(collected.trace)}};
  if (collected.kernel > 0)
    answer["notes"] = {"with all clock reads the kernel would be " +
                       std::to_string(int(std::lround(collected.firstSlowdown * 100))) +
                       " % slower, so the trace leaves kinds of operations out"};
  return answer;
}

static Result<json> traceJob(const json &params, const JobProgress &progress) {
  PackageJob job;
  if (Status status = job.open(params, progress); !status)
    return status.error();
  const auto traced = tracedPackagesOf(params);
  if (!traced)
    return traced.error();
  const CuptiIfAny cupti = cuptiIfAny();
  const auto collected = collectTrace(*job.driver, cupti.cupti.get(), cupti.reason,
                                      {job.package, *traced}, job.options);
  if (!collected)
    return collected.error();
  if (!*collected)
    return json{{"refusals", refusalsToJson({traceRefusal(collected->refusal())})}};
  return traceAnswer(**collected);
}

static Result<json> devicesJob() {
  auto driver = loadCudaDriver();
  if (!driver)
    return driver.error();
  auto count = (*driver)->deviceCount();
  if (!count)
    return count.error();
  json devices = json::array();
  for (int ordinal = 0; ordinal < *count; ++ordinal) {
    auto device = (*driver)->device(ordinal);
    if (!device)
      return device.error();
    devices.push_back(deviceToJson(*device));
  }
  auto cupti = loadCupti();
  return json{{"devices", std::move(devices)},
              {"cupti", cupti ? "available" : cupti.error().message}};
}

Result<json> performJob(const json &request, const JobProgress &progress) {
  try {
    std::string method = request.value("method", "");
    if (method == "run")
      return runJob(request.value("params", json::object()), progress);
    if (method == "interleave")
      return interleaveJob(request.value("params", json::object()), progress);
    if (method == "model")
      return modelJob(request.value("params", json::object()), progress);
    if (method == "counters")
      return countersJob(request.value("params", json::object()), progress);
    if (method == "samples")
      return samplesJob(request.value("params", json::object()), progress);
    if (method == "executions")
      return executionsJob(request.value("params", json::object()), progress);
    if (method == "device_wide")
      return deviceWideJob(request.value("params", json::object()), progress);
    if (method == "trace")
      return traceJob(request.value("params", json::object()), progress);
    if (method == "devices")
      return devicesJob();
    if (method == "capabilities")
      return capabilitiesToJson(capabilitiesHere());
    return Error{ErrorCode::Usage, "there is no method `" + method + "`",
                 "methods are `run`, `interleave`, `model`, `devices`, `capabilities`, `cancel`, "
                 "`shutdown`"};
  } catch (const std::bad_alloc &) {
    return Error{ErrorCode::InvalidInput,
                 "this machine does not have enough memory for the tensors",
                 "make the sizes smaller"};
  } catch (const std::exception &failure) {
    return Error{ErrorCode::InvalidInput, "bad request: " + std::string(failure.what()), ""};
  }
}

void childMain() {
  // The parent may be killed: nothing would then end a kernel that hangs.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Libraries that print must not do so between the frames.
  int output = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  auto send = [&](const json &message) {
    // Without a parent the answer is not needed.
    if (writeAll(output, encodeFrame(message.dump(-1, ' ', false, json::error_handler_t::replace))))
      _exit(1);
  };
  std::string text(std::istreambuf_iterator<char>(std::cin), {});
  const Result<json> request = parseJson(text, {.maxBytes = kLargestRequest});
  Result<json> result = performJob(request && request->is_object() ? *request : json::object(),
                                   [&](const RunState &state, const std::string &kernel) {
                                     json message = {{"progress", state.state}, {"kernel", kernel}};
                                     if (state.numSteps > 0) {
                                       message["step"] = state.step;
                                       message["steps"] = state.numSteps;
                                     }
                                     send(message);
                                   });
  if (result)
    send({{"result", *result}});
  else
    send({{"error", errorToJson(result.error())}});
  // Not `exit`: the libraries' clean-up may hang in a poisoned context.
  _exit(0);
}

} // namespace tilescope::profiler
