// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/formats/ProtonTree.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

namespace tilescope::profiler {

using nlohmann::json;

/// A hundred days.
static constexpr double kMostNs = 8.64e15;

static json node(const std::string &name, json metrics, json children) {
  return {{"frame", {{"name", name}, {"type", "function"}}},
          {"metrics", std::move(metrics)},
          {"children", std::move(children)}};
}

static json deviceToTree(const DeviceInfo &device) {
  return {{"arch", std::to_string(device.computeMajor * 10 + device.computeMinor)},
          {"bus_width", device.memoryBusBits},
          {"clock_rate", device.smClockKHz},
          {"memory_clock_rate", device.memoryClockKHz},
          {"num_sms", device.numSms}};
}

/// Each device that measurements are of has a number of its own, whatever machine it was in.
static std::string deviceId(const DeviceInfo &device, std::vector<DeviceInfo> &devices) {
  for (size_t i = 0; i < devices.size(); ++i)
    if (devices[i] == device)
      return std::to_string(i);
  devices.push_back(device);
  return std::to_string(devices.size() - 1);
}

/// Sums over the launches, as Proton keeps them.
static json metricsOf(const Measurement &measurement, const std::string &device) {
  const TimeStats &time = *measurement.timeUs;
  // Of times without samples the median is all that is known.
  const size_t count = std::max<size_t>(time.samples.size(), 1);
  const double sumUs = time.samples.empty()
                           ? time.median
                           : std::accumulate(time.samples.begin(), time.samples.end(), 0.0);
  json metrics = {{"count", count},
                  {"time (ns)", std::llround(std::clamp(sumUs * 1000, 0.0, kMostNs))},
                  {"device_id", device},
                  {"device_type", "CUDA"}};
  if (measurement.bytes)
    metrics["bytes"] = *measurement.bytes * static_cast<double>(count);
  if (measurement.flops)
    metrics["flops"] = *measurement.flops * static_cast<double>(count);
  return metrics;
}

std::string protonTree(const ReportData &data) {
  std::vector<DeviceInfo> devices;
  json children = json::array();
  for (const ReportKernel &kernel : data.kernels) {
    const std::optional<Measurement> &measurement = kernel.measurement;
    if (!measurement || !measurement->timeUs || !std::isfinite(measurement->timeUs->median) ||
        measurement->timeSource == TimeSource::Interpreter)
      continue;
    const std::string device = deviceId(measurement->device, devices);
    children.push_back(node(measurement->kernel, metricsOf(*measurement, device), json::array()));
  }
  json facts = json::object();
  for (size_t i = 0; i < devices.size(); ++i)
    facts["CUDA"][std::to_string(i)] = deviceToTree(devices[i]);
  const json tree = {node("ROOT", {{"count", 0}, {"time (ns)", 0}}, std::move(children)),
                     std::move(facts)};
  return tree.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

} // namespace tilescope::profiler
