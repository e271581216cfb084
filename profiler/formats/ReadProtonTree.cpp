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
/// Trees, and what is said of devices.
static constexpr size_t kMostEntries = 100;
static constexpr size_t kMostMeasurements = 10000;

namespace {

/// The nodes seen so far, each with where it hangs: names and places are made of that on demand.
struct Node {
  const json *object = nullptr;
  /// Position among the nodes; nothing: a root.
  std::optional<size_t> parent;
  /// Position among the children of the parent, or in the document.
  size_t index = 0;
};
using Nodes = std::vector<Node>;

} // namespace

static constexpr size_t kMostScopes = 8;

/// `[0].children[2]`
static std::string placeOf(const Nodes &nodes, size_t at) {
  const Node &node = nodes[at];
  const std::string index = "[" + std::to_string(node.index) + "]";
  // A place is read by people: of one that is very deep, the way from the nearest scopes says enough.
  std::string place = node.parent ? ".children" + index : index;
  std::optional<size_t> parent = node.parent;
  for (size_t i = 0; parent && i < kMostScopes; ++i, parent = nodes[*parent].parent) {
    const Node &above = nodes[*parent];
    const std::string part = "[" + std::to_string(above.index) + "]";
    place.insert(0, above.parent ? ".children" + part : part);
  }
  return parent ? "…" + place : place;
}

static std::string nameOf(const Node &node) {
  return jsonAs<std::string>(node.object->at("frame").at("name"));
}

/// The nearest scopes around a node, joined by ` / `; empty: the root alone.
static std::string scopeOf(const Nodes &nodes, size_t at) {
  constexpr size_t kMostBytes = 80;
  std::string scope;
  std::optional<size_t> parent = nodes[at].parent;
  for (size_t i = 0; parent && i < kMostScopes; ++i, parent = nodes[*parent].parent) {
    const std::string name = nameOf(nodes[*parent]).substr(0, kMostBytes);
    if (!nodes[*parent].parent && name == "ROOT")
      return scope;
    scope.insert(0, scope.empty() ? name : name + " / ");
  }
  return parent ? "… / " + scope : scope;
}

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
static std::optional<Measurement> measurementOf(const json &document, const Nodes &nodes,
                                                size_t at) {
  const json &metrics = nodes[at].object->at("metrics");
  const std::optional<double> time = timeOf(metrics);
  const auto count = jsonOr(metrics, "count", int64_t(0));
  if (!time || count <= 0 || !std::isfinite(*time))
    return std::nullopt;
  Measurement measurement;
  measurement.kernel = nameOf(nodes[at]);
  measurement.device = deviceOf(document, metrics);
  measurement.launches = count;
  measurement.coldL2 = false;
  const double mean = *time / static_cast<double>(count);
  measurement.timeUs = TimeStats{mean, mean, mean, 1, 0, {mean}};
  measurement.notes = {"read from a tree of Proton, which states no launch"};
  if (count > 1)
    measurement.notes.push_back("the time is the mean of " + std::to_string(count) +
                                " launches, whose sum Proton keeps");
  if (const std::string scope = scopeOf(nodes, at); !scope.empty())
    measurement.notes.push_back("in the scope " + scope);
  return measurement;
}

/// The first child goes onto the stack last.
static void addChildren(size_t at, Nodes &nodes, std::vector<size_t> &stack) {
  const json &object = *nodes[at].object;
  const auto children = object.find("children");
  if (children == object.end())
    return;
  if (!children->is_array())
    throw std::invalid_argument("`children` is not a list");
  if (nodes.size() + children->size() > kMostNodes)
    throw std::out_of_range("the tree has more than " + std::to_string(kMostNodes) + " nodes");
  for (size_t i = children->size(); i-- > 0;) {
    stack.push_back(nodes.size());
    nodes.push_back({&(*children)[i], at, i});
  }
}

static Result<std::vector<Measurement>> readNodes(const json &document, Nodes nodes,
                                                  std::vector<size_t> stack) {
  std::vector<Measurement> measurements;
  while (!stack.empty()) {
    const size_t at = stack.back();
    stack.pop_back();
    try {
      if (auto measurement = measurementOf(document, nodes, at))
        measurements.push_back(std::move(*measurement));
      addChildren(at, nodes, stack);
    } catch (const std::exception &failure) {
      return Error{ErrorCode::InvalidInput,
                   "at " + placeOf(nodes, at) + " of Proton's tree: " + failure.what(), ""};
    }
    if (measurements.size() > kMostMeasurements)
      return Error{ErrorCode::InvalidInput,
                   "Proton's tree has more than " + std::to_string(kMostMeasurements) + " kernels",
                   ""};
  }
  return measurements;
}

Result<std::vector<Measurement>> readProtonTree(const json &document) {
  if (document.size() > kMostEntries)
    return Error{ErrorCode::InvalidInput,
                 "Proton's file has " + std::to_string(document.size()) +
                     " entries, where there "
                     "should be a tree, and its devices",
                 ""};
  Nodes nodes;
  std::vector<size_t> stack;
  for (size_t i = document.size(); i-- > 0;)
    if (document[i].is_object() && document[i].contains("frame")) {
      stack.push_back(nodes.size());
      nodes.push_back({&document[i], std::nullopt, i});
    }
  Result<std::vector<Measurement>> measurements =
      readNodes(document, std::move(nodes), std::move(stack));
  if (measurements && measurements->empty())
    return Error{ErrorCode::InvalidInput, "Proton's tree has no kernel with a time",
                 "samples and metrics of the user's own are not read"};
  return measurements;
}

} // namespace tilescope::profiler
