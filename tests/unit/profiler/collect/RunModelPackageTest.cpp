// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/RunModelPackage.h"

#include "profiler/collect/GraphTimeline.h"
#include "tests/unit/profiler/SmallModelPackage.h"
#include "tests/unit/profiler/collect/FakeCudaDriver.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace tilescope;
using namespace tilescope::profiler;
using namespace tilescope::profiler::test;

/// The parameters of a kernel on vectors.
static float *vectorOf(void **parameters, size_t i) {
  return *static_cast<float **>(parameters[i]);
}

static void useVectors(FakeCudaDriver &driver) {
  driver.isFilling = true;
  driver.bodies["add"] = [](void **parameters) {
    for (size_t i = 0; i < 4; ++i)
      vectorOf(parameters, 2)[i] = vectorOf(parameters, 0)[i] + vectorOf(parameters, 1)[i];
  };
  driver.bodies["twice"] = [](void **parameters) {
    for (size_t i = 0; i < 4; ++i)
      vectorOf(parameters, 1)[i] = 2 * vectorOf(parameters, 0)[i];
  };
}

static ModelRunOptions quick() {
  ModelRunOptions options;
  options.run.warmUpTime = std::chrono::milliseconds(1);
  options.run.maxMeasureTime = std::chrono::milliseconds(50);
  return options;
}

static std::vector<double> numbers(const NamedTensor &each) {
  std::vector<double> values;
  for (int64_t i = 0; i < each.tensor.numElements(); ++i)
    values.push_back(each.tensor.at(i));
  return values;
}

using Numbers = std::vector<double>;

TEST_CASE("a model's steps run in one memory, and its graph computes the same", "[profiler]") {
  FakeCudaDriver driver;
  useVectors(driver);
  const auto outcome = runModelPackage(driver, nullptr, "no CUPTI", smallModelPackage(), quick());
  REQUIRE(outcome);
  REQUIRE(outcome->tensors.size() == 2);
  CHECK(outcome->tensors[0].name == "output_0");
  CHECK(numbers(outcome->tensors[0]) == Numbers{13, 16, 19, 22});
  CHECK(outcome->tensors[0].tensor.shape == std::vector<int64_t>{2, 2});
  CHECK(numbers(outcome->tensors[1]) == Numbers{4, 8, 12, 16});
  const ModelMeasurement &measurement = outcome->measurement;
  CHECK(measurement.edges == 3);
  CHECK(measurement.graphUs->median == 9);
  REQUIRE(measurement.steps.size() == 4);
  CHECK(measurement.steps[3].node == "Twice_z");
  CHECK(measurement.steps[3].us == 9.0);
  // That times are those of events.
  REQUIRE(measurement.notes.size() == 1);
  CHECK_THAT(measurement.notes[0], Catch::Contains("no CUPTI"));
  CHECK(driver.graphLaunches > 1);
  CHECK(driver.liveGraphs == 0);
  CHECK(driver.liveAllocations == 0);
  // The same machine code is loaded once.
  CHECK(driver.loads == 2);
}

TEST_CASE("a graph that computes something else is told", "[profiler]") {
  FakeCudaDriver driver;
  useVectors(driver);
  // As a kernel whose result depends on how often it ran.
  driver.bodies["twice"] = [count = 0](void **parameters) mutable {
    vectorOf(parameters, 1)[0] = float(++count);
  };
  const auto outcome = runModelPackage(driver, nullptr, "", smallModelPackage(), quick());
  REQUIRE(outcome);
  REQUIRE(outcome->measurement.notes.size() == 2);
  CHECK_THAT(outcome->measurement.notes[0], Catch::StartsWith("output `z` of the graph is not"));
}

TEST_CASE("times of a model's kernels come from the device's records", "[profiler]") {
  FakeCudaDriver driver;
  useVectors(driver);
  std::vector<KernelRecord> records;
  for (const auto &[name, ns] : std::vector<std::pair<std::string, uint64_t>>{
           {"add", 1000}, {"add", 2000}, {"add", 3000}, {"twice", 4000}})
    records.push_back({name, 100, 100 + ns, {1, 1, 1}, 32, 0, 0});
  RecordedCupti cupti(driver, records);
  const auto outcome = runModelPackage(driver, &cupti, "", smallModelPackage(), quick());
  REQUIRE(outcome);
  CHECK(outcome->measurement.stepSource == TimeSource::Cupti);
  CHECK(outcome->measurement.notes.empty());
  for (size_t i = 0; i < 4; ++i)
    CHECK(outcome->measurement.steps[i].us == double(i + 1));
  // When each ran in the graph, too.
  for (size_t i = 0; i < 4; ++i) {
    CHECK(outcome->measurement.steps[i].startUs == 0.0);
    CHECK(outcome->measurement.steps[i].graphUs == double(i + 1));
  }
  CHECK(driver.liveGraphs == 0);
  CHECK(modelMeasurementFromJson(modelMeasurementToJson(outcome->measurement)) ==
        outcome->measurement);
}

TEST_CASE("records of a graph are told apart by their nodes, in whichever order they began",
          "[profiler]") {
  const auto record = [](const char *name, uint64_t start, uint64_t ns, uint64_t node) {
    return KernelRecord{name, start, start + ns, {1, 1, 1}, 32, 0, 0, node};
  };
  const std::vector<KernelRecord> records{
      record("add", 5000, 1000, 12), record("add", 5500, 3000, 10), record("twice", 9000, 500, 13)};
  const auto spans = graphSpans(records, {"add", "add", "twice"});
  REQUIRE(spans);
  CHECK(*spans == std::vector<GraphSpan>{{0.5, 3}, {0, 1}, {4, 0.5}});
  CHECK_FALSE(graphSpans(records, {"add", "twice", "add"}));
  CHECK_FALSE(graphSpans(records, {"add", "add"}));
  CHECK_FALSE(graphSpans({}, {}));
}

TEST_CASE("without a record of each kernel, times come from events", "[profiler]") {
  FakeCudaDriver driver;
  useVectors(driver);
  RecordedCupti cupti(driver, {{"other", 0, 1000, {1, 1, 1}, 32, 0, 0}});
  const auto outcome = runModelPackage(driver, &cupti, "", smallModelPackage(), quick());
  REQUIRE(outcome);
  CHECK(outcome->measurement.stepSource == TimeSource::Events);
  CHECK(outcome->measurement.steps[0].us == 9.0);
  REQUIRE(outcome->measurement.notes.size() == 1);
}

TEST_CASE("where CUPTI may not record, times come from events, and a note says why", "[profiler]") {
  struct RefusingCupti : RecordedCupti {
    using RecordedCupti::RecordedCupti;
    Status enable() override { return Error{ErrorCode::Environment, "it is taken", ""}; }
  };
  FakeCudaDriver driver;
  useVectors(driver);
  RefusingCupti cupti(driver, {});
  const auto outcome = runModelPackage(driver, &cupti, "", smallModelPackage(), quick());
  REQUIRE(outcome);
  CHECK(outcome->measurement.stepSource == TimeSource::Events);
  CHECK_FALSE(outcome->measurement.steps[0].startUs);
  REQUIRE(outcome->measurement.notes.size() == 1);
  CHECK_THAT(outcome->measurement.notes[0], Catch::EndsWith("it is taken"));
}

TEST_CASE("what each step wrote is kept where that is asked for", "[profiler]") {
  FakeCudaDriver driver;
  useVectors(driver);
  ModelRunOptions options = quick();
  options.run.measure = false;
  options.results = true;
  const auto outcome = runModelPackage(driver, nullptr, "", smallModelPackage(), options);
  REQUIRE(outcome);
  REQUIRE(outcome->tensors.size() == 6);
  // Its place is another tensor's at the end.
  CHECK(outcome->tensors[2].name == "step_0_out");
  CHECK(numbers(outcome->tensors[2]) == Numbers{11, 12, 13, 14});
  CHECK(numbers(outcome->tensors[3]) == Numbers{2, 4, 6, 8});
  CHECK(driver.launches.size() == 4);
  CHECK(driver.graphLaunches == 0);
}

TEST_CASE("an empty grid of a model launches nothing", "[profiler]") {
  FakeCudaDriver driver;
  useVectors(driver);
  ModelPackage package = smallModelPackage();
  // y is not computed; what waits for it waits for what it would have waited for.
  package.steps[2].kernel.plan.grid = {0, 1, 1};
  const auto outcome = runModelPackage(driver, nullptr, "", package, quick());
  REQUIRE(outcome);
  CHECK(numbers(outcome->tensors[1]) == Numbers{4, 8, 12, 16});
  REQUIRE(driver.graph.size() == 3);
  CHECK(driver.graph[2].after == std::vector<size_t>{0, 1});
  CHECK_FALSE(outcome->measurement.steps[2].us);
}

TEST_CASE("an error of a model's run names the node", "[profiler]") {
  FakeCudaDriver driver;
  useVectors(driver);
  driver.faults[2] = {ErrorCode::InvalidInput, "ILLEGAL_ADDRESS", ""};
  auto outcome = runModelPackage(driver, nullptr, "", smallModelPackage(), quick());
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().message == "node `Add_b`: kernel `add`: ILLEGAL_ADDRESS");

  FakeCudaDriver small;
  useVectors(small);
  small.freeBytes = 1000;
  outcome = runModelPackage(small, nullptr, "", smallModelPackage(), quick());
  REQUIRE_FALSE(outcome);
  CHECK_THAT(outcome.error().message, Catch::Contains("allocating 1280 bytes for the tensors"));

  FakeCudaDriver other;
  useVectors(other);
  other.info.computeMajor = 8;
  outcome = runModelPackage(other, nullptr, "", smallModelPackage(), quick());
  REQUIRE_FALSE(outcome);
  CHECK_THAT(outcome.error().message,
             Catch::StartsWith("node `Add_a`: the package's machine code is for `cuda:90`"));
}

TEST_CASE("a measurement of a model survives JSON", "[profiler]") {
  FakeCudaDriver driver;
  useVectors(driver);
  const auto outcome = runModelPackage(driver, nullptr, "none", smallModelPackage(), quick());
  REQUIRE(outcome);
  CHECK(modelMeasurementFromJson(modelMeasurementToJson(outcome->measurement)) ==
        outcome->measurement);
}
