// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/unit/compiler/model/ModelBuilder.h"

#include <catch2/catch.hpp>

using namespace tilescope::model;

TEST_CASE("files that are no models are refused", "[compiler]") {
  CHECK(checkBytes("").diagnostics.front().message == "the file is empty");
  for (const char *bytes : {"PK\3\4 a zip", "import torch\n", "\x08\x08"}) {
    const auto result = checkBytes(bytes);
    CHECK_FALSE(result.ok);
    CHECK(result.diagnostics.size() == 1);
  }
}

TEST_CASE("nodes that form a cycle are named", "[compiler]") {
  ModelBuilder model;
  model.input("x", {"4"});
  model.output("b");
  model.node("Add", {"x", "b"}, {"a"}).set_name("first");
  model.node("Relu", {"a"}, {"b"}).set_name("second");
  const auto result = model.check();
  REQUIRE(result.diagnostics.size() == 1);
  CHECK(result.diagnostics[0].node == "first");
  CHECK(result.diagnostics[0].operatorName == "Add");
  CHECK(result.diagnostics[0].message == "it uses `b` of node `second`, which does not come before "
                                         "it: the nodes form a cycle or are out of order");
}

TEST_CASE("an operator that is not supported is named, and what uses it is not", "[compiler]") {
  ModelBuilder model;
  model.input("x", {"4"});
  model.output("c");
  model.node("Loop", {"x"}, {"a"});
  model.node("Relu", {"a"}, {"b"});
  model.node("Frobnicate", {"b"}, {"c"}).set_domain("com.example");
  const auto result = model.check();
  REQUIRE(result.diagnostics.size() == 2);
  CHECK(result.diagnostics[0].message == "the operator `Loop` is not supported");
  CHECK(result.diagnostics[1].message ==
        "the operator `Frobnicate` of `com.example` is not supported");
  CHECK(result.numNodes == 3);
}

TEST_CASE("huge extents end in an error", "[compiler]") {
  const auto outcome = [](const std::vector<std::string> &extents, const std::string &kind) {
    ModelBuilder model;
    model.input("x", extents);
    model.output("y");
    model.node(kind, {"x"}, {"y"});
    return model.outcome();
  };
  CHECK(outcome({"9223372036854775807"}, "Relu") ==
        "input `x` has extents that no tensor can have");
  CHECK(outcome({"1099511627776", "1099511627776"}, "Relu") ==
        "input `x` has extents that no tensor can have");

  ModelBuilder expanded;
  expanded.input("x", {"1"});
  expanded.output("y");
  expanded.numbers("to", {int64_t{1} << 40, int64_t{1} << 40});
  expanded.node("Expand", {"x", "to"}, {"y"});
  CHECK(expanded.outcome() == "its result would have the extents [1099511627776, 1099511627776]");

  ModelBuilder convolved;
  convolved.input("x", {"1", "1", "4", "4"});
  convolved.output("y");
  convolved.weight("w", {1, 1, 3, 3});
  onnx::NodeProto &node = convolved.node("Conv", {"x", "w"}, {"y"});
  ModelBuilder::set(node, "dilations", std::vector<int64_t>{int64_t{1} << 62, 1});
  CHECK(convolved.outcome() == "it has 4611686018427387904 among its dilations");
}

TEST_CASE("attributes of another type and wrong numbers of operands are refused", "[compiler]") {
  ModelBuilder model;
  model.input("x", {"N", "4"});
  model.output("y");
  ModelBuilder::set(model.node("Softmax", {"x"}, {"y"}), "axis", std::string("last"));
  CHECK(model.outcome() == "its attribute `axis` has another type");

  ModelBuilder second;
  second.input("x", {"N", "4"});
  second.output("y");
  second.node("Add", {"x"}, {"y"});
  CHECK(second.outcome() == "its input 2 is missing");

  ModelBuilder third;
  third.input("x", {"N", "4"});
  third.output("y");
  ModelBuilder::set(third.node("Softmax", {"x"}, {"y"}), "axis", int64_t{7});
  CHECK(third.outcome() == "axis 7 is not one of 2");

  ModelBuilder twice;
  twice.input("x", {"N", "4"});
  twice.output("y");
  twice.node("Relu", {"x"}, {"y"});
  twice.node("Abs", {"x"}, {"y"});
  CHECK(twice.outcome() == "its output `y` has the name of another value");
}

TEST_CASE("a weight whose elements do not fill its extents is refused", "[compiler]") {
  ModelBuilder model;
  model.input("x", {"4"});
  model.output("y");
  model.weight("w", {4}).set_raw_data("123");
  model.node("Add", {"x", "w"}, {"y"});
  CHECK(model.outcome() == "tensor `w` has 3 bytes, its type and extents take 16");

  ModelBuilder fields;
  fields.input("x", {"4"});
  fields.output("y");
  onnx::TensorProto &tensor = fields.weight("w", {});
  tensor.clear_raw_data();
  tensor.add_dims(1 << 30);
  tensor.add_dims(1 << 20);
  tensor.add_float_data(1);
  fields.node("Add", {"x", "w"}, {"y"});
  CHECK(fields.outcome() == "tensor `w` has 1 elements, its extents 1125899906842624");
}

TEST_CASE("versions of the operators before 6 are refused, and newer ones are read with a warning",
          "[compiler]") {
  for (const int64_t version : {1, 5, 6, 24, 25, 1000}) {
    ModelBuilder model(version);
    model.input("x", {"4"});
    model.output("y");
    model.node("Relu", {"x"}, {"y"});
    const auto result = model.check();
    CHECK(result.ok == (version >= 6));
    CHECK(result.diagnostics.size() == (version >= 6 && version <= 24 ? 0u : 1u));
  }
}
