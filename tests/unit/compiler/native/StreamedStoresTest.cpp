// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Stores that go past the caches where they fill whole lines of memory.
#include "compiler/native/Processor.h"
#include "tests/unit/compiler/native/RunNative.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <thread>

using namespace tilescope;
using namespace tilescope::tests;

/// out[i] = x[i] + x[i] for i < n, with what `%more` names in between.
static std::string doubling(const std::string &more, const std::string &type = "f32") {
  const std::string add = type[0] == 'i' ? "arith.addi" : "arith.addf";
  return "tt.func public @k(%x: !tt.ptr<" + type + ">, %out: !tt.ptr<" + type + ">, %n: i32) {" +
         R"(
  %size = arith.constant 1024 : i32
  %pid = tt.get_program_id x : i32
  %base = arith.muli %pid, %size : i32
  %range = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
  %bases = tt.splat %base : i32 -> tensor<1024xi32>
  %o = arith.addi %bases, %range : tensor<1024xi32>
  %ns = tt.splat %n : i32 -> tensor<1024xi32>
  %mask = arith.cmpi slt, %o, %ns : tensor<1024xi32>
  %xs = tt.splat %x : !tt.ptr<T> -> tensor<1024x!tt.ptr<T>>
  %xp = tt.addptr %xs, %o : tensor<1024x!tt.ptr<T>>, tensor<1024xi32>
  %os = tt.splat %out : !tt.ptr<T> -> tensor<1024x!tt.ptr<T>>
  %op = tt.addptr %os, %o : tensor<1024x!tt.ptr<T>>, tensor<1024xi32>
  %v = tt.load %xp, %mask : tensor<1024x!tt.ptr<T>>
  %s = )" +
         add + R"( %v, %v : tensor<1024xT>
)" + more +
         "  tt.return\n}\n";
}

/// With the type in place of `T`.
static std::string withType(std::string text, const std::string &type) {
  for (const auto &[from, to] : {std::pair<std::string, std::string>{"ptr<T>", "ptr<" + type + ">"},
                                 {"1024xT", "1024x" + type}})
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at))
      text.replace(at, from.size(), to);
  return text;
}

static const std::string kStore = "  tt.store %op, %s, %mask : tensor<1024x!tt.ptr<T>>\n";

static std::string kernelOf(const std::string &more, const std::string &type = "f32") {
  return withType(doubling(more, type), type);
}

static bool streams(const std::string &assembly) {
  return assembly.find("movnt") != std::string::npos;
}

/// Doubles `n` elements behind the first `offset` of a line, and looks at those around them.
template <typename T>
static void checkDoubles(const native::NativeKernel &kernel, size_t offset, size_t n,
                         bool isChecked) {
  constexpr size_t kAround = 128;
  const auto room = [&] { return std::vector<T>(n + 2 * kAround, T(7)); };
  std::vector<T> x = room(), out = room();
  const auto lineOf = [](std::vector<T> &memory) {
    const auto address = reinterpret_cast<uint64_t>(memory.data());
    return (64 - address % 64) % 64 / sizeof(T);
  };
  T *const from = x.data() + 5, *const to = out.data() + lineOf(out) + offset;
  for (size_t i = 0; i < n; ++i)
    from[i] = static_cast<T>(i % 50);
  std::vector<uint64_t> words{reinterpret_cast<uint64_t>(from), reinterpret_cast<uint64_t>(to), n};
  if (isChecked)
    words.insert(words.end(), {n * sizeof(T), n * sizeof(T), 0});
  const native::GridOutcome outcome =
      native::runGrid(kernel, words, {.grid = {static_cast<int32_t>((n + 1023) / 1024), 1, 1}});
  REQUIRE(outcome.completed);
  CHECK(outcome.outside.empty());
  size_t numWrong = 0;
  for (size_t i = 0; i < n; ++i)
    numWrong += to[i] != static_cast<T>(2 * (i % 50));
  CHECK(numWrong == 0);
  CHECK(std::count(out.data(), to, T(7)) == to - out.data());
  CHECK(std::count(to + n, out.data() + out.size(), T(7)) == out.data() + out.size() - (to + n));
}

TEST_CASE("stores past the caches store what others do", "[compiler][native]") {
  for (const unsigned vectorBytes : {0U, 16U, 32U})
    for (const bool isChecked : {false, true}) {
      const native::NativeOptions options{
          .vectorBytes = vectorBytes, .checkBounds = isChecked, .streamsStores = true};
      const native::NativeKernel floats = compiledKernel(kernelOf(kStore), options);
      const native::NativeKernel words = compiledKernel(kernelOf(kStore, "i16"), options);
      for (const size_t offset : {0, 1, 4, 8, 15, 16})
        for (const size_t n : {1, 15, 16, 1023, 1024, 1025, 5000, 100000}) {
          INFO(vectorBytes << (isChecked ? " checked, " : ", ") << offset << ", " << n);
          checkDoubles<float>(floats, offset, n, isChecked);
          checkDoubles<int16_t>(words, offset, n, isChecked);
        }
    }
}

TEST_CASE("the last cache has a size that caches have", "[compiler][native]") {
  CHECK(native::lastCacheBytes() >= uint64_t{128} << 10);
  CHECK(native::lastCacheBytes() <= uint64_t{2} << 30);
  // Of a chip's cache, a machine of a few processors has a part.
  CHECK(native::lastCacheBytes() <=
        (uint64_t{16} << 20) * std::max(1U, std::thread::hardware_concurrency()));
}

#ifdef __x86_64__
TEST_CASE("only what nothing reads or overwrites is stored past the caches", "[compiler][native]") {
  const auto assemblyOf = [](const std::string &more, bool isAsked = true) {
    std::vector<float> x(1024, 1), out(1024, 2);
    const NativeRun run = runNative(kernelOf(more), {1, 1, 1}, {word(x), word(out), 1024},
                                    {.streamsStores = isAsked});
    REQUIRE(run.errors == "");
    REQUIRE(run.completed);
    return run.assembly;
  };
  CHECK(streams(assemblyOf(kStore)));
  CHECK_FALSE(streams(assemblyOf(kStore, false)));
  // The kernel reads what it stores.
  CHECK_FALSE(streams(assemblyOf(R"(
  %old = tt.load %op, %mask : tensor<1024x!tt.ptr<T>>
  %sum = arith.addf %old, %s : tensor<1024xT>
  tt.store %op, %sum, %mask : tensor<1024x!tt.ptr<T>>
)")));
  // Programs may wait for each other.
  CHECK_FALSE(streams(assemblyOf(kStore + R"(
  %true = arith.constant true
  %one = arith.constant 1.0 : f32
  %before = tt.atomic_rmw fadd, acq_rel, gpu, %x, %one, %true : (!tt.ptr<f32>, f32, i1) -> f32
)")));
  CHECK_FALSE(streams(assemblyOf(kStore + R"(
  %flag = tt.load %x {isVolatile = true} : !tt.ptr<f32>
)")));
  const std::string loop = R"(
  %zero = arith.constant 0 : i32
  %four = arith.constant 4 : i32
  %step = arith.constant 1 : i32
  scf.for %i = %zero to %four step %step : i32 {
)";
  // Again and again the same elements.
  CHECK_FALSE(streams(assemblyOf(loop + kStore + "  }\n")));
  CHECK(streams(assemblyOf(loop + R"(
    %is = tt.splat %zero : i32 -> tensor<1024xi32>
    %ip = tt.addptr %op, %is : tensor<1024x!tt.ptr<T>>, tensor<1024xi32>
    tt.store %ip, %s, %mask : tensor<1024x!tt.ptr<T>>
  }
)")));
}
#endif
