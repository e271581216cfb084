// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/InterleavedRun.h"

#include "profiler/data/BoundedJson.h"
#include "profiler/data/ErrorJson.h"
#include "profiler/data/MeasurementJson.h"

namespace tilescope::profiler {

using nlohmann::json;

/// Times are compared two thousand times over.
static constexpr size_t kMostTimes = 200'000;

TimeRounds roundsFromJson(const json &list) {
  TimeRounds rounds = jsonAs<TimeRounds>(list);
  size_t count = rounds.size();
  for (const std::vector<double> &round : rounds)
    count += round.size();
  if (count > kMostTimes)
    throw std::out_of_range("it has " + std::to_string(count) + " times");
  return rounds;
}

static json kernelToJson(const InterleavedKernel &kernel) {
  if (kernel.error)
    return {{"error", errorToJson(*kernel.error)}};
  Measurement measurement = kernel.measurement;
  // The rounds hold them.
  if (measurement.timeUs)
    measurement.timeUs->samples.clear();
  return {{"measurement", measurementToJson(measurement)},
          {"rounds", kernel.rounds},
          {"stopped_early", kernel.isStoppedEarly}};
}

static InterleavedKernel kernelFromJson(const json &object) {
  InterleavedKernel kernel;
  if (object.contains("error")) {
    kernel.error = errorFromJson(object.at("error"));
    return kernel;
  }
  kernel.measurement = measurementFromJson(object.at("measurement"));
  kernel.rounds = roundsFromJson(object.at("rounds"));
  kernel.isStoppedEarly = jsonOr(object, "stopped_early", false);
  return kernel;
}

json interleavedToJson(const InterleavedRun &run) {
  json object = {{"protocol", kInterleaveProtocol}, {"kernels", json::array()}};
  for (const InterleavedKernel &kernel : run.kernels)
    object["kernels"].push_back(kernelToJson(kernel));
  if (run.fault)
    object["fault"] = *run.fault;
  return object;
}

InterleavedRun interleavedFromJson(const json &object) {
  const int protocol = jsonOr(object, "protocol", 0);
  if (protocol != kInterleaveProtocol)
    throw std::invalid_argument("its protocol is " + std::to_string(protocol) + ", and not " +
                                std::to_string(kInterleaveProtocol));
  InterleavedRun run;
  for (const json &kernel : object.at("kernels"))
    run.kernels.push_back(kernelFromJson(kernel));
  if (object.contains("fault"))
    run.fault = jsonAs<size_t>(object.at("fault"));
  if (run.fault && *run.fault >= run.kernels.size())
    throw std::out_of_range("`fault` is not the number of a kernel");
  return run;
}

} // namespace tilescope::profiler
