// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Products of narrow factors, by instructions for pairs where there are some: whole numbers, whose sums are exact in
// every order.
#include "tests/unit/compiler/native/BothRuns.h"
#include "tests/unit/compiler/native/ProductKernels.h"

#include <catch2/catch.hpp>

using namespace tilescope::tests;

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
      const std::string kernel = productKernel(factor, sum, e);
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
  std::string kernel = productKernel(factor, sum, {32, 64, 32});
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
