// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Kernels from their source to results, against references in double precision.
#include "compiler/frontend/Frontend.h"
#include "tests/support/RandomFloats.h"
#include "tests/unit/compiler/interpreter/RunTtir.h"

#include "mlir/IR/MLIRContext.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

using namespace tilescope;
using namespace tilescope::compiler;
using namespace tilescope::tests;

using Types = std::map<std::string, std::string>;

static std::string readExample(const std::string &name) {
  std::ifstream file(std::string(TILESCOPE_EXAMPLES) + "/" + name + ".py");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Compiles a kernel and executes it; the arguments are found by name.
static Interpretation runKernel(const std::string &source, const Types &signature,
                                const Types &constexprs, std::array<int32_t, 3> grid,
                                const std::vector<InterpreterArgument> &arguments) {
  CompileRequest request;
  request.path = "kernel.py";
  request.text = source;
  request.selection.signature = signature;
  request.selection.constexprs = constexprs;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  EmittedModule emitted = emitTtir(context, request);
  for (const Diagnostic &diagnostic : emitted.diagnostics)
    UNSCOPED_INFO(diagnostic.message);
  REQUIRE(emitted.module);
  InterpreterLaunch launch{grid, {}};
  for (const KernelParameter &parameter : emitted.parameters)
    for (const InterpreterArgument &argument : arguments)
      if (argument.name == parameter.name)
        launch.arguments.push_back(argument);
  InterpreterOptions options;
  options.kernel = emitted.kernel;
  options.files = {"kernel.py"};
  Interpretation result = interpret(*emitted.module, launch, options);
  for (const InterpreterFinding &finding : result.findings)
    UNSCOPED_INFO(finding.message);
  CHECK(result.completed);
  return result;
}

static int32_t ceilDiv(int32_t a, int32_t b) { return (a + b - 1) / b; }

static InterpreterArgument number(const std::string &name, float value) {
  return scalar(name, std::bit_cast<uint32_t>(value));
}

TEST_CASE("gelu agrees with its definition", "[compiler][interpreter][kernels]") {
  const int n = 5000;
  std::vector<float> x = randomFloats(n, 1), out(n);
  Interpretation result =
      runKernel(readExample("gelu"), {{"x_ptr", "*fp32"}, {"out_ptr", "*fp32"}, {"n", "i32"}},
                {{"BLOCK", "1024"}}, {ceilDiv(n, 1024), 1, 1},
                {memory("x_ptr", x), memory("out_ptr", out), scalar("n", n)});
  CHECK(result.findings.empty());
  for (int i = 0; i < n; ++i)
    REQUIRE(out[i] == Approx(0.5 * x[i] * (1 + std::erf(x[i] / std::sqrt(2.0)))).margin(1e-6));
}

TEST_CASE("layer_norm agrees with its definition", "[compiler][interpreter][kernels]") {
  const int rows = 5, columns = 1500;
  std::vector<float> x = randomFloats(rows * columns, 1), weight = randomFloats(columns, 2),
                     bias = randomFloats(columns, 3);
  std::vector<float> out(x.size());
  runKernel(readExample("layer_norm"),
            {{"x_ptr", "*fp32"},
             {"out_ptr", "*fp32"},
             {"weight_ptr", "*fp32"},
             {"bias_ptr", "*fp32"},
             {"stride", "i32"},
             {"n_cols", "i32"},
             {"eps", "fp32"}},
            {{"BLOCK", "1024"}}, {rows, 1, 1},
            {memory("x_ptr", x), memory("out_ptr", out), memory("weight_ptr", weight),
             memory("bias_ptr", bias), scalar("stride", columns), scalar("n_cols", columns),
             number("eps", 1e-5f)});
  for (int row = 0; row < rows; ++row) {
    double mean = 0, variance = 0;
    for (int i = 0; i < columns; ++i)
      mean += x[row * columns + i] / double(columns);
    for (int i = 0; i < columns; ++i)
      variance += std::pow(x[row * columns + i] - mean, 2) / columns;
    for (int i = 0; i < columns; ++i)
      REQUIRE(
          out[row * columns + i] ==
          Approx((x[row * columns + i] - mean) / std::sqrt(variance + 1e-5) * weight[i] + bias[i])
              .margin(1e-5));
  }
}

TEST_CASE("cumsum carries between blocks", "[compiler][interpreter][kernels]") {
  const int rows = 3, columns = 2500;
  std::vector<float> x = randomFloats(rows * columns, 1), out(x.size());
  runKernel(readExample("cumsum"),
            {{"x_ptr", "*fp32"}, {"out_ptr", "*fp32"}, {"stride", "i32"}, {"n_cols", "i32"}},
            {{"BLOCK", "1024"}}, {rows, 1, 1},
            {memory("x_ptr", x), memory("out_ptr", out), scalar("stride", columns),
             scalar("n_cols", columns)});
  for (int row = 0; row < rows; ++row) {
    double sum = 0;
    for (int i = 0; i < columns; ++i) {
      sum += x[row * columns + i];
      REQUIRE(out[row * columns + i] == Approx(sum).margin(1e-4));
    }
  }
}

TEST_CASE("row_sum_atomic and transpose work on tiles", "[compiler][interpreter][kernels]") {
  const int rows = 100, columns = 300;
  std::vector<float> x = randomFloats(rows * columns, 1), sums(rows, 0), out(x.size());
  runKernel(readExample("row_sum_atomic"),
            {{"x_ptr", "*fp32"},
             {"sum_ptr", "*fp32"},
             {"n_rows", "i32"},
             {"n_cols", "i32"},
             {"stride", "i32"}},
            {{"BLOCK_M", "16"}, {"BLOCK_N", "256"}}, {ceilDiv(rows, 16), ceilDiv(columns, 256), 1},
            {memory("x_ptr", x), memory("sum_ptr", sums), scalar("n_rows", rows),
             scalar("n_cols", columns), scalar("stride", columns)});
  for (int row = 0; row < rows; ++row) {
    double sum = 0;
    for (int i = 0; i < columns; ++i)
      sum += x[row * columns + i];
    REQUIRE(sums[row] == Approx(sum).margin(1e-4));
  }
  runKernel(readExample("transpose"),
            {{"in_ptr", "*fp32"},
             {"out_ptr", "*fp32"},
             {"n_rows", "i32"},
             {"n_cols", "i32"},
             {"in_stride", "i32"},
             {"out_stride", "i32"}},
            {{"BLOCK_M", "64"}, {"BLOCK_N", "64"}}, {ceilDiv(rows, 64), ceilDiv(columns, 64), 1},
            {memory("in_ptr", x), memory("out_ptr", out), scalar("n_rows", rows),
             scalar("n_cols", columns), scalar("in_stride", columns), scalar("out_stride", rows)});
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      REQUIRE(out[column * rows + row] == x[row * columns + column]);
}

/// Philox-4x32-10 as published: the first of its four words.
static uint32_t philox(uint64_t seed, uint32_t counter) {
  uint32_t c[4] = {counter, 0, 0, 0},
           k[2] = {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)};
  for (int round = 0; round < 10; ++round) {
    uint64_t a = uint64_t(0xD2511F53) * c[0], b = uint64_t(0xCD9E8D57) * c[2];
    uint32_t next[4] = {static_cast<uint32_t>(b >> 32) ^ c[1] ^ k[0], static_cast<uint32_t>(b),
                        static_cast<uint32_t>(a >> 32) ^ c[3] ^ k[1], static_cast<uint32_t>(a)};
    std::copy(next, next + 4, c);
    k[0] += 0x9E3779B9;
    k[1] += 0xBB67AE85;
  }
  return c[0];
}

TEST_CASE("dropout keeps exactly the elements that philox chooses",
          "[compiler][interpreter][kernels]") {
  const int n = 3000;
  std::vector<float> x = randomFloats(n, 1), out(n);
  runKernel(
      readExample("dropout"),
      {{"x_ptr", "*fp32"}, {"out_ptr", "*fp32"}, {"n", "i32"}, {"p", "fp32"}, {"seed", "i32"}},
      {{"BLOCK", "1024"}}, {ceilDiv(n, 1024), 1, 1},
      {memory("x_ptr", x), memory("out_ptr", out), scalar("n", n), number("p", 0.25f),
       scalar("seed", 123)});
  for (int i = 0; i < n; ++i) {
    auto word = static_cast<int32_t>(philox(123, static_cast<uint32_t>(i)));
    float uniform = static_cast<float>(word < 0 ? -word - 1 : word) * 4.6566127342e-10f;
    INFO(i);
    REQUIRE(out[i] == (uniform > 0.25f ? x[i] / 0.75f : 0.0f));
  }
}

TEST_CASE("Arg reductions, sorting and helpers of the library work",
          "[compiler][interpreter][kernels]") {
  const char *source = R"(
import triton
import triton.language as tl

@triton.jit
def kernel(x_ptr, out_ptr, index_ptr, N: tl.constexpr):
    offsets = tl.arange(0, N)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, tl.sort(x))
    tl.store(index_ptr, tl.argmax(x, axis=0))
    tl.store(index_ptr + 1, tl.argmin(x, axis=0))
    tl.store(out_ptr + N + offsets, tl.softmax(x))
    tl.store(out_ptr + 2 * N + offsets, tl.flip(x))
)";
  const int n = 64;
  std::vector<float> x = randomFloats(n, 5), out(3 * n);
  std::vector<int32_t> index(2);
  runKernel(source, {{"x_ptr", "*fp32"}, {"out_ptr", "*fp32"}, {"index_ptr", "*i32"}},
            {{"N", "64"}}, {1, 1, 1},
            {memory("x_ptr", x), memory("out_ptr", out), memory("index_ptr", index)});
  std::vector<float> sorted = x;
  std::sort(sorted.begin(), sorted.end());
  CHECK(std::vector<float>(out.begin(), out.begin() + n) == sorted);
  CHECK(index[0] == std::max_element(x.begin(), x.end()) - x.begin());
  CHECK(index[1] == std::min_element(x.begin(), x.end()) - x.begin());
  double sum = 0;
  for (float value : x)
    sum += std::exp(double(value));
  for (int i = 0; i < n; ++i) {
    CHECK(out[n + i] == Approx(std::exp(double(x[i])) / sum).epsilon(1e-5));
    CHECK(out[2 * n + i] == x[n - 1 - i]);
  }
}

TEST_CASE("An access outside an argument names the line of the kernel",
          "[compiler][interpreter][kernels]") {
  const char *source = R"(
import triton
import triton.language as tl

@triton.jit
def kernel(x_ptr, out_ptr, N: tl.constexpr):
    offsets = tl.program_id(0) * N + tl.arange(0, N)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, x)
)";
  std::vector<float> x(100, 1), out(128);
  Interpretation result =
      runKernel(source, {{"x_ptr", "*fp32"}, {"out_ptr", "*fp32"}}, {{"N", "64"}}, {2, 1, 1},
                {memory("x_ptr", x), memory("out_ptr", out)});
  REQUIRE(result.findings.size() == 1);
  CHECK(result.findings[0].range.file == 0);
  CHECK(result.findings[0].range.begin.line == 7);
  CHECK(result.findings[0].message == "program 1 reads `x_ptr[100…127]`, past its last element 99");
}
