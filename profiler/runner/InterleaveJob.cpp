// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/runner/InterleaveJob.h"

#include "profiler/collect/Interleave.h"
#include "profiler/data/Base64.h"
#include "profiler/data/BoundedJson.h"
#include "profiler/runner/CuptiIfAny.h"
#include "profiler/runner/DeviceWatch.h"

#include <algorithm>

namespace tilescope::profiler {

using nlohmann::json;

static constexpr int kMostRounds = 10000;
static constexpr int kMostLaunches = 1000;
static constexpr double kMostSeconds = 600;

static Result<std::vector<KernelPackage>> packagesOf(const json &params) {
  std::vector<KernelPackage> packages;
  for (const auto &path : jsonOr(params, "packages", std::vector<std::string>())) {
    auto package = readPackage(path);
    if (!package)
      return package.error();
    packages.push_back(std::move(*package));
  }
  for (const auto &text : jsonOr(params, "packages_base64", std::vector<std::string>())) {
    auto bytes = decodeBase64(text);
    if (!bytes)
      return Error{ErrorCode::InvalidInput, "`packages_base64` is not base64", ""};
    auto package = decodePackage(*bytes);
    if (!package)
      return package.error();
    packages.push_back(std::move(*package));
  }
  if (packages.empty())
    return Error{ErrorCode::Usage, "`interleave` needs `packages` or `packages_base64`", ""};
  return packages;
}

static Result<InterleaveOptions> optionsOf(const json &params) {
  const int protocol = jsonOr(params, "protocol", 0);
  if (protocol != kInterleaveProtocol)
    return Error{ErrorCode::Usage,
                 "this runner speaks protocol " + std::to_string(kInterleaveProtocol) +
                     " of `interleave`, and the request is of protocol " + std::to_string(protocol),
                 "use the runner of the same version"};
  InterleaveOptions options;
  options.run.device = jsonOr(params, "device", 0);
  options.run.coldL2 = jsonOr(params, "cold_l2", true);
  options.maxRounds = std::clamp(jsonOr(params, "rounds", options.maxRounds), 1, kMostRounds);
  options.launchesPerRound =
      std::clamp(jsonOr(params, "launches_per_round", options.launchesPerRound), 1, kMostLaunches);
  const double seconds = jsonOr(params, "measure_s", double(options.maxTime.count()) / 1000);
  options.maxTime =
      std::chrono::milliseconds(int64_t(1000 * std::clamp(seconds, 0.001, kMostSeconds)));
  options.seed = jsonOr(params, "seed", uint64_t(0));
  options.hopeless = jsonOr(params, "hopeless", 0.0);
  return options;
}

Result<json> interleaveJob(const json &params, const JobProgress &progress) {
  auto options = optionsOf(params);
  if (!options)
    return options.error();
  const auto packages = packagesOf(params);
  if (!packages)
    return packages.error();
  const auto driver = loadCudaDriver();
  if (!driver)
    return driver.error();
  const CuptiIfAny cupti = cuptiIfAny();
  DeviceWatch device;
  device.open(**driver, options->run.device);
  if (device.watch)
    options->run.betweenBatches = [&device] { device.watch->read(); };
  options->progress = [&](const RunState &state, size_t package) {
    progress(state, (*packages)[package].symbol);
  };
  auto run = interleave(**driver, cupti.cupti.get(), cupti.reason, *packages, *options);
  if (!run)
    return run.error();
  for (InterleavedKernel &kernel : run->kernels)
    if (!kernel.error)
      device.addTo(kernel.measurement);
  return interleavedToJson(*run);
}

} // namespace tilescope::profiler
