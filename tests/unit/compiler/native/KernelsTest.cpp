// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Whole kernels, against references in double precision.
#include "tests/support/RandomFloats.h"
#include "tests/support/TtirKernels.h"
#include "tests/unit/compiler/native/RunNative.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

using namespace tilescope::tests;

TEST_CASE("a vector addition adds every element and no other", "[compiler][native]") {
  const int n = 5000;
  std::vector<float> x = randomFloats(n, 1), y = randomFloats(n, 2), out(n + 100, 7);
  const unsigned vectorBytes = GENERATE(16, 32, 64);
  const NativeRun run = runNative(kVectorAdd, {5, 1, 1}, {word(x), word(y), word(out), n},
                                  {.vectorBytes = vectorBytes});
  INFO(run.errors);
  REQUIRE(run.completed);
  for (int i = 0; i < n; ++i)
    REQUIRE(out[i] == x[i] + y[i]);
  for (int i = n; i < n + 100; ++i)
    REQUIRE(out[i] == 7);
}

TEST_CASE("a softmax of rows agrees with its definition", "[compiler][native]") {
  const int rows = 37, columns = 781;
  std::vector<float> in = randomFloats(rows * columns, 3), out(in.size(), NAN);
  const unsigned vectorBytes = GENERATE(16, 32, 64);
  const NativeRun run = runNative(kSoftmax, {rows, 1, 1}, {word(out), word(in), columns},
                                  {.vectorBytes = vectorBytes});
  INFO(run.errors);
  INFO(run.cpuIr);
  REQUIRE(run.completed);
  for (int row = 0; row < rows; ++row) {
    const float *x = &in[row * columns];
    double sum = 0;
    for (int i = 0; i < columns; ++i)
      sum += std::exp(double(x[i]));
    for (int i = 0; i < columns; ++i)
      REQUIRE(out[row * columns + i] == Approx(std::exp(double(x[i])) / sum).epsilon(1e-6));
  }
}
