// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Products by the tile registers of AMX, on machines that have them: that they are used, that they hold what they should
// whatever happens around them, and that sums are those of double precision.
#include "compiler/native/Processor.h"
#include "tests/support/Sanitized.h"
#include "tests/unit/compiler/native/BothRuns.h"
#include "tests/unit/compiler/native/ProductKernels.h"
#include "tests/unit/compiler/native/RunNative.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <csignal>
#include <pthread.h>
#include <random>
#include <thread>

using namespace tilescope;
using namespace tilescope::tests;

static bool hasTiles() {
  const native::Processor processor = native::hostProcessor();
  if (processor.tilesBf16 && processor.tilesIntegers)
    return true;
  WARN("skipped: this processor has no AMX, or the system does not let the process use it");
  return false;
}

static std::string replaced(std::string text, const std::string &what, const std::string &with) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

namespace {
/// Products of factors of a type, one after another in a loop of each program.
struct Products {
  std::string factor, sum;
  Extents extents;
  bool isLeftTransposed = false, isRightTransposed = false;

  static constexpr int kRounds = 3, kPrograms = 24;
};
} // namespace

/// Loads the factor `name`, of [rows, columns], in a loop; in memory its columns may lie one after another.
static std::string loaded(const std::string &name, const std::string &type, int rows, int columns,
                          bool isTransposed) {
  const auto tensor = [&](int height, int width, const std::string &of) {
    return "tensor<" + std::to_string(height) + "x" + std::to_string(width) + "x" + of + ">";
  };
  const std::string pointer = "!tt.ptr<" + type + ">",
                    text =
                        R"(
    %NAMEstep = arith.constant SIZE : i32
    %NAMEat = arith.muli %i, %NAMEstep : i32
    %NAMEhere = tt.addptr %NAMEmine, %NAMEat : POINTER, i32
)" +
                        blockOf(name, "%NAMEhere", type, isTransposed ? columns : rows,
                                isTransposed ? rows : columns) +
                        (isTransposed
                             ? "    %NAMEt = tt.load %NAMEp : " + tensor(columns, rows, pointer) +
                                   "\n    %NAME = tt.trans %NAMEt {order = array<i32: 1, 0>} : " +
                                   tensor(columns, rows, type) + " -> " +
                                   tensor(rows, columns, type) + "\n"
                             : "    %NAME = tt.load %NAMEp : " + tensor(rows, columns, pointer) +
                                   "\n");
  return replaced(replaced(replaced(text, "NAME", name), "SIZE", std::to_string(rows * columns)),
                  "POINTER", pointer);
}

static std::string kernelOf(const Products &p) {
  const Extents &e = p.extents;
  const auto tensor = [](int rows, int columns, const std::string &of) {
    return "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) + "x" + of + ">";
  };
  const auto mine = [&](const std::string &name, const std::string &pointer,
                        const std::string &type, int size) {
    const std::string n = std::to_string(size);
    return "  %" + name + "size = arith.constant " + n + " : i32\n  %" + name +
           "first = arith.muli %pid, %" + name + "size : i32\n  %" + name + "mine = tt.addptr " +
           pointer + ", %" + name + "first : !tt.ptr<" + type + ">, i32\n";
  };
  const std::string sums = tensor(e.m, e.n, p.sum);
  return "tt.func public @k(%x: !tt.ptr<" + p.factor + ">, %y: !tt.ptr<" + p.factor +
         ">, %z: !tt.ptr<" + p.sum + ">) {\n  %pid = tt.get_program_id x : i32\n" +
         mine("a", "%x", p.factor, Products::kRounds * e.m * e.k) +
         mine("b", "%y", p.factor, Products::kRounds * e.k * e.n) +
         mine("c", "%z", p.sum, e.m * e.n) + blockOf("c", "%cmine", p.sum, e.m, e.n) +
         "  %w = tt.load %cp : " + tensor(e.m, e.n, "!tt.ptr<" + p.sum + ">") +
         "\n  %zero = arith.constant 0 : i32\n  %one = arith.constant 1 : i32\n  %rounds = "
         "arith.constant " +
         std::to_string(Products::kRounds) +
         " : i32\n  %d = scf.for %i = %zero to %rounds step %one iter_args(%s = %w) -> (" + sums +
         ") : i32 {" + loaded("a", p.factor, e.m, e.k, p.isLeftTransposed) +
         loaded("b", p.factor, e.k, e.n, p.isRightTransposed) +
         "    %t = tt.dot %a, %b, %s : " + tensor(e.m, e.k, p.factor) + " * " +
         tensor(e.k, e.n, p.factor) + " -> " + sums + "\n    scf.yield %t : " + sums +
         "\n  }\n  tt.store %cp, %d : " + tensor(e.m, e.n, "!tt.ptr<" + p.sum + ">") +
         "\n  tt.return\n}\n";
}

namespace {
/// Numbers in memory, and as they are.
struct Numbers {
  std::vector<uint8_t> memory;
  std::vector<double> values;
};
} // namespace

static Numbers numbersOf(const std::string &type, size_t count, unsigned seed) {
  std::mt19937 random(seed);
  Numbers numbers;
  const size_t size = bytesOf(type);
  numbers.memory.resize(count * size);
  for (size_t i = 0; i < count; ++i) {
    uint32_t bits = random();
    if (type[0] == 'i') {
      numbers.values.push_back(type == "i8" ? static_cast<double>(static_cast<int8_t>(bits))
                                            : static_cast<double>(static_cast<int32_t>(bits)));
    } else {
      auto value = static_cast<float>(std::normal_distribution<double>()(random));
      std::memcpy(&bits, &value, sizeof value);
      bits &= type == "bf16" ? 0xffff0000 : ~0U;
      std::memcpy(&value, &bits, sizeof value);
      numbers.values.push_back(value);
      bits >>= type == "bf16" ? 16 : 0;
    }
    std::memcpy(&numbers.memory[i * size], &bits, size);
  }
  return numbers;
}

/// What the kernel makes of the sums.
static std::vector<double> expectedSums(const Products &p, const Numbers &x, const Numbers &y,
                                        std::vector<double> sums) {
  const Extents &e = p.extents;
  const auto at = [](int base, int row, int column, int rows, int columns, bool isTransposed) {
    return static_cast<size_t>(base * rows * columns +
                               (isTransposed ? column * rows + row : row * columns + column));
  };
  for (int factor = 0; factor < Products::kPrograms * Products::kRounds; ++factor)
    for (int i = 0; i < e.m; ++i)
      for (int j = 0; j < e.n; ++j) {
        double &sum = sums[at(factor / Products::kRounds, i, j, e.m, e.n, false)];
        for (int k = 0; k < e.k; ++k)
          sum += x.values[at(factor, i, k, e.m, e.k, p.isLeftTransposed)] *
                 y.values[at(factor, k, j, e.k, e.n, p.isRightTransposed)];
      }
  return sums;
}

/// Of the difference from what is expected; whole numbers wrap.
static double relativeError(const std::string &type, const std::vector<uint8_t> &memory,
                            const std::vector<double> &expected) {
  double difference = 0, norm = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    double found = 0, wanted = expected[i];
    if (type == "i32") {
      int32_t number = 0;
      std::memcpy(&number, &memory[i * 4], 4);
      found = number;
      wanted = static_cast<int32_t>(static_cast<uint32_t>(static_cast<int64_t>(wanted)));
    } else {
      float number = 0;
      std::memcpy(&number, &memory[i * 4], 4);
      found = number;
    }
    difference += (found - wanted) * (found - wanted);
    norm += wanted * wanted;
  }
  return std::sqrt(difference / norm);
}

static void checkProducts(const Products &p) {
  const Extents &e = p.extents;
  const std::string kernel = kernelOf(p);
  INFO(kernel);
  const auto numbers = [&](const std::string &type, int rows, int columns, int rounds,
                           unsigned seed) {
    return numbersOf(type, static_cast<size_t>(Products::kPrograms * rounds * rows * columns),
                     seed);
  };
  Numbers x = numbers(p.factor, e.m, e.k, Products::kRounds, 1),
          y = numbers(p.factor, e.k, e.n, Products::kRounds, 2), z = numbers(p.sum, e.m, e.n, 1, 3);
  const std::vector<double> expected = expectedSums(p, x, y, z.values);
  for (const bool isChecked : {false, true}) {
    std::vector<uint8_t> sums = z.memory;
    std::vector<uint64_t> words{word(x.memory), word(y.memory), word(sums)};
    if (isChecked)
      words.insert(words.end(), {x.memory.size(), y.memory.size(), sums.size()});
    const NativeRun run = runNative(kernel, {Products::kPrograms, 1, 1}, words,
                                    {.checkBounds = isChecked}, {.numThreads = 2});
    INFO(run.errors);
    REQUIRE(run.completed);
    CHECK(run.assembly.find(p.factor == "i8" ? "tdpbssd" : "tdpbf16ps") != std::string::npos);
    CHECK(relativeError(p.sum, sums, expected) <= (p.sum == "i32" ? 0 : 3e-7));
  }
}

TEST_CASE("products by tiles are those of double precision", "[compiler][native]") {
  if (!hasTiles())
    return;
  for (const auto &[factor, sum] :
       {std::pair<std::string, std::string>("bf16", "f32"), {"i8", "i32"}})
    for (const Extents e : {Extents{16, 16, 16},
                            {16, 32, 4},
                            {32, 16, 64},
                            {64, 32, 128},
                            {16, 128, 32},
                            {128, 64, 16}})
      for (const auto &[left, right] : {std::pair(false, false), {true, false}, {false, true}})
        checkProducts({factor, sum, e, left, right});
}

TEST_CASE("products by tiles count denormal numbers as zero, and keep NaN and infinity",
          "[compiler][native]") {
  if (!hasTiles())
    return;
  constexpr uint16_t kOne = 0x3f80, kDenormal = 0x0040, kInfinity = 0x7f80, kNan = 0x7fc0;
  std::vector<uint16_t> x(16 * 16), y(16 * 16, kOne);
  x[0 * 16] = kDenormal;
  x[1 * 16] = kInfinity;
  x[2 * 16 + 3] = kNan;
  x[3 * 16] = kOne;
  // So that only the factor is a denormal number, not the product.
  y[0] = 0x7e00;
  std::vector<float> z(16 * 16);
  const NativeRun run =
      runNative(productKernel("bf16", "f32", {16, 16, 16}), {1, 1, 1}, {word(x), word(y), word(z)});
  REQUIRE(run.completed);
  REQUIRE(run.assembly.find("tdpbf16ps") != std::string::npos);
  CHECK(z[0] == 0);
  CHECK(std::isinf(z[16]));
  CHECK(std::isnan(z[32]));
  CHECK(z[48] == 0x1p125F);
  CHECK(z[49] == 1);
}

/// Multiplies until memory says that it shall end.
static const std::string kEndless = [] {
  std::string kernel = productKernel("bf16", "f32", {32, 32, 32});
  const size_t from = kernel.find("  %d = tt.dot"), to = kernel.find("  tt.store");
  kernel.replace(from, to - from, R"(
  %never = arith.constant 0.5 : f32
  %d = scf.while (%s = %w) : (tensor<32x32xf32>) -> tensor<32x32xf32> {
    %t = tt.dot %u, %v, %s : tensor<32x32xbf16> * tensor<32x32xbf16> -> tensor<32x32xf32>
    %e = tt.load %end {isVolatile = true} : !tt.ptr<f32>
    %goesOn = arith.cmpf olt, %e, %never : f32
    scf.condition(%goesOn) %t : tensor<32x32xf32>
  } do {
  ^bb0(%s: tensor<32x32xf32>):
    scf.yield %s : tensor<32x32xf32>
  }
)");
  return replaced(kernel, "%z: !tt.ptr<f32>)", "%z: !tt.ptr<f32>, %end: !tt.ptr<f32>)");
}();

TEST_CASE("a program that is ended between its tiles leaves nothing to the next one",
          "[compiler][native]") {
  if (tests::kDefersSignals || !hasTiles())
    return;
  std::vector<uint16_t> x(32 * 32, 0x3f80), y = x;
  std::vector<float> z(32 * 32), end(1);
  for (int i = 0; i < 3; ++i) {
    const NativeRun run =
        runNative(kEndless, {2, 1, 1}, {word(x), word(y), word(z), word(end)}, {},
                  {.numThreads = 1, .maxProgramDuration = std::chrono::milliseconds(50)});
    REQUIRE(run.errors == "");
    REQUIRE(run.assembly.find("tdpbf16ps") != std::string::npos);
    REQUIRE(run.fault);
    // In the same thread, with tiles of other sizes.
    checkProducts({"bf16", "f32", {16, 16, 8}});
    checkProducts({"i8", "i32", {16, 16, 16}});
  }
}

TEST_CASE("signals that return give tiles back as they were", "[compiler][native]") {
  if (tests::kDefersSignals || !hasTiles())
    return;
  static std::atomic<int> numSignals;
  numSignals = 0;
  struct sigaction action{}, previous{};
  action.sa_handler = [](int) { ++numSignals; };
  action.sa_flags = SA_RESTART;
  REQUIRE(sigaction(SIGUSR1, &action, &previous) == 0);
  // Every element of the sums grows by 32 in each round: whole numbers, which the sums hold exactly.
  std::vector<uint16_t> x(32 * 32, 0x3f80), y = x;
  std::vector<float> z(32 * 32), end(1);
  const pthread_t self = pthread_self();
  std::jthread interrupting([&] {
    while (numSignals < 200) {
      pthread_kill(self, SIGUSR1);
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    std::atomic_ref<float>(end[0]).store(1);
  });
  const NativeRun run =
      runNative(kEndless, {1, 1, 1}, {word(x), word(y), word(z), word(end)}, {}, {.numThreads = 1});
  interrupting.join();
  sigaction(SIGUSR1, &previous, nullptr);
  REQUIRE(run.completed);
  CHECK(numSignals >= 200);
  CHECK(z[0] > 0);
  CHECK(std::fmod(z[0], 32.0F) == 0);
  for (const float each : z)
    REQUIRE(each == z[0]);
}
