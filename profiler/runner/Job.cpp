// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/runner/Job.h"

#include "profiler/analysis/Comparison.h"
#include "profiler/collect/RunPackage.h"
#include "profiler/data/MeasurementJson.h"
#include "profiler/data/Npy.h"
#include "profiler/runner/Base64.h"
#include "profiler/runner/Frames.h"

#include <csignal>
#include <filesystem>
#include <iostream>
#include <sys/prctl.h>
#include <unistd.h>

namespace tilescope::profiler {

using nlohmann::json;

static constexpr std::pair<ErrorCode, const char *> kCodes[] = {
    {ErrorCode::InvalidInput, "invalid_input"}, {ErrorCode::Usage, "usage"},
    {ErrorCode::Environment, "environment"},    {ErrorCode::Cancelled, "cancelled"},
    {ErrorCode::Internal, "internal"},
};

json errorToJson(const Error &error) {
  const char *code = "internal";
  for (auto [each, name] : kCodes)
    if (each == error.code)
      code = name;
  json object = {{"code", code}, {"message", error.message}};
  if (!error.hint.empty())
    object["hint"] = error.hint;
  return object;
}

Error errorFromJson(const json &object) {
  Error error{ErrorCode::Internal, object.value("message", ""), object.value("hint", "")};
  std::string code = object.value("code", "");
  for (auto [each, name] : kCodes)
    if (code == name)
      error.code = each;
  return error;
}

static Result<KernelPackage> packageOf(const json &params) {
  if (params.contains("package"))
    return readPackage(params.at("package").get<std::string>());
  if (!params.contains("package_base64"))
    return Error{ErrorCode::Usage, "`run` needs `package` or `package_base64`", ""};
  auto bytes = decodeBase64(params.at("package_base64").get_ref<const std::string &>());
  if (!bytes)
    return Error{ErrorCode::InvalidInput, "`package_base64` is no base64", ""};
  return decodePackage(*bytes);
}

static Status makeFolder(const std::string &path) {
  std::error_code fault;
  std::filesystem::create_directories(path, fault);
  if (fault)
    return Error{ErrorCode::InvalidInput,
                 "cannot create the folder `" + path + "`: " + fault.message(), ""};
  return std::nullopt;
}

/// Names of arguments are identifiers, so they are safe as file names.
static std::string npyPath(const std::string &folder, const std::string &name) {
  return (std::filesystem::path(folder) / (name + ".npy")).string();
}

static Status dumpTensors(const json &params, RunOutcome &outcome) {
  std::string after = params.value("dump", ""), before = params.value("dump_inputs", "");
  for (const std::string &folder : {after, before})
    if (!folder.empty())
      if (Status status = makeFolder(folder))
        return status;
  for (size_t i = 0; i < outcome.tensors.size(); ++i) {
    const RunTensor &tensor = outcome.tensors[i];
    if (!before.empty())
      if (Status status = writeNpy(npyPath(before, tensor.name), tensor.before))
        return status;
    if (after.empty())
      continue;
    outcome.measurement.outputs[i].path = npyPath(after, tensor.name);
    if (Status status = writeNpy(outcome.measurement.outputs[i].path, tensor.after))
      return status;
  }
  return std::nullopt;
}

static Status compareOutputs(const json &params, const KernelPackage &package,
                             RunOutcome &outcome) {
  std::string folder = params.value("compare", "");
  if (folder.empty())
    return std::nullopt;
  for (size_t i = 0; i < outcome.tensors.size(); ++i) {
    const RunTensor &tensor = outcome.tensors[i];
    std::string path = npyPath(folder, tensor.name);
    if (!std::filesystem::exists(path))
      continue;
    auto expected = readNpy(path);
    if (!expected)
      return expected.error();
    ComparisonOptions options;
    options.poisoned =
        package.plan.argument(tensor.name)->tensor()->init.kind == TensorInit::Kind::Poison;
    outcome.measurement.outputs[i].comparison = compareTensors(tensor.after, *expected, options);
  }
  return std::nullopt;
}

static Result<json> runJob(const json &params, const JobProgress &progress) {
  auto package = packageOf(params);
  if (!package)
    return package.error();
  auto driver = loadCudaDriver();
  if (!driver)
    return driver.error();
  RunOptions options;
  options.device = params.value("device", 0);
  options.inputFolder = params.value("inputs", "");
  options.measure = params.value("measure", true);
  options.coldL2 = params.value("cold_l2", true);
  options.progress = [&](const std::string &state) { progress(state, package->symbol); };
  std::unique_ptr<Cupti> cupti;
  std::string cuptiReason;
  if (options.measure) {
    if (auto loaded = loadCupti())
      cupti = std::move(*loaded);
    else
      cuptiReason = loaded.error().message + "; " + loaded.error().hint;
  }
  auto outcome = runPackage(**driver, cupti.get(), cuptiReason, *package, options);
  if (!outcome)
    return outcome.error();
  if (Status status = dumpTensors(params, *outcome))
    return *status;
  if (Status status = compareOutputs(params, *package, *outcome))
    return *status;
  if (outcome->measurement.timeUs && !params.value("samples", false))
    outcome->measurement.timeUs->samples.clear();
  json result = measurementToJson(outcome->measurement);
  if (params.value("return_outputs", false))
    for (size_t i = 0; i < outcome->tensors.size(); ++i)
      result["outputs"][i]["npy_base64"] = encodeBase64(encodeNpy(outcome->tensors[i].after));
  return result;
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
    if (method == "devices")
      return devicesJob();
    return Error{ErrorCode::Usage, "there is no method `" + method + "`",
                 "known are `run`, `devices`, `cancel`, `shutdown`"};
  } catch (const std::bad_alloc &) {
    return Error{ErrorCode::InvalidInput, "this machine's memory does not suffice for the tensors",
                 "make the sizes smaller"};
  } catch (const std::exception &failure) {
    return Error{ErrorCode::InvalidInput, "bad request: " + std::string(failure.what()), ""};
  }
}

static void writeAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      _exit(1);
    bytes.remove_prefix(size_t(written));
  }
}

void childMain() {
  // The parent may be killed: nobody would then end a kernel that hangs.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Libraries that print must not do so between the frames.
  int output = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  auto send = [&](const json &message) {
    writeAll(output, encodeFrame(message.dump(-1, ' ', false, json::error_handler_t::replace)));
  };
  std::string text(std::istreambuf_iterator<char>(std::cin), {});
  json request = json::parse(text, nullptr, false);
  Result<json> result = performJob(request.is_object() ? request : json::object(),
                                   [&](const std::string &state, const std::string &kernel) {
                                     send({{"progress", state}, {"kernel", kernel}});
                                   });
  if (result)
    send({{"result", *result}});
  else
    send({{"error", errorToJson(result.error())}});
  // Not `exit`: the libraries' clean-up may hang in a poisoned context.
  _exit(0);
}

} // namespace tilescope::profiler
