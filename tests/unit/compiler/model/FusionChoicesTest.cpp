// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the user wants of edges, and what becomes of it.
#include "tests/unit/compiler/model/ModelBuilder.h"

#include <algorithm>
#include <catch2/catch.hpp>

namespace tilescope::model {

using compiler::FusionChoice;
using compiler::FusionWish;
using compiler::ModelEdge;
using compiler::ModelResult;

/// relu(x · w + x · v), of which each row is then a softmax. A colon is a part of a node's name.
static ModelResult compiled(const std::vector<FusionChoice> &fusions) {
  ModelBuilder builder;
  builder.input("x", {"32", "64"});
  for (const char *name : {"w", "v"})
    builder.weight(name, {64, 16});
  builder.node("MatMul", {"x", "w"}, {"a"}).set_name("left");
  builder.node("MatMul", {"x", "v"}, {"b"}).set_name("right:1");
  builder.node("Add", {"a", "b"}, {"c"}).set_name("sum");
  builder.node("Relu", {"c"}, {"d"}).set_name("positive");
  builder.node("Softmax", {"d"}, {"y"}).set_name("shares");
  builder.output("y");
  return builder.compile(fusions);
}

static ModelEdge edgeOf(const ModelResult &result, const std::string &name) {
  const auto found =
      std::ranges::find(result.edges, name, [](const ModelEdge &each) { return edgeName(each); });
  REQUIRE(found != result.edges.end());
  return *found;
}

static std::vector<std::string> kernelsOf(const ModelResult &result) {
  std::vector<std::string> kernels;
  for (const compiler::ModelKernel &kernel : result.kernels)
    kernels.push_back(kernel.launch);
  return kernels;
}

using Kernels = std::vector<std::string>;

TEST_CASE("of two products that one addition reads, the user says which one takes it", "[model]") {
  const ModelResult planned = compiled({});
  CHECK(kernelsOf(planned) == Kernels{"right:1", "left + sum + positive", "shares"});
  CHECK(edgeOf(planned, "left:sum").wish == FusionWish::None);
  const ModelResult forced = compiled({{"right:1:sum", FusionWish::Fused}});
  CHECK(forced.ok);
  CHECK(kernelsOf(forced) == Kernels{"left", "right:1 + sum + positive", "shares"});
  CHECK(edgeOf(forced, "right:1:sum").wish == FusionWish::Fused);
  CHECK(edgeOf(forced, "right:1:sum").isFused);
  CHECK(edgeOf(forced, "left:sum").reason ==
        "`left` and `right:1` each need a kernel of their own");
}

TEST_CASE("nodes that are kept apart are not brought together by others", "[model]") {
  const ModelResult apart = compiled({{"sum:positive", FusionWish::Apart}});
  CHECK(apart.ok);
  CHECK(kernelsOf(apart) == Kernels{"right:1", "left + sum", "positive + shares"});
  const ModelEdge edge = edgeOf(apart, "sum:positive");
  CHECK_FALSE(edge.isFused);
  CHECK(edge.wish == FusionWish::Apart);
  CHECK(edge.reason == "`sum` and `positive` are kept apart by choice");
  // With both products the addition is a kernel of its own.
  const ModelResult alone =
      compiled({{"left:sum", FusionWish::Apart}, {"right:1:sum", FusionWish::Apart}});
  CHECK(kernelsOf(alone).size() == 3);
  CHECK_FALSE(edgeOf(alone, "left:sum").isFused);
  CHECK_FALSE(edgeOf(alone, "right:1:sum").isFused);
}

TEST_CASE("a fusion that no kernel can do is an error that says why", "[model]") {
  const auto messageOf = [](const std::vector<FusionChoice> &fusions) {
    const ModelResult result = compiled(fusions);
    CHECK_FALSE(result.ok);
    REQUIRE(result.diagnostics.size() == 1);
    return result.diagnostics.front().message;
  };
  const std::string rows =
      messageOf({{"left:sum", FusionWish::Fused}, {"right:1:sum", FusionWish::Fused}});
  CHECK(rows ==
        "`right:1` and `sum` cannot be fused as was chosen: `left` and `right:1` each need a "
        "kernel of their own");
  CHECK(messageOf({{"sum:positive", FusionWish::Apart}, {"sum:positive", FusionWish::Fused}}) ==
        "`sum:positive` cannot both be fused and be kept apart");
  CHECK(messageOf({{"sum:shares", FusionWish::Fused}}) ==
        "no tensor goes along `sum:shares`; `tilescope model fuse` lists the edges of the model");
}

TEST_CASE("a choice about a node that the canonical form took away says what became of it",
          "[model]") {
  ModelBuilder builder;
  builder.input("x", {"4"});
  builder.node("Relu", {"x"}, {"a"}).set_name("first");
  builder.node("Relu", {"x"}, {"b"}).set_name("second");
  builder.node("Add", {"a", "b"}, {"y"}).set_name("sum");
  builder.output("y");
  const ModelResult result = builder.compile({{"second:sum", FusionWish::Apart}});
  CHECK_FALSE(result.ok);
  REQUIRE(result.diagnostics.size() == 1);
  CHECK(result.diagnostics.front().message.starts_with(
      "no tensor goes along `second:sum`: `second` went: "));
}

} // namespace tilescope::model
