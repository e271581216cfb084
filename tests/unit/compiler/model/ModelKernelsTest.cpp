// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What views show of a model: its nodes, its kernels and where their results lie.
#include "tests/unit/compiler/model/ModelBuilder.h"

#include <catch2/catch.hpp>

namespace tilescope::model {

using compiler::ModelResult;

/// relu(x · w), of which each row is then a softmax.
static ModelResult classifier() {
  ModelBuilder builder;
  builder.input("x", {"32", "64"});
  builder.weight("w", {64, 16});
  builder.node("MatMul", {"x", "w"}, {"a"}).set_name("scores");
  builder.node("Relu", {"a"}, {"b"});
  builder.node("Softmax", {"b"}, {"y"}).set_name("shares");
  builder.output("y");
  return builder.compile();
}

TEST_CASE("nodes are listed with what they read and make", "[model]") {
  const ModelResult result = classifier();
  REQUIRE(result.ok);
  REQUIRE(result.nodes.size() == 3);
  CHECK(result.nodes[0] ==
        compiler::ModelNode{"scores", "MatMul", {"x", "w"}, {{"a", "float", {"32", "16"}}}});
  CHECK(result.nodes[1].name == "the Relu");
  CHECK(result.nodes[2].inputs == std::vector<std::string>{"b"});
}

TEST_CASE("a kernel says of which form it is, what it computes and whose results it reads",
          "[model]") {
  const ModelResult result = classifier();
  REQUIRE(result.kernels.size() == 2);
  const compiler::ModelKernel &product = result.kernels[0], &rows = result.kernels[1];
  CHECK(product.launch == "scores + the Relu");
  CHECK(product.form == compiler::ModelKernelForm::Product);
  // Two for each of 32 · 16 · 64 products, and one for each element of relu.
  CHECK(product.flops == 2 * 32 * 16 * 64 + 32 * 16);
  CHECK(product.bytes == 4 * (32 * 64 + 64 * 16 + 32 * 16));
  CHECK(product.sources.empty());
  CHECK(rows.form == compiler::ModelKernelForm::Softmax);
  CHECK(rows.sources == std::vector<uint32_t>{0});
  // Both are launches of the module.
  for (const compiler::ModelKernel &kernel : result.kernels) {
    CHECK(result.text.find("# name = \"" + kernel.launch + "\"") != std::string::npos);
    CHECK(result.text.find("def " + kernel.function + "(") != std::string::npos);
  }
}

TEST_CASE("results that live together have places of their own in the arena", "[model]") {
  const ModelResult result = classifier();
  REQUIRE(result.slots.size() == 2);
  const uint64_t bytes = 4 * 32 * 16;
  CHECK(result.slots[0] ==
        compiler::ModelSlot{0, {"scores + the Relu", "fp32", {"32", "16"}}, 0, bytes, 1});
  // An output lives for one step more than there are.
  CHECK(result.slots[1] ==
        compiler::ModelSlot{1, {"shares", "fp32", {"32", "16"}}, bytes, bytes, 2});
  CHECK(result.arenaBytes == 2 * bytes);
  CHECK(result.leastArenaBytes == 2 * bytes);
}

TEST_CASE("a node that cannot be read is listed, without types of what it makes", "[model]") {
  ModelBuilder builder;
  builder.input("x", {"4"});
  builder.node("Nonsense", {"x"}, {"y"});
  builder.output("y");
  const ModelResult result = builder.compile();
  CHECK_FALSE(result.ok);
  REQUIRE(result.nodes.size() == 1);
  CHECK(result.nodes[0].outputs == std::vector<compiler::ModelTensor>{{"y", "", {}}});
  CHECK(result.kernels.empty());
}

} // namespace tilescope::model
