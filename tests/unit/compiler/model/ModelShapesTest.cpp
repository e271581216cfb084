// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/unit/compiler/model/ModelBuilder.h"

#include <catch2/catch.hpp>
#include <limits>

using namespace tilescope::model;
using Extents = std::vector<std::string>;
using Numbers = std::vector<int64_t>;

namespace {
/// One node of one kind, with whole numbers as its other operands.
struct OneNode : ModelBuilder {
  OneNode(const std::string &kind, const Extents &extents, const std::vector<Numbers> &others = {},
          int64_t version = 17)
      : ModelBuilder(version) {
    input("x", extents);
    output("y");
    std::vector<std::string> inputs{"x"};
    for (const Numbers &each : others) {
      inputs.push_back("n" + std::to_string(inputs.size()));
      numbers(inputs.back(), each);
    }
    onnx = &node(kind, inputs, {"y"});
  }
  template <typename Value> OneNode &with(const std::string &attribute, const Value &value) {
    set(*onnx, attribute, value);
    return *this;
  }
  onnx::NodeProto *onnx;
};
} // namespace

TEST_CASE("reshapes keep, compute and check extents", "[compiler]") {
  CHECK(OneNode("Reshape", {"N", "6", "T"}, {{0, -1, 2}}).outcome() == "[N, T * 3, 2]");
  CHECK(OneNode("Reshape", {"N", "6", "T"}, {{-1}}).outcome() == "[N * T * 6]");
  CHECK(OneNode("Reshape", {"2", "6"}, {{3, 4}}).outcome() == "[3, 4]");
  CHECK(OneNode("Reshape", {"2", "6"}, {{5, -1}}).outcome() ==
        "the elements of [2, 6] do not fill [5, -1]");
  CHECK(OneNode("Reshape", {"2", "6"}, {{0, 0, 0}}).outcome() == "it keeps extent 2 of [2, 6]");
  CHECK(OneNode("Flatten", {"N", "3", "T"}).outcome() == "[N, T * 3]");
  CHECK(OneNode("Unsqueeze", {"N"}, {{0, -1}}).outcome() == "[1, N, 1]");
  CHECK(OneNode("Squeeze", {"1", "N", "1"}, {{0}}).outcome() == "[N, 1]");
  CHECK(OneNode("Squeeze", {"2", "N"}, {{0}}).outcome() ==
        "it removes axis 0 of [2, N], which is not 1");
}

TEST_CASE("slices count from both ends", "[compiler]") {
  const auto slice = [](const Extents &extents, int64_t begin, int64_t end, int64_t step) {
    return OneNode("Slice", extents, {{begin}, {end}, {0}, {step}}).outcome();
  };
  CHECK(slice({"10"}, 2, 8, 2) == "[3]");
  CHECK(slice({"10"}, -3, INT64_MAX, 1) == "[3]");
  CHECK(slice({"10"}, 20, 30, 1) == "[0]");
  CHECK(slice({"10"}, -1, INT64_MIN, -1) == "[10]");
  CHECK(slice({"10"}, 8, 2, -3) == "[2]");
  CHECK(slice({"N"}, 1, INT64_MAX, 1) == "[N - 1]");
  CHECK(slice({"N"}, 0, -1, 1) == "[N - 1]");
  CHECK(slice({"N"}, 0, INT64_MAX, 2) == "[N ceildiv 2]");
  CHECK(slice({"10"}, 0, 8, 0) == "its bounds, axes and steps do not go together");
}

TEST_CASE("windows make extents", "[compiler]") {
  const auto pool = [](const Extents &extents, const std::string &padding = "NOTSET",
                       int64_t ceilMode = 0) {
    OneNode model("MaxPool", extents);
    model.with("kernel_shape", Numbers{3, 3}).with("strides", Numbers{2, 2});
    return model.with("auto_pad", padding).with("ceil_mode", ceilMode).outcome();
  };
  CHECK(pool({"N", "8", "H", "17"}) == "[N, 8, (H - 3) floordiv 2 + 1, 8]");
  CHECK(pool({"N", "8", "H", "18"}, "NOTSET", 1) == "[N, 8, (H - 3) ceildiv 2 + 1, 9]");
  CHECK(pool({"N", "8", "H", "17"}, "SAME_UPPER") == "[N, 8, H ceildiv 2, 9]");
  CHECK(pool({"N", "8", "2", "17"}) == "its windows do not fit into [N, 8, 2, 17]");
  // A window that would begin behind the input is left out.
  OneNode small("MaxPool", {"1", "1", "2", "2"});
  small.with("kernel_shape", Numbers{1, 1}).with("strides", Numbers{2, 2});
  CHECK(small.with("ceil_mode", int64_t{1}).outcome() == "[1, 1, 1, 1]");
}

TEST_CASE("products of matrices check and repeat extents", "[compiler]") {
  const auto product = [](const Extents &left, const Extents &right) {
    ModelBuilder model;
    model.input("a", left);
    model.input("b", right);
    model.output("y");
    model.node("MatMul", {"a", "b"}, {"y"});
    return model.outcome();
  };
  CHECK(product({"N", "8"}, {"8", "M"}) == "[N, M]");
  CHECK(product({"B", "1", "N", "8"}, {"H", "8", "M"}) == "[B, H, N, M]");
  CHECK(product({"8"}, {"8"}) == "[]");
  CHECK(product({"B", "N", "8"}, {"8"}) == "[B, N]");
  CHECK(product({"N", "8"}, {"7", "M"}) == "matrices of [N, 8] and [7, M] cannot be multiplied");
}

TEST_CASE("an equation names extents by letters", "[compiler]") {
  const auto einsum = [](const std::string &equation) {
    ModelBuilder model;
    model.input("a", {"B", "N", "K"});
    model.input("b", {"B", "K", "M"});
    model.output("y");
    ModelBuilder::set(model.node("Einsum", {"a", "b"}, {"y"}), "equation", equation);
    return model.outcome();
  };
  CHECK(einsum("bij, bjk -> bik") == "[B, N, M]");
  CHECK(einsum("...ij,...jk->...ki") == "[B, M, N]");
  CHECK(einsum("bij,bjk") == "[N, M]");
  CHECK(einsum("bij,bjkl->b") == "the equation `bij,bjkl->b` does not go with its inputs");
  CHECK(einsum("bij,bjk->z") == "the equation `bij,bjk->z` does not go with its inputs");
}

TEST_CASE("scales beyond every tensor make no extent", "[compiler]") {
  const auto resize = [](const char *extent, float scale) {
    ModelBuilder model;
    model.input("x", {extent});
    model.output("y");
    const std::string bytes(reinterpret_cast<const char *>(&scale), sizeof scale);
    model.weight("scales", {1}).set_raw_data(bytes);
    model.node("Resize", {"x", "", "scales"}, {"y"});
    return model.outcome();
  };
  const std::string unknown = "its result would have the extents [?]";
  CHECK(resize("N", 0.25f) == "[N floordiv 4]");
  CHECK(resize("N", 3) == "[N * 3]");
  CHECK(resize("5", 0.5f) == "[2]");
  CHECK(resize("N", 1e-37f) == "[y.0]");
  CHECK(resize("N", 1e37f) == "[y.0]");
  CHECK(resize("N", std::numeric_limits<float>::infinity()) == "[y.0]");
  CHECK(resize("5", 1e37f) == unknown);
}

TEST_CASE("an aspect ratio that makes too much of an axis makes no extent", "[compiler]") {
  ModelBuilder model(18);
  model.input("x", {"1", "4096"});
  model.output("y");
  model.numbers("sizes", {int64_t(1) << 60, 4096});
  model.set(model.node("Resize", {"x", "", "", "sizes"}, {"y"}), "keep_aspect_ratio_policy",
            "not_smaller");
  CHECK(model.outcome() == "its result would have the extents [?, ?]");
}

TEST_CASE("a number in place of a symbolic extent reaches all extents", "[compiler]") {
  OneNode model("Reshape", {"N", "6", "T"}, {{0, -1, 2}});
  const auto result = model.check({{"N", 4}, {"T", 10}});
  REQUIRE(result.ok);
  CHECK(result.outputs[0].extents == Extents{"4", "30", "2"});
  CHECK(result.symbols == Extents{"N", "T"});
}

TEST_CASE("the branch of a known condition is read in place", "[compiler]") {
  ModelBuilder model;
  model.input("x", {"N", "4"});
  model.output("y");
  model.numbers("one", {1});
  model.node("Shape", {"x"}, {"s"});
  model.node("Size", {"s"}, {"rank"});
  model.numbers("two", {2});
  model.node("Equal", {"rank", "two"}, {"isTwo"});
  onnx::NodeProto &node = model.node("If", {"isTwo"}, {"y"});
  for (const char *name : {"then_branch", "else_branch"}) {
    onnx::AttributeProto &attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::GRAPH);
    onnx::NodeProto &inner = *attribute.mutable_g()->add_node();
    inner.set_op_type(name[0] == 't' ? "Transpose" : "NoSuchOperator");
    inner.add_input("x");
    inner.add_output("inner");
    attribute.mutable_g()->add_output()->set_name("inner");
  }
  CHECK(model.outcome() == "[4, N]");
}
