// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Pointers that are computed with divisions, and are neighbors here and there.
#include "tests/unit/compiler/native/RunNative.h"

#include <catch2/catch.hpp>
#include <numeric>

using namespace tilescope;
using namespace tilescope::tests;

/// Joins x [outer, 3, inner] and y [outer, 2, inner] along the middle dimension: each element takes its
/// place apart.
static const std::string kConcat = R"(
tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %out: !tt.ptr<f32>, %inner: i32, %n: i32) {
  %i1024 = arith.constant 1024 : i32
  %three = arith.constant dense<3> : tensor<1024xi32>
  %two = arith.constant dense<2> : tensor<1024xi32>
  %five = arith.constant dense<5> : tensor<1024xi32>
  %pid = tt.get_program_id x : i32
  %begin = arith.muli %pid, %i1024 : i32
  %range = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %begins = tt.splat %begin : i32 -> tensor<1024xi32>
  %at = arith.addi %begins, %range : tensor<1024xi32>
  %ns = tt.splat %n : i32 -> tensor<1024xi32>
  %mask = arith.cmpi slt, %at, %ns : tensor<1024xi32>
  %inners = tt.splat %inner : i32 -> tensor<1024xi32>
  %row = arith.divsi %at, %inners : tensor<1024xi32>
  %rest = arith.remsi %at, %inners : tensor<1024xi32>
  %place = arith.remsi %row, %five : tensor<1024xi32>
  %before = arith.divsi %row, %five : tensor<1024xi32>
  %isFirst = arith.cmpi slt, %place, %three : tensor<1024xi32>
  %isSecond = arith.cmpi sge, %place, %three : tensor<1024xi32>
  %mx = arith.andi %mask, %isFirst : tensor<1024xi1>
  %my = arith.andi %mask, %isSecond : tensor<1024xi1>
  %rx = arith.muli %before, %three : tensor<1024xi32>
  %rx1 = arith.addi %rx, %place : tensor<1024xi32>
  %rx2 = arith.muli %rx1, %inners : tensor<1024xi32>
  %ox = arith.addi %rx2, %rest : tensor<1024xi32>
  %ry = arith.muli %before, %two : tensor<1024xi32>
  %ry1 = arith.addi %ry, %place : tensor<1024xi32>
  %ry2 = arith.subi %ry1, %three : tensor<1024xi32>
  %ry3 = arith.muli %ry2, %inners : tensor<1024xi32>
  %oy = arith.addi %ry3, %rest : tensor<1024xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %ox : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %yp = tt.addptr %ys, %oy : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %op = tt.addptr %os, %at : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
)";
static const std::string kGathers = R"(
  %a = tt.load %xp, %mx : tensor<1024x!tt.ptr<f32>>
  %b = tt.load %yp, %my : tensor<1024x!tt.ptr<f32>>
  %v = arith.select %isFirst, %a, %b : tensor<1024xi1>, tensor<1024xf32>
  tt.store %op, %v, %mask : tensor<1024x!tt.ptr<f32>>
  tt.return
}
)";
/// The other way: from the joined tensor to the parts.
static const std::string kScatters = R"(
  %a = tt.load %op, %mask : tensor<1024x!tt.ptr<f32>>
  tt.store %xp, %a, %mx : tensor<1024x!tt.ptr<f32>>
  tt.store %yp, %a, %my : tensor<1024x!tt.ptr<f32>>
  tt.return
}
)";

namespace {
struct Parts {
  std::vector<float> x, y, joined;
};
} // namespace

static Parts partsOf(size_t outer, size_t inner) {
  Parts parts;
  float next = 1;
  for (size_t i = 0; i < outer; ++i)
    for (auto [part, rows] : {std::pair(&parts.x, 3), {&parts.y, 2}})
      for (size_t k = 0; k < rows * inner; ++k) {
        part->push_back(next);
        parts.joined.push_back(next++);
      }
  return parts;
}

TEST_CASE("what is computed with divisions is loaded and stored where it is",
          "[compiler][native]") {
  for (const unsigned vectorBytes : {0U, 16U, 32U}) {
    const native::NativeKernel gathers =
        compiledKernel(kConcat + kGathers, {.vectorBytes = vectorBytes});
    const native::NativeKernel scatters =
        compiledKernel(kConcat + kScatters, {.vectorBytes = vectorBytes});
    for (const auto [outer, inner] :
         {std::pair(7, 1), {7, 3}, {5, 31}, {5, 32}, {5, 33}, {3, 64}, {2, 1000}, {1, 5000}}) {
      INFO(outer << " times 5 times " << inner);
      const Parts parts = partsOf(static_cast<size_t>(outer), static_cast<size_t>(inner));
      const size_t n = parts.joined.size();
      const native::GridOptions grid{.grid = {static_cast<int32_t>((n + 1023) / 1024), 1, 1}};
      Parts copy = parts;
      copy.joined.assign(n + 64, 0);
      const auto words = [&] {
        return std::array{word(copy.x), word(copy.y), word(copy.joined),
                          static_cast<uint64_t>(inner), static_cast<uint64_t>(n)};
      };
      REQUIRE(native::runGrid(gathers, words(), grid).completed);
      copy.joined.resize(n);
      CHECK(copy.joined == parts.joined);
      copy.x.assign(parts.x.size(), 0);
      copy.y.assign(parts.y.size(), 0);
      REQUIRE(native::runGrid(scatters, words(), grid).completed);
      CHECK(copy.x == parts.x);
      CHECK(copy.y == parts.y);
    }
  }
}

TEST_CASE("lanes that may be neighbors are looked at, those of a strided access are not",
          "[compiler][native]") {
  Parts parts = partsOf(1, 1);
  std::vector<uint64_t> words{word(parts.x), word(parts.y), word(parts.joined), 1, 5};
  const NativeRun run = runNative(kConcat + kGathers, {1, 1, 1}, words);
  REQUIRE(run.errors == "");
  CHECK(run.cpuIr.find("llvm.intr.masked.gather") != std::string::npos);
  CHECK(run.cpuIr.find("llvm.intr.masked.load") != std::string::npos);
  static constexpr const char *kStrided = R"(
tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %three = arith.constant dense<3> : tensor<1024xi32>
  %range = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %o = arith.muli %range, %three : tensor<1024xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %o : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %op = tt.addptr %os, %range : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %a = tt.load %xp : tensor<1024x!tt.ptr<f32>>
  tt.store %op, %a : tensor<1024x!tt.ptr<f32>>
  tt.return
}
)";
  std::vector<float> x(3072), out(1024);
  std::iota(x.begin(), x.end(), 0.0F);
  const NativeRun strided = runNative(kStrided, {1, 1, 1}, {word(x), word(out)});
  REQUIRE(strided.errors == "");
  CHECK(out[1000] == 3000);
  CHECK(strided.cpuIr.find("llvm.intr.masked.gather") != std::string::npos);
  CHECK(strided.cpuIr.find("vector.reduction") == std::string::npos);
}
