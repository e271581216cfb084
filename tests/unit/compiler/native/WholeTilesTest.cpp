// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Loops whose masks hold for all lanes but those of the last tiles, and what they fetch for the next program.
#include "tests/unit/compiler/native/BothRuns.h"
#include "tests/unit/compiler/native/RunNative.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace tilescope;
using namespace tilescope::tests;

static constexpr size_t kBlock = 512;

/// `%mask` is `%base` + 0, 1, … 511 compared with `%n`, and what follows it.
static std::string kernelOf(const std::string &mask, const std::string &body) {
  return R"(
tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %base: i32, %n: i32) {
  %range = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
  %bases = tt.splat %base : i32 -> tensor<512xi32>
  %o = arith.addi %bases, %range : tensor<512xi32>
  %ns = tt.splat %n : i32 -> tensor<512xi32>
  %mask = )" +
         mask + R"(
  %size = arith.constant 512 : i32
  %pid = tt.get_program_id x : i32
  %begin = arith.muli %pid, %size : i32
  %begins = tt.splat %begin : i32 -> tensor<512xi32>
  %place = arith.addi %begins, %range : tensor<512xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %place : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
  %op = tt.addptr %os, %place : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
  %other = arith.constant dense<0xFF800000> : tensor<512xf32>
  %v = tt.load %xp, %mask, %other : tensor<512x!tt.ptr<f32>>
)" + body +
         "  tt.return\n}\n";
}

static const std::string kStore = "  tt.store %op, %v, %mask : tensor<512x!tt.ptr<f32>>\n";

/// The largest, and how far all are below it.
static const std::string kBelowLargest = R"(
  %m = "tt.reduce"(%v) ({
  ^bb0(%l: f32, %r: f32):
    %c = arith.maxnumf %l, %r : f32
    tt.reduce.return %c : f32
  }) {axis = 0 : i32} : (tensor<512xf32>) -> f32
  %ms = tt.splat %m : f32 -> tensor<512xf32>
  %d = arith.subf %v, %ms : tensor<512xf32>
  tt.store %op, %d, %mask : tensor<512x!tt.ptr<f32>>
)";

static size_t numOf(const std::string &text, const std::string &what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++count;
  return count;
}

static std::vector<float> ascending(size_t count) {
  std::vector<float> numbers(count);
  for (size_t i = 0; i < count; ++i)
    numbers[i] = static_cast<float>(i % 97) - 40;
  return numbers;
}

TEST_CASE("elements at the end of what masks let through agree", "[compiler][native]") {
  const std::string mask = GENERATE(
      "arith.cmpi slt, %o, %ns : tensor<512xi32>", "arith.cmpi sle, %o, %ns : tensor<512xi32>",
      "arith.cmpi sgt, %ns, %o : tensor<512xi32>", "arith.cmpi sge, %ns, %o : tensor<512xi32>",
      // Those that are not known to hold from the first element on.
      "arith.cmpi sge, %o, %ns : tensor<512xi32>", "arith.cmpi ult, %o, %ns : tensor<512xi32>",
      "arith.cmpi ne, %o, %ns : tensor<512xi32>");
  const std::string text = kernelOf(mask, kStore);
  for (const int64_t base :
       {int64_t(0), int64_t(-5), int64_t(1024), int64_t(INT32_MAX) - 100, int64_t(INT32_MIN)})
    for (const int64_t length : {-1, 0, 1, 31, 32, 33, 100, 101, 480, 511, 512, 513, 4000}) {
      const int64_t n = std::min(base + length, int64_t(INT32_MAX));
      INFO(mask << ", from " << base << " below " << n);
      checkAgrees(text, {2, 1, 1},
                  {memoryOf(ascending(2 * kBlock)), poisoned(2 * kBlock * 4),
                   number(static_cast<uint32_t>(base)), number(static_cast<uint32_t>(n))},
                  {"f32", "f32"});
    }
}

TEST_CASE("a sum of 32 bits that runs over is one in masks", "[compiler][native]") {
  std::string text = kernelOf("arith.cmpi slt, %sum, %ns : tensor<512xi32>", kStore);
  const std::string before = "  %mask =";
  text.insert(text.find(before), "  %sum = arith.addi %o, %bases : tensor<512xi32>\n");
  for (const int64_t base : {int64_t(INT32_MIN), int64_t(INT32_MAX), int64_t(1) << 30, int64_t(50)})
    for (const int32_t n : {INT32_MIN, -10, 0, 150, 400, INT32_MAX}) {
      INFO(base << ", " << n);
      checkAgrees(text, {1, 1, 1},
                  {memoryOf(ascending(kBlock)), poisoned(kBlock * 4),
                   number(static_cast<uint32_t>(base)), number(static_cast<uint32_t>(n))},
                  {"f32", "f32"});
    }
}

TEST_CASE("the largest number is one wherever there is a number", "[compiler][native]") {
  const std::string text = kernelOf("arith.cmpi slt, %o, %ns : tensor<512xi32>", kBelowLargest);
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInf = std::numeric_limits<float>::infinity();
  for (const int32_t n : {512, 500, 32, 1, 0})
    for (const int kind : {0, 1, 2, 3, 4}) {
      std::vector<float> x(2 * kBlock, kind == 0 ? 1.5F : kind == 4 ? -kInf : kNan);
      if (kind == 2)
        x[400] = x[900] = -3;
      if (kind == 3)
        x[0] = x[kBlock] = -kInf;
      INFO("kind " << kind << ", below " << n);
      checkAgrees(
          text, {2, 1, 1},
          {memoryOf(x), poisoned(2 * kBlock * 4), number(0), number(static_cast<uint32_t>(n))},
          {"f32", "f32"});
    }
}

TEST_CASE("loops without masks stand beside those with them, where bounds are not checked",
          "[compiler][native]") {
  const std::string text = kernelOf("arith.cmpi slt, %o, %ns : tensor<512xi32>", kStore);
  std::vector<float> x = ascending(kBlock), out(kBlock);
  const std::vector<uint64_t> words{word(x), word(out), 0, 512};
  const NativeRun plain = runNative(text, {1, 1, 1}, words);
  REQUIRE(numOf(plain.cpuIr, "scf.for") == 2);
  // A masked access is as wide as a register at most: their number is the target's.
  const auto numMasked = [](const std::string &loop) {
    return numOf(loop, "llvm.intr.masked.load") + numOf(loop, "llvm.intr.masked.store");
  };
  const size_t second = plain.cpuIr.rfind("scf.for");
  const std::array<size_t, 2> masked = {numMasked(plain.cpuIr.substr(0, second)),
                                        numMasked(plain.cpuIr.substr(second))};
  CHECK(std::min(masked[0], masked[1]) == 0);
  CHECK(std::max(masked[0], masked[1]) >= 2);
  CHECK(out == x);
  std::vector<uint64_t> checkedWords = words;
  checkedWords.insert(checkedWords.end(), {kBlock * 4, kBlock * 4, 0, 0});
  const NativeRun checked = runNative(text, {1, 1, 1}, checkedWords, {.checkBounds = true});
  CHECK(numOf(checked.cpuIr, "scf.for") == 1);
}

TEST_CASE("a denormal bf16 that is loaded for all lanes is not taken for 0, bounds checked or not",
          "[compiler][native]") {
  const std::string text = R"(
tt.func public @k(%x: !tt.ptr<bf16>, %y: !tt.ptr<bf16>, %out: !tt.ptr<bf16>) {
  %o = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %one = tt.load %x : !tt.ptr<bf16>
  %ys = tt.splat %y : !tt.ptr<bf16> -> tensor<1024x!tt.ptr<bf16>>
  %yp = tt.addptr %ys, %o : tensor<1024x!tt.ptr<bf16>>, tensor<1024xi32>
  %ones = tt.splat %one : bf16 -> tensor<1024xbf16>
  %v = tt.load %yp : tensor<1024x!tt.ptr<bf16>>
  %sum = arith.addf %ones, %v : tensor<1024xbf16>
  %os = tt.splat %out : !tt.ptr<bf16> -> tensor<1024x!tt.ptr<bf16>>
  %op = tt.addptr %os, %o : tensor<1024x!tt.ptr<bf16>>, tensor<1024xi32>
  tt.store %op, %sum : tensor<1024x!tt.ptr<bf16>>
  tt.return
})";
  std::vector<uint16_t> x(32, 1), y(1024), out(1024), sums(1024);
  for (uint16_t i = 0; i < 1024; ++i) {
    y[i] = i % 100;
    sums[i] = i % 100 + 1;
  }
  for (const bool isChecked : {false, true}) {
    std::vector<uint64_t> words{word(x), word(y), word(out)};
    if (isChecked)
      words.insert(words.end(), {64, 2048, 2048});
    INFO(isChecked);
    std::ranges::fill(out, 7);
    REQUIRE(runNative(text, {1, 1, 1}, words, {.checkBounds = isChecked}).completed);
    CHECK(out == sums);
  }
}

TEST_CASE("the last loop over a row fetches the next program's", "[compiler][native]") {
  const auto cpuIrOf = [](const std::string &body, const std::string &from = "",
                          const std::string &to = "") {
    std::string text = kernelOf("arith.cmpi slt, %o, %ns : tensor<512xi32>", body);
    if (!from.empty())
      text.replace(text.find(from), from.size(), to);
    std::vector<float> x = ascending(3 * kBlock), out(3 * kBlock);
    const NativeRun run = runNative(text, {3, 1, 1}, {word(x), word(out), 0, 512});
    REQUIRE(run.errors == "");
    REQUIRE(run.completed);
    return run.cpuIr;
  };
  const auto fetches = [](const std::string &cpuIr) {
    return numOf(cpuIr, "llvm.intr.prefetch") > 0;
  };
  const std::string ir = cpuIrOf(kBelowLargest);
  CHECK(fetches(ir));
  // Behind the loop that reads it from memory.
  CHECK(ir.find("llvm.intr.prefetch") > ir.find("scf.yield"));
  // The only loop is the last one.
  const std::string once = cpuIrOf(kStore);
  CHECK(fetches(once));
  CHECK(once.find("llvm.intr.prefetch") < once.find("scf.yield"));
  // All programs load the same.
  for (const std::string &body : {kBelowLargest, kStore})
    CHECK_FALSE(fetches(cpuIrOf(body, "tt.addptr %xs, %place", "tt.addptr %xs, %range")));
}

TEST_CASE("what checked code fetches lies where the arguments are", "[compiler][native]") {
  // How often an address is moved behind the last one that is a number: to another program's, and to a line of it.
  const auto numMoves = [](bool isChecked) {
    std::vector<float> x = ascending(3 * kBlock), out(3 * kBlock);
    std::vector<uint64_t> words{word(x), word(out), 0, kBlock};
    if (isChecked)
      words.insert(words.end(), {x.size() * 4, out.size() * 4, 0, 0});
    const NativeRun run = runNative(kernelOf("arith.cmpi slt, %o, %ns : tensor<512xi32>", kStore),
                                    {3, 1, 1}, words, {.checkBounds = isChecked});
    REQUIRE(run.errors == "");
    REQUIRE(run.completed);
    CHECK(out == x);
    const size_t fetch = run.cpuIr.find("llvm.intr.prefetch");
    REQUIRE(fetch != std::string::npos);
    const size_t number = run.cpuIr.rfind("llvm.ptrtoint", fetch);
    return numOf(run.cpuIr.substr(number, fetch - number), "llvm.getelementptr");
  };
  // And from there by the distance of made-up addresses to memory.
  CHECK(numMoves(true) == numMoves(false) + 1);
}

TEST_CASE("code that notes doubts fetches the marks of what the next program stores",
          "[compiler][native]") {
  const auto numFetches = [](bool notesDoubts) {
    const NativeRun run =
        runNative(kernelOf("arith.cmpi slt, %o, %ns : tensor<512xi32>", kStore), {0, 1, 1},
                  std::vector<uint64_t>(16), {.checkBounds = true, .noteDoubts = notesDoubts});
    REQUIRE(run.errors == "");
    return numOf(run.cpuIr, "llvm.intr.prefetch");
  };
  CHECK(numFetches(true) > numFetches(false));
}

TEST_CASE("the next program's index is one behind the last along each axis", "[compiler][native]") {
  // Addresses of programs that do not exist are never read, and those of others change nothing.
  std::string text = kernelOf("arith.cmpi slt, %o, %ns : tensor<512xi32>", kBelowLargest);
  const std::string from = "tt.get_program_id x : i32";
  text.replace(text.find(from), from.size(), R"(tt.get_program_id x : i32
  %y = tt.get_program_id y : i32
  %z = tt.get_program_id z : i32
  %nx = tt.get_num_programs x : i32
  %ny = tt.get_num_programs y : i32
  %zy = arith.muli %z, %ny : i32
  %zy2 = arith.addi %zy, %y : i32
  %zyx = arith.muli %zy2, %nx : i32
  %all = arith.addi %zyx, %pid : i32)");
  const std::string size = "arith.muli %pid, %size";
  text.replace(text.find(size), size.size(), "arith.muli %all, %size");
  checkAgrees(text, {3, 2, 2},
              {memoryOf(ascending(12 * kBlock)), poisoned(12 * kBlock * 4), number(0), number(500)},
              {"f32", "f32"});
}

TEST_CASE("fp32 is rounded to bf16 as the interpreter does it, denormal numbers too",
          "[compiler][native]") {
  std::string text = kernelOf("arith.cmpi slt, %o, %ns : tensor<512xi32>", R"(
  %h = arith.truncf %v : tensor<512xf32> to tensor<512xbf16>
  tt.store %op, %h, %mask : tensor<512x!tt.ptr<bf16>>
)");
  for (const std::string from :
       {"%out: !tt.ptr<f32>", "%os = tt.splat %out : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>",
        "%op = tt.addptr %os, %place : tensor<512x!tt.ptr<f32>>"}) {
    std::string to = from;
    for (size_t at = to.find("f32"); at != std::string::npos; at = to.find("f32", at + 4))
      to.replace(at, 3, "bf16");
    text.replace(text.find(from), from.size(), to);
  }
  // Tiles of ties, of numbers around them, of infinities and NaN; then of numbers around the smallest normal one.
  std::vector<float> x(kBlock);
  for (uint32_t i = 0; i < kBlock; ++i) {
    const uint32_t bits = i < 256   ? 0x3f7f8000U + (i / 3) * 0x8000U + i % 3 - 1
                          : i < 288 ? 0x7f7f7fffU + (i - 256) * 0x101U * 0x20U
                          : i < 320 ? 0xff7f7fffU + (i - 288) * 0x101U * 0x20U
                          : i < 416 ? 0x00800000U + (i - 368) * 0x2000U
                                    : 0x80000000U + (i - 416) * 0x12345U;
    std::memcpy(&x[i], &bits, 4);
  }
  for (const uint32_t n : {512U, 300U})
    checkAgrees(text, {1, 1, 1}, {memoryOf(x), poisoned(kBlock * 2), number(0), number(n)},
                {"f32", "bf16"});
}

TEST_CASE("a mask that holds is kept where it is needed elsewhere", "[compiler][native]") {
  const std::string text = kernelOf("arith.cmpi slt, %o, %ns : tensor<512xi32>", R"(
  %rows = tt.reshape %mask : tensor<512xi1> -> tensor<16x32xi1>
  %turned = tt.trans %rows {order = array<i32: 1, 0>} : tensor<16x32xi1> -> tensor<32x16xi1>
  %flat = tt.reshape %turned : tensor<32x16xi1> -> tensor<512xi1>
  %held = arith.uitofp %flat : tensor<512xi1> to tensor<512xf32>
  tt.store %op, %held : tensor<512x!tt.ptr<f32>>
)");
  for (const uint32_t n : {512U, 300U, 0U})
    checkAgrees(text, {1, 1, 1},
                {sampleOf("f32", kBlock, 1), poisoned(kBlock * 4), number(0), number(n)},
                {"f32", "f32"});
}
