// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/runner/ModelJob.h"

#include "profiler/collect/RunModelPackage.h"
#include "profiler/data/Base64.h"
#include "profiler/data/BoundedJson.h"
#include "profiler/data/Npy.h"
#include "profiler/data/OutputFolder.h"
#include "profiler/runner/CuptiIfAny.h"

namespace tilescope::profiler {

using nlohmann::json;

static Result<ModelPackage> packageOf(const json &params) {
  if (params.contains("package"))
    return readModelPackage(params.at("package").get<std::string>());
  if (!params.contains("package_base64"))
    return Error{ErrorCode::Usage, "`model` needs `package` or `package_base64`", ""};
  const auto bytes = decodeBase64(params.at("package_base64").get_ref<const std::string &>());
  if (!bytes)
    return Error{ErrorCode::InvalidInput, "`package_base64` is not base64", ""};
  return decodeModelPackage(*bytes);
}

static Status dump(const std::string &path, const std::vector<NamedTensor> &tensors) {
  const Result<OutputFolder> folder = OutputFolder::make(path);
  if (!folder)
    return folder.error();
  for (const NamedTensor &each : tensors)
    if (Status status = writeNpy(*folder, each.name, each.tensor); !status)
      return status;
  return {};
}

Result<json> modelJob(const json &params, const JobProgress &progress) {
  const auto package = packageOf(params);
  if (!package)
    return package.error();
  const auto driver = loadCudaDriver();
  if (!driver)
    return driver.error();
  ModelRunOptions options;
  options.run.device = jsonOr(params, "device", 0);
  options.run.measure = jsonOr(params, "measure", true);
  options.results = jsonOr(params, "results", false);
  options.progress = progress;
  const CuptiIfAny cupti = options.run.measure ? cuptiIfAny() : CuptiIfAny();
  const auto outcome =
      runModelPackage(**driver, cupti.cupti.get(), cupti.reason, *package, options);
  if (!outcome)
    return outcome.error();
  if (const auto folder = jsonOr(params, "dump", std::string()); !folder.empty())
    if (Status status = dump(folder, outcome->tensors); !status)
      return status.error();
  json result = modelMeasurementToJson(outcome->measurement);
  if (jsonOr(params, "return_tensors", false))
    for (const NamedTensor &each : outcome->tensors)
      result["tensors"].push_back(
          {{"name", each.name}, {"npy_base64", encodeBase64(encodeNpy(each.tensor))}});
  return result;
}

} // namespace tilescope::profiler
