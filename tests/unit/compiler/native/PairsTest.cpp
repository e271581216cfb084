// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Products of narrow factors, by instructions for pairs where there are some: whole numbers, whose sums are exact in
// every order.
#include "tests/unit/compiler/native/BothRuns.h"

#include <catch2/catch.hpp>

using namespace tilescope::tests;

namespace {
struct Extents {
  int m, n, k;
};
} // namespace

static std::string blockOf(const std::string &name, const std::string &pointer,
                           const std::string &type, int rows, int columns) {
  std::string text = R"(
  %NAMEr = tt.make_range {end = ROWS : i32, start = 0 : i32} : tensor<ROWSxi32>
  %NAMEc = tt.make_range {end = COLS : i32, start = 0 : i32} : tensor<COLSxi32>
  %NAMEr1 = tt.expand_dims %NAMEr {axis = 1 : i32} : tensor<ROWSxi32> -> tensor<ROWSx1xi32>
  %NAMEc1 = tt.expand_dims %NAMEc {axis = 0 : i32} : tensor<COLSxi32> -> tensor<1xCOLSxi32>
  %NAMEw = arith.constant dense<COLS> : tensor<ROWSx1xi32>
  %NAMEb = arith.muli %NAMEr1, %NAMEw : tensor<ROWSx1xi32>
  %NAMEb2 = tt.broadcast %NAMEb : tensor<ROWSx1xi32> -> tensor<ROWSxCOLSxi32>
  %NAMEc2 = tt.broadcast %NAMEc1 : tensor<1xCOLSxi32> -> tensor<ROWSxCOLSxi32>
  %NAMEo = arith.addi %NAMEb2, %NAMEc2 : tensor<ROWSxCOLSxi32>
  %NAMEs = tt.splat POINTER : !tt.ptr<TYPE> -> tensor<ROWSxCOLSx!tt.ptr<TYPE>>
  %NAMEp = tt.addptr %NAMEs, %NAMEo : tensor<ROWSxCOLSx!tt.ptr<TYPE>>, tensor<ROWSxCOLSxi32>
)";
  for (const auto &[what, with] : {std::pair<std::string, std::string>("NAME", name),
                                   {"POINTER", pointer},
                                   {"TYPE", type},
                                   {"ROWS", std::to_string(rows)},
                                   {"COLS", std::to_string(columns)}})
    for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
      text.replace(at, what.size(), with);
  return text;
}

static std::string kernelOf(const std::string &factor, const std::string &sum, Extents e) {
  const auto tensor = [](int rows, int columns, const std::string &type) {
    return "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) + "x" + type + ">";
  };
  const auto pointers = [&](int rows, int columns, const std::string &type) {
    return tensor(rows, columns, "!tt.ptr<" + type + ">");
  };
  const std::string a = tensor(e.m, e.k, factor), b = tensor(e.k, e.n, factor),
                    c = tensor(e.m, e.n, sum);
  return "tt.func public @k(%x: !tt.ptr<" + factor + ">, %y: !tt.ptr<" + factor +
         ">, %z: !tt.ptr<" + sum + ">) {" + blockOf("a", "%x", factor, e.m, e.k) +
         blockOf("b", "%y", factor, e.k, e.n) + blockOf("c", "%z", sum, e.m, e.n) +
         "  %u = tt.load %ap : " + pointers(e.m, e.k, factor) +
         "\n  %v = tt.load %bp : " + pointers(e.k, e.n, factor) +
         "\n  %w = tt.load %cp : " + pointers(e.m, e.n, sum) + "\n  %d = tt.dot %u, %v, %w : " + a +
         " * " + b + " -> " + c + "\n  tt.store %cp, %d : " + pointers(e.m, e.n, sum) +
         "\n  tt.return\n}\n";
}

/// Whole numbers from -8 to 8, or all that bytes hold.
static TestArgument wholeNumbers(const std::string &type, int count, unsigned seed) {
  if (type == "i8" || type == "i16")
    return sampleOf(type, static_cast<size_t>(count), seed);
  std::vector<uint16_t> narrow;
  std::vector<float> wide;
  for (int i = 0; i < count; ++i) {
    const auto value = static_cast<float>((i * 7 + static_cast<int>(seed) * 3) % 17 - 8);
    uint32_t bits = 0;
    std::memcpy(&bits, &value, 4);
    narrow.push_back(static_cast<uint16_t>(bits >> 16));
    wide.push_back(value);
  }
  return type == "bf16" ? memoryOf(narrow) : memoryOf(wide);
}

TEST_CASE("products of narrow factors agree", "[compiler][native]") {
  const auto [factor, sum] = GENERATE(std::pair<std::string, std::string>("i8", "i32"),
                                      std::pair<std::string, std::string>("i16", "i32"),
                                      std::pair<std::string, std::string>("bf16", "f32"));
  // Registers of tiles take 16 rows, and two by two of them are multiplied.
  for (const Extents e : {Extents{16, 64, 32},
                          {16, 16, 16},
                          {4, 32, 2},
                          {1, 16, 64},
                          {2, 4, 8},
                          {32, 16, 128},
                          {64, 128, 64}})
    for (const unsigned vectorBytes : {0U, 16U, 32U}) {
      const std::string kernel = kernelOf(factor, sum, e);
      INFO(kernel);
      INFO("vectors of " << vectorBytes << " bytes");
      const TestArgument before = sum == "i32" ? sampleOf("i32", static_cast<size_t>(e.m * e.n), 3)
                                               : wholeNumbers("f32", e.m * e.n, 3);
      const BothRuns runs =
          runBoth(kernel, {1, 1, 1},
                  {wholeNumbers(factor, e.m * e.k, 1), wholeNumbers(factor, e.k * e.n, 2), before},
                  {.vectorBytes = vectorBytes});
      REQUIRE(runs.errors == "");
      CHECK(firstDifference(runs.interpreted[2], runs.native[2], sum) == -1);
    }
}

TEST_CASE("sums of products of narrow factors are carried by loops", "[compiler][native]") {
  const auto [factor, sum] = GENERATE(std::pair<std::string, std::string>("i8", "i32"),
                                      std::pair<std::string, std::string>("bf16", "f32"));
  // They begin with zero, and are doubled in each round.
  std::string kernel = kernelOf(factor, sum, {32, 64, 32});
  const std::string type = "tensor<32x64x" + sum + ">", zero = sum == "i32" ? "0" : "0.0";
  const size_t from = kernel.find("  %w = tt.load"), to = kernel.find("  tt.store");
  const std::string add = sum == "i32" ? "arith.addi" : "arith.addf";
  kernel.replace(from, to - from,
                 "  %w = arith.constant dense<" + zero + "> : " + type +
                     "\n  %i0 = arith.constant 0 : i32\n  %i1 = arith.constant 1 : i32\n  %i3 = "
                     "arith.constant 3 : i32\n"
                     "  %d = scf.for %i = %i0 to %i3 step %i1 iter_args(%s = %w) -> (" +
                     type + ") : i32 {\n    %e = " + add + " %s, %s : " + type +
                     "\n    %t = tt.dot %u, %v, %e : tensor<32x32x" + factor + "> * tensor<32x64x" +
                     factor + "> -> " + type + "\n    %f = tt.dot %u, %v, %t : tensor<32x32x" +
                     factor + "> * tensor<32x64x" + factor + "> -> " + type +
                     "\n    scf.yield %f : " + type + "\n  }\n");
  const std::vector<TestArgument> arguments = {
      wholeNumbers(factor, 32 * 32, 1), wholeNumbers(factor, 32 * 64, 2), poisoned(32 * 64 * 4)};
  checkAgrees(kernel, {1, 1, 1}, arguments,
              {factor == "bf16" ? "bf16" : "i8", factor == "bf16" ? "bf16" : "i8", sum});
}
