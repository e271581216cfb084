// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Functions of fp32 against the C library in double precision: the errors that FloatMath.h states.
#include "compiler/native/Processor.h"
#include "tests/unit/compiler/native/RunNative.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

using namespace tilescope;
using namespace tilescope::tests;

static std::string kernelOf(const std::string &function) {
  return "tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {\n"
         "  %size = arith.constant 1024 : i32\n"
         "  %pid = tt.get_program_id x : i32\n"
         "  %base = arith.muli %pid, %size : i32\n"
         "  %range = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>\n"
         "  %b = tt.splat %base : i32 -> tensor<1024xi32>\n"
         "  %o = arith.addi %b, %range : tensor<1024xi32>\n"
         "  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>\n"
         "  %xp = tt.addptr %xs, %o : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>\n"
         "  %v = tt.load %xp : tensor<1024x!tt.ptr<f32>>\n"
         "  %r = " +
         function +
         " %v : tensor<1024xf32>\n"
         "  %os = tt.splat %out : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>\n"
         "  %op = tt.addptr %os, %o : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>\n"
         "  tt.store %op, %r : tensor<1024x!tt.ptr<f32>>\n"
         "  tt.return\n}\n";
}

/// One number in `kStride` of all that fp32 has.
static std::vector<float> spreadFloats() {
  constexpr uint64_t kStride = 2053;
  std::vector<float> numbers;
  for (uint64_t bits = 0; bits < uint64_t(1) << 32; bits += kStride)
    numbers.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  numbers.insert(numbers.end(), {INFINITY, -INFINITY, 0.0F, -0.0F, 1.0F, -1.0F});
  while (numbers.size() % 1024)
    numbers.push_back(0.5F);
  return numbers;
}

/// The error of a result in units of the last place of the exact one.
static double errorInUlps(float result, double exact) {
  const auto rounded = static_cast<float>(exact);
  if (std::isnan(exact) || std::isinf(rounded) || std::isinf(result))
    return (std::isnan(exact) && std::isnan(result)) || rounded == result ? 0 : INFINITY;
  const double magnitude = std::max(std::fabs(exact), 0x1p-126);
  const double unit = std::exp2(std::floor(std::log2(magnitude)) - 23);
  return std::fabs(result - exact) / unit;
}

using Function = double (*)(double);

static void checkErrors(const std::string &name, Function exact, double mostUlps,
                        unsigned vectorBytes = 0) {
  std::vector<float> x = spreadFloats(), out(x.size(), NAN);
  const NativeRun run = runNative(kernelOf(name), {static_cast<int32_t>(x.size() / 1024), 1, 1},
                                  {word(x), word(out)}, {.vectorBytes = vectorBytes});
  INFO(run.errors);
  REQUIRE(run.completed);
  double most = 0;
  float worst = 0;
  for (size_t i = 0; i < x.size(); ++i)
    if (const double error = errorInUlps(out[i], exact(x[i])); !(error <= most)) {
      most = error;
      worst = x[i];
    }
  INFO(name << " of " << worst << " is off by " << most);
  CHECK(most <= mostUlps);
  // A bound that is far from what is found says nothing.
  CHECK(most >= mostUlps / 2);
}

TEST_CASE("functions of fp32 are as exact as stated", "[compiler][native]") {
  const bool hasAvx512 = native::hostProcessor().hasAvx512;
  // As wide as the processor's, and of a processor without AVX-512.
  for (const unsigned vectorBytes : {0U, 32U}) {
    INFO("vectors of " << vectorBytes);
    checkErrors("math.exp", std::exp, 1.1, vectorBytes);
    checkErrors("math.exp2", std::exp2, 1.1, vectorBytes);
    checkErrors("math.log", std::log, 1.0, vectorBytes);
    checkErrors("math.log2", std::log2, 1.6, vectorBytes);
    checkErrors("math.tanh", std::tanh, 1.7, vectorBytes);
    checkErrors("math.erf", std::erf, hasAvx512 && vectorBytes == 0 ? 2.2 : 1.2, vectorBytes);
  }
}

TEST_CASE("functions that the C library computes are right", "[compiler][native]") {
  checkErrors("math.sin", std::sin, 1);
  checkErrors("math.rsqrt", [](double x) { return 1 / std::sqrt(x); }, 1.5);
}
