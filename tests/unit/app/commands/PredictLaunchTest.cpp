// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/PredictLaunch.h"

#include "app/commands/EstimateJson.h"
#include "app/commands/InspectionText.h"
#include "compiler/estimate/Predict.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::compiler;
using nlohmann::json;

/// Of a copy of 2 x 256 MiB.
static Estimate copyEstimate() {
  EstimateFacts facts;
  facts.target = "cuda:90";
  facts.programs = 65536;
  facts.warps = 4;
  facts.programsPerSm = 16;
  facts.instructions = 40;
  facts.aloneCycles = 900;
  facts.wavefronts = 64;
  facts.l2ReadBytes = facts.dramReadBytes = 268435456;
  facts.l2WriteBytes = facts.dramWriteBytes = 268435456;
  facts.lines = {{{{19, 0}, {20, 0}, 0}, 0.75}, {{{20, 0}, {21, 0}, 0}, 0.25}};
  return estimate::predict(facts, *estimate::deviceRates("cuda:90"));
}

static profiler::Measurement measuredOn(const char *device, double us) {
  profiler::Measurement measurement;
  measurement.device.name = device;
  measurement.timeUs.emplace().median = us;
  return measurement;
}

TEST_CASE("a measurement notes what was predicted for its device", "[app]") {
  const Estimate estimate = copyEstimate();
  auto measured = measuredOn("NVIDIA H100 80GB HBM3", 180);
  notePrediction(estimate, measured);
  REQUIRE(measured.notes.size() == 1);
  CHECK(measured.notes[0].starts_with("predicted: 17"));
  CHECK(measured.notes[0].ends_with(" µs on the H100 SXM, limited by DRAM"));
  // The faster memory of another device of the same target.
  measured = measuredOn("NVIDIA H200", 125);
  notePrediction(estimate, measured);
  REQUIRE(measured.notes.size() == 1);
  CHECK(measured.notes[0].starts_with("predicted: 12"));
  CHECK(measured.notes[0].ends_with(" µs on the H200, limited by DRAM"));
}

TEST_CASE("a measurement has the prediction in numbers, and a line far from it is a hint",
          "[app]") {
  auto measured = measuredOn("NVIDIA H100 80GB HBM3", 180);
  measured.samples.emplace();
  measured.samples->reasons = {"wait"};
  measured.samples->stalls = {{0, 0, 100, 0}};
  measured.samples->lines = {{19, 30, 0, {}}, {20, 70, 0, {}}};
  notePrediction(copyEstimate(), measured);
  REQUIRE(measured.prediction);
  CHECK(measured.prediction->device == "H100 SXM");
  CHECK(measured.prediction->bottleneck == "DRAM");
  CHECK(measured.prediction->us == Approx(175).margin(5));
  CHECK(measured.prediction->lines == std::vector<profiler::PredictedLine>{{19, 0.75}, {20, 0.25}});
  REQUIRE(measured.notes.size() == 2);
  CHECK(measured.notes[1].starts_with("line 20 has 30.0 % of the samples, and 75.0 % was"));
  measured = measuredOn("NVIDIA GH200 480GB", 100);
  notePrediction(copyEstimate(), measured);
  CHECK_FALSE(measured.prediction);
}

TEST_CASE("a measurement far from the prediction is a hint", "[app]") {
  const Estimate estimate = copyEstimate();
  auto measured = measuredOn("NVIDIA H100 80GB HBM3", 400);
  notePrediction(estimate, measured);
  REQUIRE(measured.notes.size() == 2);
  CHECK(measured.notes[1].starts_with("measured 2."));
  measured = measuredOn("NVIDIA H100 80GB HBM3", 80);
  notePrediction(estimate, measured);
  REQUIRE(measured.notes.size() == 2);
  CHECK(measured.notes[1].starts_with("predicted 2."));
}

TEST_CASE("where nothing can be predicted, the reason is noted", "[app]") {
  auto measured = measuredOn("NVIDIA GH200 480GB", 100);
  notePrediction(copyEstimate(), measured);
  CHECK(measured.notes == std::vector<std::string>{
                              "not predicted: the rates of the NVIDIA GH200 480GB are not known"});
  Estimate none;
  none.reason = "how often a loop goes round is not known (line 7)";
  measured = measuredOn("NVIDIA H200", 100);
  notePrediction(none, measured);
  CHECK(measured.notes == std::vector<std::string>{
                              "not predicted: how often a loop goes round is not known (line 7)"});
  measured = measuredOn("NVIDIA H200", 100);
  measured.coldL2 = false;
  notePrediction(copyEstimate(), measured);
  CHECK(measured.notes ==
        std::vector<std::string>{"not predicted: predictions are for a cold L2 cache"});
}

TEST_CASE("a prediction is told as text and as JSON", "[app]") {
  Inspection inspection;
  inspection.file.result.ok = true;
  inspection.file.result.kernel = "k";
  inspection.file.result.target = "cuda:90";
  inspection.files = {{"k.py", ""}};
  inspection.estimate = copyEstimate();
  const std::string text = inspectionText(inspection);
  CHECK(text.find("µs on the H100 SXM, limited by DRAM\n") != std::string::npos);
  CHECK(text.find("    20   75%\n    21   25%\n") != std::string::npos);
  const json document = inspectionJson(inspection)["estimate"];
  CHECK(document["bottleneck"] == "DRAM");
  CHECK(document["us"].get<double>() == Approx(inspection.estimate->us).epsilon(1e-4));
  CHECK(document["parts"][0]["name"] == "DRAM");
  CHECK(document["lines"][0] == json({{"file", "k.py"}, {"line", 20}, {"share", 0.75}}));
  CHECK(document["facts"]["dram_read_bytes"] == 268435456);
  CHECK_FALSE(document.contains("reason"));
}

TEST_CASE("a reason stands in place of all numbers", "[app]") {
  Estimate none;
  none.reason = "the rates of `cuda:75` are not known";
  CHECK(estimateJson(none, {}) == json({{"reason", "the rates of `cuda:75` are not known"}}));
  Inspection inspection;
  inspection.file.result.ok = true;
  inspection.estimate = none;
  CHECK(inspectionText(inspection)
            .find("predicted: not predicted: the rates of `cuda:75` are not known\n") ==
        std::string::npos);
  CHECK(inspectionText(inspection).find("not predicted: the rates of `cuda:75` are not known\n") !=
        std::string::npos);
}
