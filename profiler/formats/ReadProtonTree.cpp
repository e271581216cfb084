// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/support/Counted.h"
#include "profiler/data/BoundedJson.h"
#include "profiler/formats/ProtonTree.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace tilescope::profiler {

using nlohmann::json;

static constexpr size_t kMostNodes = size_t(1) << 20;
static constexpr size_t kMostMeasurements = 10000;

namespace {
struct Node {
  const json *object = nullptr;
  /// Names of the scopes around it, joined by ` / `.
  std::string scope;
  /// `[0].children[2]`
  std::string place;
};
} // namespace

bool isProtonTree(const json &document) {
  return document.is_array() && !document.empty() && document[0].is_object() &&
         document[0].contains("frame") && document[0].contains("metrics");
}

/// The time of all launches in microseconds, by the unit in the metric's name.
static std::optional<double> timeOf(const json &metrics) {
  static constexpr std::pair<const char *, double> kTimes[] = {
      {"time (ns)", 1e-3}, {"time (us)", 1}, {"time (ms)", 1e3}, {"time (s)", 1e6}};
  for (const auto &[name, factor] : kTimes)
    if (const auto found = metrics.find(name); found != metrics.end())
      return jsonAs<double>(*found) * factor;
  return std::nullopt;
}

/// An identifier that is a string in some releases and a number in others.
static std::string idOf(const json &metrics, const char *key) {
  const auto found = metrics.find(key);
  if (found == metrics.end())
    return "";
  return found->is_string() ? found->get<std::string>() : std::to_string(jsonAs<int64_t>(*found));
}

/// What the list says of a device behind the trees; null: nothing.
static const json *deviceFacts(const json &document, const std::string &type,
                               const std::string &id) {
  for (const json &entry : document) {
    if (!entry.is_object() || entry.contains("frame") || !entry.contains(type))
      continue;
    const json &devices = entry.at(type);
    if (devices.is_object() && devices.contains(id))
      return &devices.at(id);
  }
  return nullptr;
}

static DeviceInfo deviceOf(const json &document, const json &metrics) {
  DeviceInfo device;
  const std::string type = idOf(metrics, "device_type"), id = idOf(metrics, "device_id");
  device.name = type.empty() ? "a device that Proton does not name" : type + " " + id;
  std::from_chars(id.data(), id.data() + id.size(), device.ordinal);
  const json *facts = deviceFacts(document, type, id);
  if (!facts)
    return device;
  device.numSms = jsonOr(*facts, "num_sms", 0);
  device.smClockKHz = jsonOr(*facts, "clock_rate", int64_t(0));
  device.memoryClockKHz = jsonOr(*facts, "memory_clock_rate", int64_t(0));
  device.memoryBusBits = jsonOr(*facts, "bus_width", 0);
  int arch = 0;
  const std::string number = idOf(*facts, "arch");
  std::from_chars(number.data(), number.data() + number.size(), arch);
  if (type == "CUDA" && arch > 0 && arch < 1000) {
    device.computeMajor = arch / 10;
    device.computeMinor = arch % 10;
  }
  return device;
}

/// Nothing: the node is a scope, or was never launched.
static std::optional<Measurement> measurementOf(const json &document, const Node &node) {
  const json &metrics = node.object->at("metrics");
  const std::optional<double> time = timeOf(metrics);
  const auto count = jsonOr(metrics, "count", int64_t(0));
  if (!time || count <= 0 || !std::isfinite(*time))
    return std::nullopt;
  Measurement measurement;
  measurement.kernel = jsonAs<std::string>(node.object->at("frame").at("name"));
  measurement.device = deviceOf(document, metrics);
  measurement.launches = count;
  measurement.coldL2 = false;
  const double mean = *time / static_cast<double>(count);
  measurement.timeUs = TimeStats{mean, mean, mean, 1, 0, {mean}};
  measurement.notes = {"read from a tree of Proton, which states no launch"};
  if (count > 1)
    measurement.notes.push_back("the time is the mean of " + std::to_string(count) +
                                " launches, whose sum Proton keeps");
  if (!node.scope.empty())
    measurement.notes.push_back("in the scope " + node.scope);
  return measurement;
}

/// The nodes below, the first one last, as a stack takes them.
static void addChildren(const Node &node, std::vector<Node> &nodes) {
  const auto children = node.object->find("children");
  if (children == node.object->end())
    return;
  if (!children->is_array())
    throw std::invalid_argument("`children` is not a list");
  const auto name = jsonAs<std::string>(node.object->at("frame").at("name"));
  const bool isRoot = node.scope.empty() && name == "ROOT";
  const std::string scope = isRoot ? "" : node.scope.empty() ? name : node.scope + " / " + name;
  for (size_t i = children->size(); i-- > 0;)
    nodes.push_back({&(*children)[i], scope, node.place + ".children[" + std::to_string(i) + "]"});
  if (nodes.size() > kMostNodes)
    throw std::out_of_range("the tree is too large");
}

Result<std::vector<Measurement>> readProtonTree(const json &document) {
  std::vector<Measurement> measurements;
  std::vector<Node> nodes;
  for (size_t i = document.size(); i-- > 0;)
    if (document[i].is_object() && document[i].contains("frame"))
      nodes.push_back({&document[i], "", "[" + std::to_string(i) + "]"});
  while (!nodes.empty()) {
    const Node node = std::move(nodes.back());
    nodes.pop_back();
    try {
      if (auto measurement = measurementOf(document, node))
        measurements.push_back(std::move(*measurement));
      addChildren(node, nodes);
    } catch (const std::exception &failure) {
      return Error{ErrorCode::InvalidInput,
                   "at " + node.place + " of Proton's tree: " + failure.what(), ""};
    }
    if (measurements.size() > kMostMeasurements)
      return Error{ErrorCode::InvalidInput,
                   "Proton's tree has more than " + std::to_string(kMostMeasurements) + " kernels",
                   ""};
  }
  if (measurements.empty())
    return Error{ErrorCode::InvalidInput, "Proton's tree has no kernel with a time",
                 "samples and metrics of the user's own are not read"};
  return measurements;
}

} // namespace tilescope::profiler
