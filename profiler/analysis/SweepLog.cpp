// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/SweepLog.h"

#include "profiler/data/BoundedJson.h"
#include "profiler/data/JsonFields.h"

#include <algorithm>
#include <array>

namespace tilescope::profiler {

using nlohmann::json;

static constexpr int kVersion = 1;
static constexpr size_t kMostPoints = 1'000'000;

static std::string toLine(const json &object) {
  return object.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string sweepHeaderLine(const Sweep &sweep, const std::string &identity) {
  json axes = json::array();
  for (const SweepAxis &axis : sweep.axes)
    axes.push_back({{"names", axis.names}, {"values", axis.values}});
  json header = {{"version", kVersion},    {"identity", identity},   {"file", sweep.file},
                 {"launch", sweep.launch}, {"kernel", sweep.kernel}, {"target", sweep.target},
                 {"sizes", sweep.sizes},   {"axes", std::move(axes)}};
  if (!sweep.models.empty())
    header["models"] = sweep.models;
  return toLine({{"sweep", std::move(header)}});
}

template <typename Way, typename Point> static void pointFields(Way way, Point &point) {
  way.field("values", point.values);
  way.field("reason", point.reason);
  way.field("work", point.work);
  way.field("registers", point.registers);
  way.field("spill_bytes", point.spillBytes);
  way.field("shared_bytes", point.sharedBytes);
  way.field("threads", point.threads);
  way.field("occupancy", point.occupancy);
  way.field("median_us", point.medianUs);
  way.field("min_us", point.minUs);
  way.field("max_us", point.maxUs);
  way.field("gb_per_s", point.gbPerS);
  way.field("tflop_per_s", point.tflopPerS);
  way.field("model", point.model);
  way.field("place", point.place);
  way.field("gpu", point.gpu);
  way.field("uuid", point.uuid);
  way.field("predicted_us", point.predictedUs);
}

std::string sweepPointLine(size_t index, const SweepPoint &point, const TimeRounds &rounds) {
  json object = {{"point", index}, {"status", sweepStatusName(point.status)}};
  pointFields(JsonFieldWriter{object}, point);
  for (const auto &[name, text] : {std::pair("reason", &SweepPoint::reason),
                                   {"model", &SweepPoint::model},
                                   {"place", &SweepPoint::place},
                                   {"uuid", &SweepPoint::uuid}})
    if ((point.*text).empty())
      object.erase(name);
  if (!rounds.empty())
    object["rounds_us"] = rounds;
  return toLine(object);
}

std::string sweepDeviceLine(const Sweep &sweep) {
  json object = {{"device", sweep.device}};
  JsonFieldWriter{object}.field("copy_gb_per_s", sweep.copyGbPerS);
  return toLine(object);
}

static SweepStatus statusOf(const std::string &name) {
  using enum SweepStatus;
  for (const SweepStatus status : {Open, Compiled, Measured, StoppedEarly, Failed})
    if (name == sweepStatusName(status))
      return status;
  throw std::invalid_argument("`" + name + "` is not the status of a point");
}

static void readHeader(const json &object, SweepLog &log) {
  const json &header = object.at("sweep");
  const int version = jsonOr(header, "version", 0);
  if (version != kVersion)
    throw std::invalid_argument("it has version " + std::to_string(version) +
                                ", and this program reads " + std::to_string(kVersion));
  log.identity = jsonAs<std::string>(header.at("identity"));
  Sweep &sweep = log.sweep;
  sweep.file = jsonAs<std::string>(header.at("file"));
  sweep.launch = jsonAs<std::string>(header.at("launch"));
  sweep.kernel = jsonAs<std::string>(header.at("kernel"));
  sweep.target = jsonAs<std::string>(header.at("target"));
  sweep.sizes = jsonAs<std::vector<std::string>>(header.at("sizes"));
  for (const json &axis : header.at("axes")) {
    SweepAxis read{jsonAs<std::vector<std::string>>(axis.at("names")),
                   jsonAs<std::vector<std::vector<std::string>>>(axis.at("values"))};
    for (const std::vector<std::string> &values : read.values)
      if (values.size() != read.names.size())
        throw std::invalid_argument("an axis has values for other names");
    sweep.axes.push_back(std::move(read));
  }
  JsonFieldReader{header}.field("models", sweep.models);
}

static void makePoints(SweepLog &log) {
  Sweep &sweep = log.sweep;
  const size_t numModels = std::max<size_t>(sweep.models.size(), 1);
  if (countPoints(sweep.axes, kMostPoints) > kMostPoints / numModels)
    throw std::out_of_range("it has more than " + std::to_string(kMostPoints) + " points");
  sweep.points = sweepPoints(sweep.axes, sweep.models);
}

SweepPoint sweepPointFromJson(const json &object) {
  SweepPoint point;
  point.status = statusOf(jsonAs<std::string>(object.at("status")));
  pointFields(JsonFieldReader{object}, point);
  return point;
}

static void readPoint(const json &object, SweepLog &log) {
  if (object.contains("device")) {
    log.sweep.device = jsonAs<std::string>(object.at("device"));
    log.sweep.copyGbPerS.reset();
    JsonFieldReader{object}.field("copy_gb_per_s", log.sweep.copyGbPerS);
    if (log.sweep.copyGbPerS)
      log.sweep.copyByModel[log.sweep.device] = *log.sweep.copyGbPerS;
    return;
  }
  const auto index = jsonAs<size_t>(object.at("point"));
  if (index >= log.sweep.points.size())
    throw std::out_of_range("it has no point " + std::to_string(index));
  SweepPoint point = sweepPointFromJson(object);
  if (point.values != log.sweep.points[index].values)
    throw std::invalid_argument("point " + std::to_string(index) + " has other values");
  if (!log.sweep.models.empty() && point.model != log.sweep.points[index].model)
    throw std::invalid_argument("point " + std::to_string(index) + " is of another GPU");
  log.sweep.points[index] = std::move(point);
}

Result<SweepLog> readSweepHeader(std::string_view line) {
  return readJson(line, "a line of a sweep", [](const json &object) {
    SweepLog log;
    readHeader(object, log);
    return log;
  });
}

Result<SweepLog> readSweepLog(std::string_view text) {
  SweepLog log;
  size_t number = 0;
  while (log.numBytes < text.size()) {
    const size_t end = text.find('\n', log.numBytes);
    if (end == std::string_view::npos)
      break;
    const bool isFirst = number++ == 0;
    const Result<bool> line = readJson(text.substr(log.numBytes, end - log.numBytes),
                                       "a line of a sweep", [&](const json &object) {
                                         (isFirst ? readHeader : readPoint)(object, log);
                                         if (isFirst)
                                           makePoints(log);
                                         return true;
                                       });
    if (!line)
      return Error{ErrorCode::InvalidInput,
                   "line " + std::to_string(number) + " is " + line.error().message, ""};
    log.numBytes = end + 1;
  }
  if (number == 0)
    return Error{ErrorCode::InvalidInput, "it has no first line that names a sweep", ""};
  return log;
}

} // namespace tilescope::profiler
