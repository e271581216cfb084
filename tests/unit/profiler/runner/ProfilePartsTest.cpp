// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/runner/ProfileParts.h"

#include "profiler/data/MeasurementJson.h"
#include "profiler/data/TraceJson.h"
#include "profiler/runner/ProfileText.h"
#include "tests/unit/profiler/TraceScratch.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::profiler;
using Catch::Matchers::Contains;
using nlohmann::json;

/// A script line that sends a frame.
static std::string frame(const json &body) {
  const std::string text = body.dump();
  return "printf 'Content-Length: " + std::to_string(text.size()) + "\\r\\n\\r\\n" + text + "'";
}

static TraceData sampleTrace() {
  TraceData trace;
  trace.table = test::sampleTable();
  trace.plainUs = 10;
  trace.tracedUs = 10.5;
  trace.slowdown = 0.05;
  trace.outputsEqual = true;
  TraceWarp warp;
  warp.cycles = 1000;
  warp.spans = {{2, 100, 400}};
  trace.warps = {warp};
  return trace;
}

namespace {
/// What the child of each job does, as lines of a script.
struct Children {
  std::string run = frame({{"result",
                            {{"device", "D"},
                             {"kernel", "k"},
                             {"grid", {1, 1, 1}},
                             {"launches", 1},
                             {"notes", {"a note"}},
                             {"outputs", json::array()}}}});
  std::string counters = frame({{"result",
                                 {{"counters",
                                   {{"chip", "GH100"},
                                    {"set", "quick"},
                                    {"passes", 2},
                                    {"values", {{"gpu__time_duration.sum", 5000}}}}}}}});
  std::string samples =
      frame({{"result", {{"pc_samples", {{"reasons", {"wait"}}, {"stalls", {{16, 0, 5, 1}}}}}}}});
  std::string executions = frame(
      {{"result",
        {{"executions", {{"instructions", {{16, 40, 1280, 960, 320, 160, nullptr, nullptr}}}}}}}});
  std::string trace = frame({{"result", {{"trace", traceDataToJson(sampleTrace())}}}});
  std::string deviceWide =
      frame({{"result",
              {{"device_wide",
                {{"seconds", 1.0}, {"launches", 8000}, {"values", {{"dram_active", 0.871}}}}}}}});
};
} // namespace

static Result<json> profile(const Children &children, const json &params,
                            const ChildHooks &hooks = {}) {
  const std::string script =
      "request=$(cat); case \"$request\" in *'\"method\":\"counters\"'*) " + children.counters +
      ";; *'\"method\":\"samples\"'*) " + children.samples + ";; *'\"method\":\"executions\"'*) " +
      children.executions + ";; *'\"method\":\"device_wide\"'*) " + children.deviceWide +
      ";; *'\"method\":\"trace\"'*) " + children.trace + ";; *) " + children.run + ";; esac";
  return runWithParts({{"/bin/sh", "-c", script}}, {{"method", "run"}, {"params", params}}, {},
                      hooks);
}

static const json kAll = {{"counters", "quick"}, {"pc_samples", true}};

TEST_CASE("a run has the parts of a profile that it asks for", "[profiler]") {
  const auto all = profile({}, kAll);
  REQUIRE(all);
  const Measurement measurement = measurementFromJson(*all);
  REQUIRE(measurement.counters);
  CHECK(measurement.counters->passes == 2);
  REQUIRE(measurement.samples);
  CHECK(measurement.samples->kernelSamples() == 5);
  CHECK(measurement.refusals.empty());
  CHECK(measurement.notes == std::vector<std::string>{"a note"});
  const auto bare = profile({}, json::object());
  REQUIRE(bare);
  CHECK_FALSE(bare->contains("counters"));
  CHECK_FALSE(bare->contains("pc_samples"));
}

TEST_CASE("a run that asks for executions has counts of each instruction", "[profiler]") {
  const auto result = profile({}, {{"executions", true}});
  REQUIRE(result);
  const Measurement measurement = measurementFromJson(*result);
  REQUIRE(measurement.executions);
  CHECK(measurement.executions->instructions[0].counts.idealSectors == 160);
  const std::string text = describeProfile(measurement);
  CHECK_THAT(text, Contains("profile   counts by instruction\n"));
  CHECK_THAT(text, Contains("/*0010*/  40 executions by warps, 25 % of the threads off by "
                            "predicate, 320 sectors where 160 would do"));
}

TEST_CASE("executions that are refused say why and what helps, the others stay", "[profiler]") {
  Children children;
  children.executions = frame({{"result",
                                {{"refusals",
                                  {{{"rung", "executions"},
                                    {"kind", "not_permitted"},
                                    {"reason", "the driver lets only administrators"},
                                    {"cure", "run as root"}}}}}}});
  auto result = profile(children, {{"executions", true}, {"pc_samples", true}});
  REQUIRE(result);
  Measurement measurement = measurementFromJson(*result);
  CHECK(measurement.samples);
  REQUIRE(measurement.refusals.size() == 1);
  CHECK(measurement.refusals[0].rung == ProfileRung::Executions);
  CHECK_THAT(describeProfile(measurement),
             Contains("no counts by instruction: the driver lets only administrators; cure: run as "
                      "root"));
  children.executions = "kill -SEGV $$";
  result = profile(children, {{"executions", true}, {"pc_samples", true}});
  REQUIRE(result);
  measurement = measurementFromJson(*result);
  CHECK(measurement.samples);
  REQUIRE(measurement.refusals.size() == 1);
  CHECK(measurement.refusals[0].kind == RefusalKind::Interrupted);
}

TEST_CASE("a run with a traced package has a trace", "[profiler]") {
  for (const char *key : {"traced_packages", "traced_packages_base64"}) {
    const auto result = profile({}, {{key, {"of it"}}});
    REQUIRE(result);
    const Measurement measurement = measurementFromJson(*result);
    CHECK(measurement.trace == sampleTrace());
    const std::string text = describeProfile(measurement);
    CHECK_THAT(text, Contains("profile   a trace\n"));
    CHECK_THAT(text, Contains("1 warp of 2 programs; 5.0 % slower with clock reads"));
    CHECK_THAT(text, Contains("Waits                                30.0 %          300 cycles"));
    CHECK_THAT(text, Contains("Between them                         70.0 %"));
    CHECK_THAT(text, Contains("line 7 (wait)"));
  }
  Children children;
  children.trace = frame({{"result",
                           {{"refusals",
                             {{{"rung", "trace"},
                               {"kind", "distorted"},
                               {"reason", "it is much slower"},
                               {"cure", "trace less"}}}}}}});
  const auto refused = profile(children, {{"traced_packages", {"of it"}}});
  REQUIRE(refused);
  const Measurement measurement = measurementFromJson(*refused);
  CHECK_FALSE(measurement.trace);
  REQUIRE(measurement.refusals.size() == 1);
  CHECK(measurement.refusals[0].rung == ProfileRung::Trace);
  CHECK(measurement.refusals[0].kind == RefusalKind::Distorted);
  CHECK_THAT(describeProfile(measurement),
             Contains("no trace: it is much slower; cure: trace less"));
}

/// What a child answers to whom counters are refused.
static std::string refusedCounters() {
  return frame({{"result",
                 {{"refusals",
                   {{{"rung", "counters"},
                     {"kind", "not_permitted"},
                     {"reason", "the driver lets only administrators"},
                     {"cure", "run as root"}}}}}}});
}

TEST_CASE("where counters are refused, those of the whole device are in their place",
          "[profiler]") {
  CHECK_FALSE(profile({}, kAll)->contains("device_wide"));
  Children children;
  children.counters = refusedCounters();
  auto result = profile(children, kAll);
  REQUIRE(result);
  Measurement measurement = measurementFromJson(*result);
  REQUIRE(measurement.deviceWide);
  CHECK(measurement.deviceWide->values.at("dram_active") == 0.871);
  CHECK(measurement.refusals.size() == 1);
  // The parts that follow are there, too.
  CHECK(measurement.samples);
  const std::string text = describeProfile(measurement);
  CHECK_THAT(text, Contains("profile   samples and counters of the whole device\n"));
  CHECK_THAT(text, Contains("DRAM bandwidth                           87.1 %"));
  CHECK_THAT(text, Contains("8000 times in a row"));
  // Samples alone ask for none.
  CHECK_FALSE(profile(children, {{"pc_samples", true}})->contains("device_wide"));

  children.deviceWide = frame({{"result",
                                {{"refusals",
                                  {{{"rung", "device_wide"},
                                    {"kind", "device_unsupported"},
                                    {"reason", "this device does not count its own activity"},
                                    {"cure", "an H100 or a newer device counts it"}}}}}}});
  result = profile(children, kAll);
  REQUIRE(result);
  measurement = measurementFromJson(*result);
  CHECK_FALSE(measurement.deviceWide);
  REQUIRE(measurement.refusals.size() == 2);
  CHECK(measurement.refusals[1].rung == ProfileRung::DeviceWide);
  CHECK(measurement.samples);
  CHECK_THAT(describeProfile(measurement),
             Contains("no counters of the whole device: this device does not count its own "
                      "activity; cure: an H100 or a newer device counts it"));
  children.deviceWide = "kill -SEGV $$";
  result = profile(children, kAll);
  REQUIRE(result);
  measurement = measurementFromJson(*result);
  REQUIRE(measurement.refusals.size() == 2);
  CHECK(measurement.refusals[1].kind == RefusalKind::Interrupted);
}

TEST_CASE("a part that is refused leaves the others", "[profiler]") {
  Children children;
  children.counters = frame({{"result",
                              {{"refusals",
                                {{{"rung", "counters"},
                                  {"kind", "not_permitted"},
                                  {"reason", "the driver lets only administrators"},
                                  {"cure", "run as root"}}}}}}});
  const auto result = profile(children, kAll);
  REQUIRE(result);
  const Measurement measurement = measurementFromJson(*result);
  CHECK_FALSE(measurement.counters);
  CHECK(measurement.samples);
  REQUIRE(measurement.refusals.size() == 1);
  CHECK(measurement.refusals[0].kind == RefusalKind::NotPermitted);
  const std::string text = describeProfile(measurement);
  CHECK_THAT(text, Contains("profile   samples and counters of the whole device\n"));
  CHECK_THAT(
      text,
      Contains("no hardware counters: the driver lets only administrators; cure: run as root"));
}

TEST_CASE("parts tell how far they are, and what there is before each", "[profiler]") {
  Children children;
  children.counters = frame({{"progress", "measure"}, {"kernel", "k"}, {"step", 1}, {"steps", 2}}) +
                      "; " + children.counters;
  std::vector<json> told, partial;
  ChildHooks hooks;
  hooks.onProgress = [&](const json &progress) { told.push_back(progress); };
  hooks.onPartial = [&](const json &result) { partial.push_back(result); };
  REQUIRE(profile(children, kAll, hooks));
  REQUIRE(told.size() == 1);
  CHECK(told[0].at("part") == "counters");
  CHECK(told[0].at("step") == 1);
  CHECK(told[0].at("steps") == 2);
  REQUIRE(partial.size() == 2);
  CHECK_FALSE(partial[0].contains("counters"));
  CHECK(partial[1].contains("counters"));
  CHECK_FALSE(partial[1].contains("pc_samples"));
}

TEST_CASE("a child that dies in the middle of its passes leaves the times", "[profiler]") {
  Children children;
  children.counters = frame({{"progress", "measure"}, {"kernel", "k"}}) + "; kill -SEGV $$";
  children.samples =
      frame({{"error", {{"code", "invalid_input"}, {"message", "kernel `k`: it failed"}}}});
  const auto result = profile(children, kAll);
  REQUIRE(result);
  const Measurement measurement = measurementFromJson(*result);
  CHECK(measurement.kernel == "k");
  REQUIRE(measurement.refusals.size() == 2);
  CHECK(measurement.refusals[0].kind == RefusalKind::Interrupted);
  CHECK_THAT(measurement.refusals[0].reason, Contains("kernel `k`") && Contains("Segmentation"));
  CHECK(measurement.refusals[1].rung == ProfileRung::Samples);
  CHECK(measurement.refusals[1].reason == "kernel `k`: it failed");
  CHECK_THAT(describeProfile(measurement), Contains("profile   times\n"));
}

TEST_CASE(
    "a kernel that faults in pass 7 of 19 leaves times and samples, and the next profile works",
    "[profiler]") {
  Children children;
  const std::string counters = children.counters;
  children.counters =
      frame({{"progress", "measure"}, {"kernel", "k"}, {"step", 7}, {"steps", 19}}) + "; " +
      frame({{"error",
              {{"code", "invalid_input"},
               {"message", "kernel `k`: cuCtxSynchronize failed: CUDA_ERROR_ILLEGAL_ADDRESS"}}}});
  json told;
  ChildHooks hooks;
  hooks.onProgress = [&](const json &progress) { told = progress; };
  const auto result = profile(children, {{"counters", "full"}, {"pc_samples", true}}, hooks);
  REQUIRE(result);
  CHECK(told.at("step") == 7);
  CHECK(told.at("steps") == 19);
  const Measurement measurement = measurementFromJson(*result);
  CHECK(measurement.kernel == "k");
  CHECK_FALSE(measurement.counters);
  CHECK(measurement.samples);
  REQUIRE(measurement.refusals.size() == 1);
  CHECK(measurement.refusals[0].kind == RefusalKind::Interrupted);
  CHECK_THAT(measurement.refusals[0].reason, Contains("CUDA_ERROR_ILLEGAL_ADDRESS"));
  children.counters = counters;
  const auto next = profile(children, kAll);
  REQUIRE(next);
  CHECK(measurementFromJson(*next).counters);
}

TEST_CASE("10 GB of samples are refused by their size, and the rest is kept", "[profiler]") {
  Children children;
  const std::string samples = children.samples;
  // It goes on as if it sent them, so that only what was announced can end it.
  children.samples = "printf 'Content-Length: 10737418240\\r\\n\\r\\n{\"result\":'; sleep 60";
  const auto result = profile(children, kAll);
  REQUIRE(result);
  const Measurement measurement = measurementFromJson(*result);
  CHECK(measurement.counters);
  CHECK_FALSE(measurement.samples);
  REQUIRE(measurement.refusals.size() == 1);
  CHECK(measurement.refusals[0].rung == ProfileRung::Samples);
  CHECK_THAT(measurement.refusals[0].reason,
             Contains("cannot be read") && Contains("longer than 8192 MiB"));
  children.samples = samples;
  const auto next = profile(children, kAll);
  REQUIRE(next);
  CHECK(measurementFromJson(*next).samples);
}

TEST_CASE("a run that fails asks for no parts", "[profiler]") {
  Children children;
  children.run = frame({{"error", {{"code", "environment"}, {"message", "no device"}}}});
  children.counters = "exit 99";
  const auto result = profile(children, kAll);
  REQUIRE_FALSE(result);
  CHECK(result.error().message == "no device");
}

TEST_CASE("requests for parts that there are not are refused before anything runs", "[profiler]") {
  Children children;
  children.run = "exit 99";
  for (const json &params : {json{{"counters", "all"}}, json{{"counters", true}},
                             json{{"pc_samples", "yes"}}, json{{"executions", 1}}}) {
    const auto result = profile(children, params);
    REQUIRE_FALSE(result);
    CHECK(result.error().code == ErrorCode::Usage);
  }
}
