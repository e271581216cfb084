// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The model against measured times: what docs/estimate.md says of it must stay true. The records
// hold what the model knows of each launch, and what a GPU took (tests/gpu/estimate_gpu.py).
#include "compiler/estimate/Predict.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

using namespace tilescope::compiler;
using namespace tilescope::compiler::estimate;
using nlohmann::json;

namespace {
struct Point {
  std::string name, family;
  double measuredUs = 0, predictedUs = 0;

  double error() const { return std::abs(predictedUs / measuredUs - 1); }
};
using Points = std::vector<Point>;
} // namespace

static EstimateFacts factsOf(const json &object) {
  EstimateFacts facts;
  facts.programs = object.at("programs");
  facts.warps = object.at("warps");
  facts.programsPerSm = object.at("programs_per_sm");
  facts.instructions = object.at("instructions");
  facts.aloneCycles = object.at("alone_cycles");
  facts.wavefronts = object.at("wavefronts");
  facts.l2ReadBytes = object.at("l2_read_bytes");
  facts.l2WriteBytes = object.at("l2_write_bytes");
  facts.dramReadBytes = object.at("dram_read_bytes");
  facts.dramWriteBytes = object.at("dram_write_bytes");
  facts.atomicSectors = object.at("atomic_sectors");
  facts.atomicTurns = object.value("atomic_turns", 0.0);
  for (size_t pipe = 0; pipe < facts.pipeCycles.size(); ++pipe)
    facts.pipeCycles[pipe] = object.at("pipe_cycles").at(pipe);
  return facts;
}

static json record() {
  std::ifstream file(TILESCOPE_ESTIMATE_RECORD);
  REQUIRE(file.good());
  return json::parse(file);
}

/// The points that have a time under this name, on the device of this name.
static Points predicted(const json &record, const std::string &device, const char *time) {
  const auto rates = deviceRates(record.at("target").get<std::string>(), device);
  REQUIRE(rates.has_value());
  Points points;
  for (const json &each : record.at("points"))
    if (each.contains(time))
      points.push_back({each.at("name"), each.at("family"), each.at(time),
                        predict(factsOf(each.at("facts")), *rates).us});
  return points;
}

static Points predicted() {
  const json all = record();
  return predicted(all, all.at("device"), "measured_us");
}

static double meanError(const Points &points) {
  double sum = 0;
  for (const Point &point : points)
    sum += point.error();
  return sum / static_cast<double>(points.size());
}

/// Pairs in the same order less pairs in the other, over all pairs.
static double kendall(const Points &points) {
  double sum = 0, pairs = 0;
  for (size_t i = 0; i < points.size(); ++i)
    for (size_t k = 0; k < i; ++k, ++pairs) {
      const double order = (points[i].predictedUs - points[k].predictedUs) *
                           (points[i].measuredUs - points[k].measuredUs);
      sum += order > 0 ? 1 : order < 0 ? -1 : 0;
    }
  return sum / pairs;
}

static std::map<std::string, Points> byFamily(const Points &points) {
  std::map<std::string, Points> families;
  for (const Point &point : points)
    families[point.family].push_back(point);
  return families;
}

TEST_CASE("predictions are as near to measured times as the documentation says", "[compiler]") {
  const Points points = predicted();
  CHECK(points.size() >= 300);
  CHECK(meanError(points) <= 0.20);
  CHECK(kendall(points) >= 0.7);
  for (const auto &[name, family] : byFamily(points)) {
    const double error = meanError(family), tau = kendall(family);
    CAPTURE(name);
    CHECK(error <= 0.20);
    CHECK(tau >= 0.7);
    std::printf("%-24s %4zu points, mean error %5.1f %%, rank correlation %.2f\n", name.c_str(),
                family.size(), 100 * error, tau);
  }
}

TEST_CASE("the half that no constant was fitted to is predicted as well", "[compiler]") {
  // Constants were fitted to every second point (docs/estimate.md).
  Points other;
  const Points points = predicted();
  for (size_t i = 1; i < points.size(); i += 2)
    other.push_back(points[i]);
  CHECK(meanError(other) <= 0.20);
  CHECK(kendall(other) >= 0.7);
}

TEST_CASE("a device that no constant was fitted to is predicted as well", "[compiler]") {
  const Points points = predicted(record(), "NVIDIA H200", "h200_us");
  CHECK(points.size() >= 80);
  CHECK(meanError(points) <= 0.20);
  CHECK(kendall(points) >= 0.7);
}

TEST_CASE("few launches are further from their prediction than what is called a gap",
          "[compiler]") {
  const Points points = predicted();
  const auto far = std::ranges::count_if(points, [](const Point &point) {
    const double ratio = point.measuredUs / point.predictedUs;
    return ratio > kEstimateGap || ratio < 1 / kEstimateGap;
  });
  CHECK(static_cast<double>(far) <= 0.03 * static_cast<double>(points.size()));
}
