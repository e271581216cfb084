// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The verdict on times that an H100 gave (tests/gpu/together_gpu.py): an addition of 8 M elements
// against itself, and against one of 2 % more.
#include "profiler/analysis/TimeComparison.h"

#include "profiler/data/FileIo.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace tilescope;
using namespace tilescope::profiler;
using nlohmann::json;

static json recording() {
  const Result<std::string> text = readFile(TILESCOPE_RECORDED "/alternating.json");
  REQUIRE(text);
  return json::parse(*text);
}

static TimeRounds toMicroseconds(const json &ticks, double tickNs) {
  auto rounds = ticks.get<TimeRounds>();
  for (std::vector<double> &round : rounds)
    for (double &time : round)
      time *= tickNs / 1000;
  return rounds;
}

namespace {
struct Verdicts {
  int faster = 0;
  int slower = 0;
  int none = 0;
};
} // namespace

static Verdicts verdictsOn(const json &document, const char *name, double resolution) {
  Verdicts verdicts;
  const double tickNs = document.at("tick_ns");
  for (const json &run : document.at("kernels").at(name)) {
    TimeComparisonOptions options;
    options.resolution = resolution;
    options.resamples = 500;
    const TimeComparison comparison = compareTimes(toMicroseconds(run.at(0), tickNs),
                                                   toMicroseconds(run.at(1), tickNs), options);
    verdicts.faster += comparison.verdict == TimeVerdict::Faster;
    verdicts.slower += comparison.verdict == TimeVerdict::Slower;
    verdicts.none += comparison.verdict == TimeVerdict::NoDifference;
  }
  return verdicts;
}

TEST_CASE("on a GPU, a kernel is rarely found to differ from itself", "[profiler]") {
  const json document = recording();
  const Verdicts verdicts = verdictsOn(document, "add", 0.005);
  CHECK(verdicts.none == 100);
  // Without a resolution, what the intervals alone let through.
  const Verdicts fine = verdictsOn(document, "add", 0);
  CHECK(fine.faster + fine.slower <= 5);
}

TEST_CASE("on a GPU, 2 % are found", "[profiler]") {
  const json document = recording();
  CHECK(verdictsOn(document, "add_2", 0.005).slower == 40);
  CHECK(verdictsOn(document, "add_2", 0.01).slower >= 36);
}
