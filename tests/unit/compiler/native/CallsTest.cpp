// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What native code has its process do: print, and execute inline assembly.
#include "compiler/native/SavedCode.h"
#include "tests/support/Sanitized.h"
#include "tests/unit/compiler/interpreter/RunTtir.h"
#include "tests/unit/compiler/native/BothRuns.h"
#include "tests/unit/compiler/native/RunNative.h"

#include <catch2/catch.hpp>
#include <thread>

using namespace tilescope;
using namespace tilescope::tests;

/// The texts of the interpreter's prints, and native code's.
static std::array<std::vector<std::string>, 2>
printsOf(const std::string &ttir, std::array<int32_t, 3> grid, size_t maxPrints = 10000) {
  INFO(ttir);
  std::array<std::vector<std::string>, 2> texts;
  compiler::InterpreterOptions options;
  options.maxPrints = maxPrints;
  for (const compiler::InterpreterPrint &print : runTtir(ttir, {grid, {}}, options).prints)
    texts[0].push_back(print.text);
  const native::NativeKernel kernel = compiledKernel(ttir);
  for (const native::ProgramPrint &print :
       native::runGrid(kernel, {}, {.grid = grid, .numThreads = 4, .maxPrints = maxPrints}).prints)
    texts[1].push_back(print.text);
  return texts;
}

TEST_CASE("prints of all types are the interpreter's", "[compiler][native]") {
  const std::string type = GENERATE("i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64",
                                    "f8E5M2", "f8E4M3FN", "ptr");
  const bool isHex = GENERATE(false, true);
  const int isSigned = GENERATE(0, 1);
  const std::string block =
      "tensor<2x16x" + std::string(type == "ptr" ? "!tt.ptr<f32>" : type) + ">";
  const std::string cast =
      type == "i32"    ? "    %x = arith.addi %wide, %wide : tensor<2x16xi32>\n"
      : type == "i64"  ? "    %x = arith.extsi %wide : tensor<2x16xi32> to " + block + "\n"
      : type == "ptr"  ? "    %l = arith.extsi %wide : tensor<2x16xi32> to tensor<2x16xi64>\n"
                         "    %x = tt.int_to_ptr %l : tensor<2x16xi64> -> " +
                             block + "\n"
      : type[0] == 'i' ? "    %x = arith.trunci %wide : tensor<2x16xi32> to " + block + "\n"
      : type == "f64"  ? "    %x = arith.sitofp %wide : tensor<2x16xi32> to " + block + "\n"
      : type == "f32"  ? "    %x = arith.divf %f, %three : tensor<2x16xf32>\n"
                       : "    %y = arith.divf %f, %three : tensor<2x16xf32>\n"
                         "    %x = tt.fp_to_fp %y, rounding = rtne : tensor<2x16xf32> -> " +
                             block + "\n";
  const auto [interpreted, native] =
      printsOf("tt.func public @k() {\n"
               "    %id = tt.get_program_id y : i32\n"
               "    %r = tt.make_range {start = -9 : i32, end = 23 : i32} : tensor<32xi32>\n"
               "    %s = tt.splat %id : i32 -> tensor<32xi32>\n"
               "    %m = arith.muli %r, %s : tensor<32xi32>\n"
               "    %wide = tt.reshape %m : tensor<32xi32> -> tensor<2x16xi32>\n"
               "    %f = arith.sitofp %wide : tensor<2x16xi32> to tensor<2x16xf32>\n"
               "    %three = arith.constant dense<3.0> : tensor<2x16xf32>\n" +
                   cast + "    tt.print \" x: \" {hex = " + (isHex ? "true" : "false") +
                   ", isSigned = array<i32: " + std::to_string(isSigned) +
                   ", 1>} : %x, %id : " + block + ", i32\n    tt.return\n}\n",
               {1, 3, 1});
  REQUIRE(interpreted.size() == 3);
  CHECK(interpreted == native);
}

/// Program p prints p times.
static constexpr const char *kPrinting = R"(
tt.func public @k() {
  %id = tt.get_program_id x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %id step %one : i32 {
    tt.print " i: " {hex = false, isSigned = array<i32: 1>} : %i : i32
  }
  tt.print " end" {hex = false, isSigned = array<i32>}
  tt.return
}
)";

TEST_CASE("prints come in the order of the programs, and the first ones are kept",
          "[compiler][native]") {
  const auto [interpreted, native] = printsOf(kPrinting, {40, 1, 1});
  CHECK(interpreted.size() == 40 * 39 / 2 + 40);
  CHECK(interpreted == native);
  const auto [few, fewNative] = printsOf(kPrinting, {40, 1, 1}, 25);
  CHECK(few.size() == 25);
  CHECK(few == fewNative);
}

/// Prints and computes without an end.
static constexpr const char *kEndless = R"(
tt.func public @k() {
  %true = arith.constant true
  %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  scf.while : () -> () {
    scf.condition(%true)
  } do {
    %x = tt.elementwise_inline_asm "add.u32 $0, $1, 1;"
      {constraints = "=r,r", packed_element = 1 : i32, pure = false} %r : tensor<64xi32> -> tensor<64xi32>
    tt.print " x: " {hex = false, isSigned = array<i32: 1>} : %x : tensor<64xi32>
    scf.yield
  }
  tt.return
}
)";

TEST_CASE("a program is stopped that prints without an end", "[compiler][native]") {
  if (tests::kDefersSignals)
    return;
  const native::NativeKernel kernel = compiledKernel(kEndless);
  std::stop_source stop;
  std::jthread stopping([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop.request_stop();
  });
  const native::GridOutcome stopped =
      native::runGrid(kernel, {}, {.grid = {4, 1, 1}, .stop = stop.get_token(), .maxPrints = 9});
  CHECK_FALSE(stopped.completed);
  CHECK_FALSE(stopped.fault);
  CHECK(stopped.prints.size() == 9);
  const native::GridOutcome late = native::runGrid(
      kernel, {}, {.grid = {4, 1, 1}, .maxProgramDuration = std::chrono::milliseconds(100)});
  REQUIRE(late.fault);
  CHECK(late.fault->signal == 0);
}

TEST_CASE("code that was kept prints and executes assembly as before", "[compiler][native]") {
  const native::NativeKernel kernel = compiledKernel(R"(
tt.func public @k() {
  %r = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<4xi32>
  %x = tt.elementwise_inline_asm "mul.lo.u32 $0, $1, 3;"
    {constraints = "=r,r", packed_element = 1 : i32, pure = true} %r : tensor<4xi32> -> tensor<4xi32>
  tt.print " x: " {hex = true, isSigned = array<i32: 1>} : %x : tensor<4xi32> loc("k.py":3:5)
  tt.return
}
)");
  auto saved = native::readSavedCode(native::writeSavedCode(kernel.save()));
  REQUIRE(saved);
  const auto kept = native::NativeKernel::load(std::move(*saved));
  REQUIRE(kept);
  CHECK(kept->prints().front().places == kernel.prints().front().places);
  const native::GridOutcome run = native::runGrid(*kept, {}, {});
  REQUIRE(run.prints.size() == 1);
  CHECK(run.prints[0].text == "pid (0, 0, 0) idx (0) x: 0x00000000\n"
                              "pid (0, 0, 0) idx (1) x: 0x00000003\n"
                              "pid (0, 0, 0) idx (2) x: 0x00000006\n"
                              "pid (0, 0, 0) idx (3) x: 0x00000009\n");
}

static void checkAssembly(const std::string &body, const std::vector<TestArgument> &arguments,
                          const std::vector<std::string> &types) {
  checkAgrees("tt.func public @k(%x: !tt.ptr<" + types[0] + ">, %y: !tt.ptr<" + types[1] +
                  ">) {\n  %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>\n"
                  "  %xs = tt.splat %x : !tt.ptr<" +
                  types[0] + "> -> tensor<64x!tt.ptr<" + types[0] +
                  ">>\n  %xp = tt.addptr %xs, %r : tensor<64x!tt.ptr<" + types[0] +
                  ">>, tensor<64xi32>\n  %v = tt.load %xp : tensor<64x!tt.ptr<" + types[0] +
                  ">>\n  %ys = tt.splat %y : !tt.ptr<" + types[1] + "> -> tensor<64x!tt.ptr<" +
                  types[1] + ">>\n  %yp = tt.addptr %ys, %r : tensor<64x!tt.ptr<" + types[1] +
                  ">>, tensor<64xi32>\n" + body + "  tt.return\n}\n",
              {1, 1, 1}, arguments, types);
}

TEST_CASE("inline assembly is executed by packs of elements", "[compiler][native]") {
  checkAssembly(R"(
  %w = tt.elementwise_inline_asm "prmt.b32 $0, $1, $1, 0x0123;"
    {constraints = "=r,r", packed_element = 4 : i32, pure = true} %v : tensor<64xi8> -> tensor<64xi8>
  tt.store %yp, %w : tensor<64x!tt.ptr<i8>>
)",
                {sampleOf("i8", 64, 1), poisoned(64)}, {"i8", "i8"});
  // Two results, a block of computed elements, and narrow floats as their bits.
  checkAssembly(R"(
  %f = arith.extf %v : tensor<64xf16> to tensor<64xf32>
  %a, %b = tt.elementwise_inline_asm "mul.f32 $0, $2, 0f40000000; abs.f32 $1, $2;"
    {constraints = "=f,=f,f", packed_element = 1 : i32, pure = true} %f : tensor<64xf32> -> tensor<64xf32>, tensor<64xf32>
  %c = arith.addf %a, %b : tensor<64xf32>
  %d = arith.truncf %c : tensor<64xf32> to tensor<64xf16>
  %e = tt.elementwise_inline_asm "neg.f16x2 $0, $1;"
    {constraints = "=r,r", packed_element = 2 : i32, pure = true} %d : tensor<64xf16> -> tensor<64xf16>
  tt.store %yp, %e : tensor<64x!tt.ptr<f16>>
)",
                {sampleOf("f16", 64, 2), poisoned(64 * 2)}, {"f16", "f16"});
  // Of one number, and of truth values.
  checkAssembly(R"(
  %first = tt.load %x : !tt.ptr<i32>
  %n = tt.elementwise_inline_asm "popc.b32 $0, $1;"
    {constraints = "=r,r", packed_element = 1 : i32, pure = true} %first : i32 -> i32
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %isLess = arith.cmpi slt, %v, %ns : tensor<64xi32>
  %w = tt.elementwise_inline_asm "xor.b32 $0, $1, 1;"
    {constraints = "=r,r", packed_element = 4 : i32, pure = true} %isLess : tensor<64xi1> -> tensor<64xi1>
  %z = arith.extui %w : tensor<64xi1> to tensor<64xi32>
  %t = arith.addi %z, %ns : tensor<64xi32>
  tt.store %yp, %t : tensor<64x!tt.ptr<i32>>
)",
                {sampleOf("i32", 64, 3), poisoned(64 * 4)}, {"i32", "i32"});
}
