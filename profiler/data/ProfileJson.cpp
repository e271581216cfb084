// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/ProfileJson.h"

#include "profiler/data/JsonFields.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string_view>

namespace tilescope::profiler {

using nlohmann::json;

// More than any profile has.
static constexpr size_t kMostMetrics = 4096;
static constexpr size_t kMostReasons = 256;
static constexpr size_t kMostStalls = size_t(1) << 20;
static constexpr size_t kMostLines = size_t(1) << 20;
static constexpr size_t kMostRefusals = 64;

static const json &bounded(const json &list, size_t most, const char *what) {
  if (list.size() > most)
    throw std::out_of_range(std::string(what) + " has more than " + std::to_string(most) +
                            " entries");
  return list;
}

/// By the enumerations' values.
static constexpr auto kRungNames = std::to_array<std::string_view>(
    {"counters", "samples", "executions", "device_wide", "trace", "times"});
static constexpr auto kRefusalNames = std::to_array<std::string_view>(
    {"not_permitted", "busy", "device_unsupported", "out_of_memory", "library_missing",
     "library_too_old", "interrupted", "distorted", "other"});

/// Of a name that this program does not know, the last value.
template <typename Value, size_t N>
static Value named(const std::array<std::string_view, N> &names, const std::string &name) {
  const auto found = std::ranges::find(names, name);
  return static_cast<Value>(std::min<ptrdiff_t>(found - names.begin(), ptrdiff_t(N) - 1));
}

static json valuesToJson(const std::map<std::string, double> &values) {
  json object = json::object();
  for (const auto &[name, value] : values)
    object[name] = realToJson(value);
  return object;
}

/// Those of the field `values`, by name; what is not a finite number is left out.
static std::map<std::string, double> valuesFromJson(const json &object) {
  std::map<std::string, double> values;
  for (const auto &[name, value] : bounded(object.at("values"), kMostMetrics, "`values`").items())
    if (const double number = jsonAs<double>(value); std::isfinite(number))
      values.emplace(name, number);
  return values;
}

json counterDataToJson(const CounterData &counters) {
  return {{"chip", counters.chip},
          {"set", counters.isFull ? "full" : "quick"},
          {"passes", counters.passes},
          {"cold_l2", counters.coldL2},
          {"values", valuesToJson(counters.values)}};
}

CounterData counterDataFromJson(const json &object) {
  CounterData counters;
  JsonFieldReader reader{object};
  reader.field("chip", counters.chip);
  reader.field("passes", counters.passes);
  reader.field("cold_l2", counters.coldL2);
  counters.isFull = jsonOr<std::string>(object, "set", "quick") == "full";
  counters.values = valuesFromJson(object);
  return counters;
}

template <typename Way, typename Samples> static void sampleFields(Way way, Samples &samples) {
  way.field("period_cycles", samples.periodCycles);
  way.field("launches", samples.launches);
  way.field("total", samples.total);
  way.field("dropped", samples.dropped);
  way.field("non_user", samples.nonUser);
  way.field("other_functions", samples.otherFunctions);
  way.field("cold_l2", samples.coldL2);
  way.field("reasons", samples.reasons);
  way.field("mapped_share", samples.mappedShare);
}

template <typename Way, typename Line> static void lineFields(Way way, Line &line) {
  way.field("samples", line.samples);
  way.field("not_issued", line.notIssued);
  way.field("reasons", line.reasons);
}

json sampleDataToJson(const SampleData &samples) {
  json object = json::object();
  sampleFields(JsonFieldWriter{object}, samples);
  // A row is offset, reason, samples, of which not issued.
  object["stalls"] = json::array();
  for (const StallSample &stall : samples.stalls)
    object["stalls"].push_back({stall.offset, stall.reason, stall.samples, stall.notIssued});
  if (samples.mappedShare)
    object["lines"] = json::array();
  for (const LineSamples &line : samples.lines) {
    json row = {{"line", line.line + 1}};
    lineFields(JsonFieldWriter{row}, line);
    object["lines"].push_back(std::move(row));
  }
  return object;
}

static StallSample stallFromJson(const json &row, size_t numReasons) {
  const auto numbers = jsonAs<std::array<uint64_t, 4>>(row);
  if (numbers[0] > UINT32_MAX || numbers[1] >= numReasons)
    throw std::out_of_range("a sample has no such offset or reason");
  return {static_cast<uint32_t>(numbers[0]), static_cast<uint32_t>(numbers[1]), numbers[2],
          numbers[3]};
}

SampleData sampleDataFromJson(const json &object) {
  SampleData samples;
  sampleFields(JsonFieldReader{object}, samples);
  if (samples.reasons.size() > kMostReasons)
    throw std::out_of_range("too many stall reasons");
  for (const json &row : bounded(object.at("stalls"), kMostStalls, "`stalls`"))
    samples.stalls.push_back(stallFromJson(row, samples.reasons.size()));
  if (object.contains("lines"))
    for (const json &row : bounded(object.at("lines"), kMostLines, "`lines`")) {
      LineSamples line;
      line.line = std::max(jsonAs<uint32_t>(row.at("line")), 1u) - 1;
      bounded(row.value("reasons", json::object()), kMostReasons, "`reasons`");
      lineFields(JsonFieldReader{row}, line);
      samples.lines.push_back(std::move(line));
    }
  return samples;
}

json deviceWideToJson(const DeviceWideData &data) {
  return {{"seconds", realToJson(data.seconds)},
          {"launches", data.launches},
          {"values", valuesToJson(data.values)}};
}

DeviceWideData deviceWideFromJson(const json &object) {
  DeviceWideData data;
  JsonFieldReader reader{object};
  reader.field("seconds", data.seconds);
  reader.field("launches", data.launches);
  data.values = valuesFromJson(object);
  return data;
}

static void rangeToJson(json &object, const char *key, const std::optional<ValueRange> &range) {
  if (range)
    object[key] = {realToJson(range->least), realToJson(range->most)};
}

static std::optional<ValueRange> rangeFromJson(const json &object, const char *key) {
  if (!object.contains(key))
    return std::nullopt;
  const auto ends = jsonAs<std::array<double, 2>>(object.at(key));
  return ValueRange{ends[0], ends[1]};
}

template <typename Way, typename Conditions>
static void conditionFields(Way way, Conditions &conditions) {
  way.field("readings", conditions.readings);
  way.field("max_sm_clock_mhz", conditions.maxSmClockMhz);
  way.field("power_limit_w", conditions.powerLimitW);
  way.field("throttle_reasons", conditions.throttleReasons);
}

json conditionsToJson(const DeviceConditions &conditions) {
  json object = json::object();
  conditionFields(JsonFieldWriter{object}, conditions);
  rangeToJson(object, "sm_clock_mhz", conditions.smClockMhz);
  rangeToJson(object, "memory_clock_mhz", conditions.memoryClockMhz);
  rangeToJson(object, "power_w", conditions.powerW);
  rangeToJson(object, "temperature_c", conditions.temperatureC);
  return object;
}

DeviceConditions conditionsFromJson(const json &object) {
  DeviceConditions conditions;
  conditionFields(JsonFieldReader{object}, conditions);
  conditions.smClockMhz = rangeFromJson(object, "sm_clock_mhz");
  conditions.memoryClockMhz = rangeFromJson(object, "memory_clock_mhz");
  conditions.powerW = rangeFromJson(object, "power_w");
  conditions.temperatureC = rangeFromJson(object, "temperature_c");
  return conditions;
}

json refusalsToJson(const std::vector<Refusal> &refusals) {
  json list = json::array();
  for (const Refusal &refusal : refusals)
    list.push_back({{"rung", kRungNames[static_cast<size_t>(refusal.rung)]},
                    {"kind", kRefusalNames[static_cast<size_t>(refusal.kind)]},
                    {"reason", refusal.reason},
                    {"cure", refusal.cure}});
  return list;
}

std::vector<Refusal> refusalsFromJson(const json &list) {
  std::vector<Refusal> refusals;
  for (const json &object : bounded(list, kMostRefusals, "`refusals`"))
    refusals.push_back({named<ProfileRung>(kRungNames, jsonOr<std::string>(object, "rung", "")),
                        named<RefusalKind>(kRefusalNames, jsonOr<std::string>(object, "kind", "")),
                        jsonOr<std::string>(object, "reason", ""),
                        jsonOr<std::string>(object, "cure", "")});
  return refusals;
}

} // namespace tilescope::profiler
