// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/formats/ProtonTree.h"

#include "tests/unit/profiler/formats/Samples.h"

#include <nlohmann/json.hpp>

using namespace tilescope;
using namespace tilescope::profiler;
using namespace tilescope::profiler::test;
using Catch::Matchers::Contains;
using nlohmann::json;

static json node(const std::string &name, const json &metrics, const json &children) {
  return {{"frame", {{"name", name}, {"type", "function"}}},
          {"metrics", metrics},
          {"children", children}};
}

static json kernel(const std::string &name, double ns, int count) {
  return node(name,
              {{"count", count}, {"time (ns)", ns}, {"device_id", "0"}, {"device_type", "CUDA"}},
              json::array());
}

/// Two kernels in a scope, one outside.
static json sampleTree() {
  return {node("ROOT", {{"count", 0}, {"time (ns)", 0}},
               {node("step", json::object(), {kernel("copy", 2468, 2), kernel("add", 1000, 1)}),
                kernel("last", 5000, 5)}),
          {{"CUDA",
            {{"0",
              {{"arch", "90"},
               {"num_sms", 132},
               {"clock_rate", 1980000},
               {"memory_clock_rate", 2619000},
               {"bus_width", 5120}}}}}}};
}

static std::string errorOf(const json &document) {
  const auto measurements = readProtonTree(document);
  return measurements ? "" : measurements.error().message;
}

TEST_CASE("a tree of Proton is a measurement of each kernel in each scope", "[profiler]") {
  REQUIRE(isProtonTree(sampleTree()));
  const auto measurements = readProtonTree(sampleTree());
  REQUIRE(measurements);
  REQUIRE(measurements->size() == 3);
  const Measurement &copy = measurements->at(0);
  CHECK(copy.kernel == "copy");
  CHECK(copy.launches == 2);
  CHECK(copy.timeUs->median == Approx(1.234));
  CHECK(copy.timeUs->n == 1);
  CHECK(copy.device.name == "CUDA 0");
  CHECK(copy.device.computeMajor == 9);
  CHECK(copy.device.numSms == 132);
  CHECK_THAT(copy.notes.at(1), Contains("the mean of 2 launches"));
  CHECK_THAT(copy.notes.at(2), Contains("in the scope step"));
  CHECK(measurements->at(1).kernel == "add");
  CHECK(measurements->at(1).notes.size() == 2);
  CHECK(measurements->at(2).kernel == "last");
  CHECK(measurements->at(2).timeUs->median == Approx(1));
}

TEST_CASE("times of Proton's trees have a unit in their name", "[profiler]") {
  const json tree = {node("k", {{"count", 1}, {"time (ms)", 2}}, json::array())};
  CHECK(readProtonTree(tree)->at(0).timeUs->median == Approx(2000));
  CHECK(readProtonTree(tree)->at(0).device.name == "a device that Proton does not name");
}

TEST_CASE("what is wrong with a tree of Proton is said with its place", "[profiler]") {
  json tree = sampleTree();
  tree[0]["children"][0]["children"][1]["metrics"]["count"] = 1e300;
  CHECK_THAT(errorOf(tree), Contains("at [0].children[0].children[1] of Proton's tree: "));
  tree = sampleTree();
  tree[0]["children"][1]["children"] = 5;
  CHECK_THAT(errorOf(tree), Contains("at [0].children[1]") && Contains("`children` is not a list"));
  tree = sampleTree();
  tree[0]["children"][1].erase("frame");
  CHECK_THAT(errorOf(tree), Contains("at [0].children[1]"));
  CHECK_THAT(errorOf(json::array({node("ROOT", json::object(), json::array())})),
             Contains("no kernel with a time"));
  CHECK_FALSE(isProtonTree(json::object()));
  CHECK_FALSE(isProtonTree(json::array()));
  CHECK_FALSE(isProtonTree({1, 2}));
}

TEST_CASE("scopes of a deep tree are named from the nearest ones on", "[profiler]") {
  json tree = kernel("copy", 1000, 1);
  for (int i = 0; i < 500; ++i)
    tree = node("scope" + std::to_string(i), json::object(), json::array({tree}));
  const auto measurements = readProtonTree(json::array({tree}));
  REQUIRE(measurements);
  CHECK_THAT(measurements->at(0).notes.at(1),
             Contains("in the scope … / scope7 / ") && Catch::EndsWith("scope1 / scope0"));
}

TEST_CASE("kernels that never ran are left out of a tree", "[profiler]") {
  json tree = sampleTree();
  tree[0]["children"][1]["metrics"]["count"] = 0;
  CHECK(readProtonTree(tree)->size() == 2);
  tree[0]["children"][0]["children"][0]["metrics"]["count"] = -3;
  CHECK(readProtonTree(tree)->size() == 1);
}

TEST_CASE("measured times are written as Proton sums them up", "[profiler]") {
  Measurement add = recorded("vector_add");
  const Measurement product = recorded("matmul");
  add.timeUs->samples = {180.5, 181, 182.25};
  const json tree = json::parse(protonTree(reportOf({add, product})));
  REQUIRE(isProtonTree(tree));
  CHECK(tree[0]["frame"]["name"] == "ROOT");
  const json &metrics = tree[0]["children"][0]["metrics"];
  CHECK(metrics["count"] == 3);
  CHECK(metrics["time (ns)"] == 543750);
  CHECK(metrics["device_type"] == "CUDA");
  CHECK(tree[1]["CUDA"]["0"]["arch"] == "90");
  CHECK(tree[1]["CUDA"]["0"]["num_sms"] == 132);
  const auto read = readProtonTree(tree);
  REQUIRE(read);
  CHECK(read->at(1).kernel == product.kernel);
  CHECK(read->at(1).timeUs->median == Approx(product.timeUs->median).epsilon(0.05));
}

TEST_CASE("times of the interpreter are not a GPU's", "[profiler]") {
  Measurement measurement = recorded("vector_add");
  measurement.timeSource = TimeSource::Interpreter;
  CHECK(json::parse(protonTree(reportOf({measurement})))[0]["children"].empty());
}
