// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Transposes, which are turned in registers square by square.
#include "tests/unit/compiler/native/BothRuns.h"
#include "tests/unit/compiler/native/RunNative.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::tests;

namespace {
/// out[j, i] of rows of `outStride` is x[i, j] of rows of `stride`, in blocks [32, 64], for i < m and j < n.
struct Transpose {
  std::string type = "f32";
  /// By `tt.trans`; else the pointers alone are transposed.
  bool isTrans = true;
  /// What is done to the block %v [32, 64] before, as %w.
  std::string between = {};
};
} // namespace

static std::string replaced(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

static std::string textOf(const Transpose &transpose) {
  std::string text = R"(
tt.func public @k(%x: !tt.ptr<T>, %out: !tt.ptr<T>, %m: i32, %n: i32, %stride: i32, %outStride: i32) {
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %px = tt.get_program_id x : i32
  %py = tt.get_program_id y : i32
  %firstRow = arith.muli %py, %c32 : i32
  %firstColumn = arith.muli %px, %c64 : i32
  %rowRange = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %columnRange = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %firstRows = tt.splat %firstRow : i32 -> tensor<32xi32>
  %firstColumns = tt.splat %firstColumn : i32 -> tensor<64xi32>
  %rows = arith.addi %firstRows, %rowRange : tensor<32xi32>
  %columns = arith.addi %firstColumns, %columnRange : tensor<64xi32>
  %r = tt.expand_dims %rows {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %c = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %ms = tt.splat %m : i32 -> tensor<32x1xi32>
  %ns = tt.splat %n : i32 -> tensor<1x64xi32>
  %inRows = arith.cmpi slt, %r, %ms : tensor<32x1xi32>
  %inColumns = arith.cmpi slt, %c, %ns : tensor<1x64xi32>
  %inRows2 = tt.broadcast %inRows : tensor<32x1xi1> -> tensor<32x64xi1>
  %inColumns2 = tt.broadcast %inColumns : tensor<1x64xi1> -> tensor<32x64xi1>
  %mask = arith.andi %inRows2, %inColumns2 : tensor<32x64xi1>
  %strides = tt.splat %stride : i32 -> tensor<32x1xi32>
  %begins = arith.muli %r, %strides : tensor<32x1xi32>
  %begins2 = tt.broadcast %begins : tensor<32x1xi32> -> tensor<32x64xi32>
  %c2 = tt.broadcast %c : tensor<1x64xi32> -> tensor<32x64xi32>
  %o = arith.addi %begins2, %c2 : tensor<32x64xi32>
  %xs = tt.splat %x : !tt.ptr<T> -> tensor<32x64x!tt.ptr<T>>
  %xp = tt.addptr %xs, %o : tensor<32x64x!tt.ptr<T>>, tensor<32x64xi32>
  %v = tt.load %xp, %mask : tensor<32x64x!tt.ptr<T>>
  BETWEEN
  %outStrides = tt.splat %outStride : i32 -> tensor<1x64xi32>
  %to = arith.muli %c, %outStrides : tensor<1x64xi32>
  %to2 = tt.broadcast %to : tensor<1x64xi32> -> tensor<32x64xi32>
  %r2 = tt.broadcast %r : tensor<32x1xi32> -> tensor<32x64xi32>
  %p = arith.addi %to2, %r2 : tensor<32x64xi32>
)";
  text += transpose.isTrans ? R"(
  %pt = tt.trans %p {order = array<i32: 1, 0>} : tensor<32x64xi32> -> tensor<64x32xi32>
  %wt = tt.trans %w {order = array<i32: 1, 0>} : tensor<32x64xT> -> tensor<64x32xT>
  %maskt = tt.trans %mask {order = array<i32: 1, 0>} : tensor<32x64xi1> -> tensor<64x32xi1>
  %os = tt.splat %out : !tt.ptr<T> -> tensor<64x32x!tt.ptr<T>>
  %op = tt.addptr %os, %pt : tensor<64x32x!tt.ptr<T>>, tensor<64x32xi32>
  tt.store %op, %wt, %maskt : tensor<64x32x!tt.ptr<T>>
)"
                            : R"(
  %os = tt.splat %out : !tt.ptr<T> -> tensor<32x64x!tt.ptr<T>>
  %op = tt.addptr %os, %p : tensor<32x64x!tt.ptr<T>>, tensor<32x64xi32>
  tt.store %op, %w, %mask : tensor<32x64x!tt.ptr<T>>
)";
  text += "  tt.return\n}\n";
  text = replaced(text, "BETWEEN", transpose.between);
  if (transpose.between.empty())
    text = replaced(replaced(text, "%wt", "%vt"), "%w", "%v");
  for (const std::string before : {"ptr<", "32x64x", "64x32x"})
    for (const std::string behind : {">", ",", "\n"})
      text = replaced(text, before + "T" + behind, before + transpose.type + behind);
  return text;
}

static BothRuns checkTranspose(const Transpose &transpose, int m, int n,
                               const native::NativeOptions &options) {
  const int stride = n + 3, outStride = m + 5;
  const size_t size = bytesOf(transpose.type);
  const auto count = [&](int rows, int columns) { return static_cast<size_t>(rows * columns); };
  const std::vector<TestArgument> arguments{sampleOf(transpose.type, count(m, stride), 1),
                                            poisoned(count(n, outStride) * size),
                                            number(static_cast<uint64_t>(m)),
                                            number(static_cast<uint64_t>(n)),
                                            number(static_cast<uint64_t>(stride)),
                                            number(static_cast<uint64_t>(outStride))};
  BothRuns runs = runBoth(textOf(transpose), {(n + 63) / 64, (m + 31) / 32, 1}, arguments, options);
  INFO(textOf(transpose));
  REQUIRE(runs.errors == "");
  CHECK(firstDifference(runs.interpreted[1], runs.native[1], transpose.type) == -1);
  return runs;
}

static bool isElementwise(const BothRuns &runs) {
  return runs.cpuIr.find("masked.gather") != std::string::npos ||
         runs.cpuIr.find("masked.scatter") != std::string::npos;
}

TEST_CASE("blocks are turned, and nothing else changes", "[compiler][native]") {
  for (const std::string type : {"f32", "bf16", "f16", "i8", "i64", "f64"})
    for (const bool isTrans : {false, true})
      for (const unsigned vectorBytes : {0U, 16U, 32U})
        for (const auto [m, n] : {std::pair(32, 64), {1, 1}, {31, 65}, {100, 70}}) {
          INFO(type << (isTrans ? " trans " : " ") << vectorBytes << ": " << m << " × " << n);
          const BothRuns runs =
              checkTranspose({type, isTrans, {}}, m, n, {.vectorBytes = vectorBytes});
          // Registers of 16 bytes have two of 64 bits.
          if (vectorBytes != 16 || bytesOf(type) < 8)
            CHECK_FALSE(isElementwise(runs));
        }
}

TEST_CASE("what is computed of a block that is turned stays in registers", "[compiler][native]") {
  const BothRuns runs =
      checkTranspose({"f32", true, "%w = arith.addf %v, %v : tensor<32x64xT>"}, 70, 90, {});
  CHECK_FALSE(isElementwise(runs));
  CHECK(runs.cpuIr.find("vector.shuffle") != std::string::npos);
}

TEST_CASE("a transpose past the caches stores what others do", "[compiler][native]") {
  for (const std::string type : {"f32", "bf16", "i8"})
    for (const bool isTrans : {false, true})
      for (const bool isChecked : {false, true})
        for (const auto [m, n] : {std::pair(64, 128), {59, 128}, {91, 77}}) {
          INFO(type << (isTrans ? " trans " : " ") << isChecked << ": " << m << " × " << n);
          checkTranspose({type, isTrans, {}}, m, n,
                         {.checkBounds = isChecked, .streamsStores = true});
        }
}

TEST_CASE("a transpose past the caches stores row after row", "[compiler][native]") {
  const auto isInRows = [](const BothRuns &runs) {
    const size_t store = runs.cpuIr.find("nontemporal");
    REQUIRE(store != std::string::npos);
    return runs.cpuIr.rfind("vector.shuffle") < store;
  };
  CHECK(isInRows(checkTranspose({}, 64, 128, {.streamsStores = true})));
  CHECK(isInRows(checkTranspose({"f32", true, "%w = arith.addf %v, %v : tensor<32x64xT>"}, 70, 90,
                                {.streamsStores = true})));
  // What stays in the caches is stored as it is turned.
  const BothRuns kept = checkTranspose({}, 64, 128, {});
  CHECK(kept.cpuIr.rfind("vector.shuffle") > kept.cpuIr.find("llvm.store"));
}

TEST_CASE("a transpose within one argument reads each program's block before it stores",
          "[compiler][native]") {
  constexpr size_t kSize = 64;
  std::vector<float> memory(kSize * kSize);
  for (size_t i = 0; i < memory.size(); ++i)
    memory[i] = static_cast<float>(i);
  // One program, whose block overlaps what it stores.
  const NativeRun run =
      runNative(textOf({}), {1, 1, 1}, {word(memory), word(memory), 32, 32, kSize, kSize},
                {.argumentsOverlap = true});
  REQUIRE(run.errors == "");
  size_t numWrong = 0;
  for (size_t i = 0; i < 32; ++i)
    for (size_t j = 0; j < 32; ++j)
      numWrong += memory[i * kSize + j] != static_cast<float>(j * kSize + i);
  CHECK(numWrong == 0);
}

TEST_CASE("tiles are turned", "[compiler][native]") {
  // A block and its transpose in one sum: each is read as it lies.
  checkAgrees(R"(
tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %r = tt.expand_dims %range {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %c = tt.expand_dims %range {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %size = arith.constant dense<32> : tensor<32x1xi32>
  %b = arith.muli %r, %size : tensor<32x1xi32>
  %b2 = tt.broadcast %b : tensor<32x1xi32> -> tensor<32x32xi32>
  %c2 = tt.broadcast %c : tensor<1x32xi32> -> tensor<32x32xi32>
  %o = arith.addi %b2, %c2 : tensor<32x32xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %o : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
  %op = tt.addptr %os, %o : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
  %v = tt.load %xp : tensor<32x32x!tt.ptr<f32>>
  %t = tt.trans %v {order = array<i32: 1, 0>} : tensor<32x32xf32> -> tensor<32x32xf32>
  %s = arith.subf %t, %v : tensor<32x32xf32>
  tt.store %op, %s : tensor<32x32x!tt.ptr<f32>>
  tt.return
})",
              {1, 1, 1}, {sampleOf("f32", 1024, 3), poisoned(4096)}, {"f32", "f32"});
}
