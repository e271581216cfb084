// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/support/ptx/PtxEmulator.h"

#include "compiler/ptx/PtxScalar.h"
#include "tests/support/ptx/PtxMatrix.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numeric>

using namespace tilescope::tests;

namespace {

PtxArgument bufferOf(std::vector<float> &values) {
  return {{reinterpret_cast<uint8_t *>(values.data()), values.size() * sizeof(float)}, 0};
}

PtxOutcome run(const std::string &body, std::vector<PtxArgument> arguments, uint32_t grid = 1,
               int64_t sharedBytes = 0, const std::string &functions = "") {
  std::string text = ".version 8.0\n.target sm_90a\n.address_size 64\n"
                     ".extern .shared .align 16 .b8 smem[];\n" +
                     functions +
                     ".visible .entry k(.param .u64 .ptr .global .align 1 k_param_0,\n"
                     ".param .u64 k_param_1, .param .u32 k_param_2)\n.reqntid 64\n{\n" +
                     body + "\n}\n";
  PtxModule module = parsePtx(text);
  REQUIRE(module.error == "");
  REQUIRE(module.kernels.size() == 1);
  PtxLaunch launch;
  launch.grid[0] = grid;
  launch.arguments = std::move(arguments);
  launch.sharedBytes = sharedBytes;
  launch.maxSteps = 100000;
  return emulatePtx(module, module.kernels[0], launch);
}

/// Leaves the thread's index in %r1 and the address of its float of the first argument in %rd2.
const std::string kOwnElement = R"(
  .reg .pred %p<4>; .reg .b32 %r<20>; .reg .b64 %rd<8>; .reg .f32 %f<8>; .reg .b16 %rs<4>;
  ld.param.b64 %rd1, [k_param_0];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mad.lo.s32 %r3, %r2, 64, %r1;
  mul.wide.s32 %rd3, %r3, 4;
  add.s64 %rd2, %rd1, %rd3;
)";

} // namespace

TEST_CASE("every thread of every CTA works on its own element", "[support]") {
  std::vector<float> x(256), expected(256);
  std::iota(x.begin(), x.end(), -100.0f);
  for (size_t i = 0; i < x.size(); ++i)
    expected[i] = std::fma(x[i], 1.5f, 0.25f);
  PtxOutcome outcome = run(kOwnElement + R"(
    ld.global.b32 %f1, [%rd2];
    fma.rn.f32 %f2, %f1, 0f3FC00000, 0f3E800000;
    st.global.b32 [%rd2], %f2;
    ret;)",
                           {bufferOf(x)}, 4);
  CHECK(outcome.error == "");
  CHECK(x == expected);
  CHECK(outcome.statistics.globalAccesses == 512);
}

TEST_CASE("a butterfly shuffle sums a warp", "[support]") {
  std::vector<float> x(64, 1.0f);
  x[40] = 10.0f;
  PtxOutcome outcome = run(kOwnElement + R"(
    ld.global.b32 %r4, [%rd2];
    shfl.sync.bfly.b32 %r5, %r4, 16, 31, -1;
    add.f32 %r4, %r4, %r5;
    shfl.sync.bfly.b32 %r5|%p1, %r4, 8, 31, -1;
    add.f32 %r4, %r4, %r5;
    shfl.sync.bfly.b32 %r5, %r4, 4, 31, -1;
    add.f32 %r4, %r4, %r5;
    shfl.sync.bfly.b32 %r5, %r4, 2, 31, -1;
    add.f32 %r4, %r4, %r5;
    shfl.sync.bfly.b32 %r5, %r4, 1, 31, -1;
    add.f32 %r4, %r4, %r5;
    st.global.b32 [%rd2], %r4;
    ret;)",
                           {bufferOf(x)});
  CHECK(outcome.error == "");
  CHECK(x[0] == 32.0f);
  CHECK(x[63] == 41.0f);
}

namespace {
std::string exchange(const std::string &barrier) {
  return kOwnElement + R"(
    ld.global.v2.b32 {%r4, %r6}, [%rd1];
    mov.b32 %r7, smem;
    shl.b32 %r8, %r1, 2;
    add.s32 %r9, %r7, %r8;
    st.shared.b32 [%r9], %r1;)" +
         barrier + R"(
    xor.b32 %r10, %r1, 63;
    shl.b32 %r10, %r10, 2;
    add.s32 %r11, %r7, %r10;
    ld.shared.b32 %r12, [%r11];
    cvt.rn.f32.u32 %f1, %r12;
    st.global.b32 [%rd2], %f1;
    ret;)";
}
} // namespace

TEST_CASE("packed halves are compared each for itself", "[support]") {
  // Halves (1, NaN): the first is a number, the second is not.
  std::vector<float> x(64);
  PtxOutcome outcome = run(kOwnElement + R"(
    mov.b32 %r4, 0x7e003c00;
    setp.nan.f16x2 %p1|%p2, %r4, %r4;
    selp.b32 %r5, 1, 0, %p1;
    selp.b32 %r6, 2, 0, %p2;
    add.u32 %r5, %r5, %r6;
    cvt.rn.f32.u32 %f1, %r5;
    st.global.b32 [%rd2], %f1;
    ret;)",
                           {bufferOf(x)});
  CHECK(outcome.error == "");
  CHECK(x[0] == 2.0f);
}

TEST_CASE("flushing to zero keeps NaN", "[support]") {
  std::vector<float> x(64, std::numeric_limits<float>::quiet_NaN());
  x[1] = -1e-40f;
  PtxOutcome outcome = run(kOwnElement + R"(
    ld.global.b32 %f1, [%rd2];
    abs.ftz.f32 %f1, %f1;
    st.global.b32 [%rd2], %f1;
    ret;)",
                           {bufferOf(x)});
  CHECK(outcome.error == "");
  CHECK(std::isnan(x[0]));
  CHECK(x[1] == 0.0f);
}

TEST_CASE("shared memory is seen by the others after a barrier", "[support]") {
  std::vector<float> x(64);
  PtxOutcome outcome = run(exchange("bar.sync 0;"), {bufferOf(x)}, 1, 256);
  CHECK(outcome.error == "");
  CHECK(x[0] == 63.0f);
  CHECK(x[63] == 0.0f);
  CHECK(outcome.statistics.barriers == 1);
}

TEST_CASE("a missing barrier is a race", "[support]") {
  std::vector<float> x(64);
  PtxOutcome outcome = run(exchange(""), {bufferOf(x)}, 1, 256);
  CHECK(outcome.error.find("race on byte") != std::string::npos);
}

TEST_CASE("an access outside every buffer is a fault with its line", "[support]") {
  std::vector<float> x(32);
  PtxOutcome outcome = run(kOwnElement + "ld.global.b32 %f1, [%rd2];\nret;", {bufferOf(x)});
  CHECK(outcome.error.find("access outside global memory") != std::string::npos);
  CHECK(outcome.error.find("thread 32") != std::string::npos);
}

TEST_CASE("a barrier that half of the threads miss is reported", "[support]") {
  std::vector<float> x(64);
  PtxOutcome outcome = run(kOwnElement + R"(
    setp.lt.u32 %p1, %r1, 32;
    @%p1 bra $L1;
    shfl.sync.idx.b32 %r5, %r1, 0, 31, -1;
    bar.sync 0;
    $L1:
    bar.warp.sync -1;
    @%p1 bra $L1;
    ret;)",
                           {bufferOf(x)});
  CHECK(outcome.error != "");
}

TEST_CASE("inline assembly has registers of its own", "[support]") {
  std::vector<float> x(64, 2.0f);
  PtxOutcome outcome = run(kOwnElement + R"(
    mov.u32 %r4, 0;
    setp.gt.u32 %p1, %r1, 3;
    // begin inline asm
    { .reg .pred q; not.pred q, %p1;
    @q ld.global.L1::evict_last.b32 {%r4}, [%rd2+0]; }
    // end inline asm
    st.global.b32 [%rd2], %r4;
    ret;)",
                           {bufferOf(x)});
  CHECK(outcome.error == "");
  CHECK(x[3] == 2.0f);
  CHECK(x[4] == 0.0f);
}

TEST_CASE("a NaN is not a tiny number, and pairs do not carry into each other", "[support]") {
  std::vector<float> x(64, std::numeric_limits<float>::quiet_NaN());
  x[1] = std::numeric_limits<float>::denorm_min();
  PtxOutcome outcome = run(kOwnElement + R"(
    ld.global.b32 %r4, [%rd2];
    abs.ftz.f32 %r4, %r4;
    st.global.b32 [%rd2], %r4;
    ret;)",
                           {bufferOf(x)});
  CHECK(outcome.error == "");
  CHECK(std::isnan(x[0]));
  CHECK(x[1] == 0.0f);

  outcome = run(kOwnElement + R"(
    mov.b32 %r4, 0x7fffffff;
    mov.b32 %r5, 0x00010001;
    add.s16x2 %r4, %r4, %r5;
    st.global.b32 [%rd2], %r4;
    ret;)",
                {bufferOf(x)});
  CHECK(outcome.error == "");
  CHECK(std::bit_cast<uint32_t>(x[0]) == 0x80000000);
}

TEST_CASE("directed rounding", "[support]") {
  std::vector<float> x(64, 1.0f);
  PtxOutcome outcome = run(kOwnElement + R"(
    ld.global.f32 %f1, [%rd2];
    fma.rp.f32 %f2, %f1, 0f2F800000, %f1;
    fma.rz.f32 %f3, %f1, 0fAF800000, %f1;
    sub.f32 %f3, %f2, %f3;
    st.global.f32 [%rd2], %f3;
    ret;)",
                           {bufferOf(x)});
  CHECK(outcome.error == "");
  // 1 + 2^-23 and 1 - 2^-24.
  CHECK(x[0] == 0x1.8p-23f);
}

TEST_CASE("a narrow float is added to a wide one without rounding it", "[support]") {
  std::vector<float> x(64, 0x1p-20f);
  PtxOutcome outcome = run(kOwnElement + R"(
    ld.global.b32 %f1, [%rd2];
    mov.b16 %rs1, 0x3C00;
    add.rn.f32.f16 %f2, %rs1, %f1;
    sub.rn.f32.f16 %f3, %rs1, %f2;
    fma.rn.f32.bf16 %f4, 0x4000, 0x4040, %f3;
    st.global.b32 [%rd2], %f4;
    ret;)",
                           {bufferOf(x)});
  CHECK(outcome.error == "");
  CHECK(x == std::vector<float>(64, 6.0f - 0x1p-20f));
}

TEST_CASE("narrow floats round to nearest even", "[support]") {
  PtxType half{PtxType::Kind::Float, 16, 1}, brain{PtxType::Kind::BFloat, 16, 1},
      e4m3{PtxType::Kind::Float8E4M3, 8, 1};
  CHECK(floatToBits(1.0, half) == 0x3c00);
  CHECK(floatToBits(1.0 + 0x1p-11, half) == 0x3c00);
  CHECK(floatToBits(1.0 + 3 * 0x1p-11, half) == 0x3c02);
  CHECK(floatToBits(65520.0, half) == 0x7c00);
  CHECK(floatToBits(65519.0, half) == 0x7bff);
  CHECK(floatToBits(0x1p-24, half) == 0x0001);
  CHECK(floatToBits(-2.0, brain) == 0xc000);
  CHECK(floatToBits(1.0 + 0x1p-8, brain) == 0x3f80);
  CHECK(floatToBits(448.0, e4m3) == 0x7e);
  CHECK(floatToBits(1000.0, e4m3) == 0x7e);
  CHECK(floatFromBits(0x7e, e4m3) == 448.0);
  CHECK(floatFromBits(0x0001, half) == 0x1p-24);
  CHECK(std::isnan(floatFromBits(0x7f, e4m3)));
  for (const char *name : {"s", "s7", "s-8", "s32x", "s6777777777", "u99999999999999999999"})
    CHECK_FALSE(parsePtxType(name));
  for (uint64_t bits = 0; bits < 0x7c00; ++bits)
    REQUIRE(floatToBits(floatFromBits(bits, half), half) == bits);
}

TEST_CASE("a warp multiplies matrices fragment by fragment", "[support]") {
  // A[row][k] = row + k, B[k][column] = column == k: the result repeats the first columns of A.
  PtxFragments left, right, sums;
  auto half = [](double value) {
    return static_cast<uint32_t>(floatToBits(value, *parsePtxType("f16")));
  };
  auto pair = [&](double low, double high) { return half(low) | half(high) << 16; };
  for (int lane = 0; lane < 32; ++lane) {
    int row = lane / 4, k = lane % 4 * 2;
    left[lane] = {pair(row + k, row + k + 1), pair(row + 8 + k, row + 9 + k),
                  pair(row + k + 8, row + k + 9), pair(row + k + 16, row + k + 17)};
    right[lane] = {pair(row == k, row == k + 1), pair(0, 0)};
    sums[lane] = std::vector<uint32_t>(4, std::bit_cast<uint32_t>(0.5f));
  }
  PtxInstruction instruction;
  instruction.op = "mma";
  instruction.modifiers = {"sync", "aligned", "m16n8k16", "row", "col", "f32", "f16", "f16", "f32"};
  std::optional<PtxFragments> products = multiplyFragments(instruction, left, right, sums);
  REQUIRE(products);
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 4; ++i) {
      INFO("lane " << lane << ", register " << i);
      int row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
      CHECK(std::bit_cast<float>((*products)[lane][i]) == row + column + 0.5f);
    }
  instruction.modifiers[2] = "m16n8k32";
  CHECK_FALSE(multiplyFragments(instruction, left, right, sums));
}

TEST_CASE("an asynchronous copy arrives when it is waited for", "[support]") {
  // Every thread copies 4 bytes, reads them before and after waiting, and stores both.
  for (bool waits : {false, true}) {
    std::vector<float> x(64);
    std::iota(x.begin(), x.end(), 1.0f);
    std::string wait = waits ? "cp.async.wait_group 0;" : "cp.async.wait_group 1;";
    PtxOutcome outcome = run(kOwnElement + R"(
      mov.b32 %r6, smem;
      shl.b32 %r7, %r1, 2;
      add.s32 %r6, %r6, %r7;
      mov.b32 %r8, 0;
      st.shared.b32 [%r6], %r8;
      cp.async.ca.shared.global [ %r6 + 0 ], [ %rd2 + 0 ], 4;
      cp.async.commit_group;
      )" + wait + R"(
      ld.shared.b32 %f1, [%r6];
      st.global.b32 [%rd2], %f1;
      ret;)",
                             {bufferOf(x)}, 1, 256);
    CHECK(outcome.error == "");
    CHECK(x[5] == (waits ? 6.0f : 0.0f));
  }
}

TEST_CASE("a matrix load hands out rows, or columns when transposed", "[support]") {
  // A warp writes the numbers 0..63 as 8 rows of 8, then reads them as one matrix.
  for (bool isTransposed : {false, true}) {
    std::vector<float> x(64, -1.0f);
    std::string form = isTransposed ? ".trans" : "";
    PtxOutcome outcome = run(kOwnElement + R"(
      mov.b32 %r6, smem;
      shl.b32 %r7, %r1, 1;
      add.s32 %r7, %r6, %r7;
      cvt.u16.u32 %rs1, %r1;
      st.shared.b16 [%r7], %rs1;
      bar.sync 0;
      and.b32 %r8, %r1, 7;
      shl.b32 %r8, %r8, 4;
      add.s32 %r8, %r6, %r8;
      ldmatrix.sync.aligned.m8n8.x1)" +
                                 form + R"(.shared.b16 {%r9}, [%r8];
      and.b32 %r10, %r9, 65535;
      cvt.rn.f32.u32 %f1, %r10;
      st.global.b32 [%rd2], %f1;
      ret;)",
                             {bufferOf(x)}, 1, 128);
    CHECK(outcome.error == "");
    // Lane 6: row 1, columns 4 and 5; or rows 4 and 5 of column 1.
    CHECK(x[6] == (isTransposed ? 4 * 8 + 1 : 1 * 8 + 4));
  }
}

TEST_CASE("functions take arguments, call others and give results", "[support]") {
  // twice(x) = once(x) + once(x), with its own branch; the results differ per thread.
  const std::string functions = R"(
.func (.param .b32 func_retval0) twice(.param .b32 twice_param_0);
.global .align 1 .b8 format[7] = {37, 117, 32, 37, 102, 10};
.extern .func (.param .b32 func_retval0) vprintf(.param .b64 a, .param .b64 b);
.func (.param .b32 func_retval0) once(.param .b32 once_param_0) {
  .reg .pred %p<1>;
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [once_param_0];
  setp.lt.u32 %p0, %r1, 8;
  @%p0 bra $small;
  add.s32 %r1, %r1, 100;
$small:
  st.param.b32 [func_retval0], %r1;
  ret;
}
.func (.param .b32 func_retval0) twice(.param .b32 twice_param_0) {
  .reg .b32 %r<4>;
  ld.param.b32 %r1, [twice_param_0];
  {
  .param .b32 param0;
  .param .b32 retval0;
  st.param.b32 [param0], %r1;
  call.uni (retval0), once, (param0);
  ld.param.b32 %r2, [retval0];
  }
  {
  .param .b32 param0;
  .param .b32 retval0;
  st.param.b32 [param0], %r1;
  call.uni (retval0), once, (param0);
  ld.param.b32 %r3, [retval0];
  }
  add.s32 %r2, %r2, %r3;
  st.param.b32 [func_retval0], %r2;
  ret;
}
)";
  std::vector<float> x(64);
  PtxOutcome outcome = run(kOwnElement + R"(
    .local .align 8 .b8 values[16];
    {
    .param .b32 param0;
    .param .b32 retval0;
    st.param.b32 [param0], %r1;
    call.uni (retval0), twice, (param0);
    ld.param.b32 %r4, [retval0];
    }
    cvt.rn.f32.u32 %f1, %r4;
    st.global.b32 [%rd2], %f1;
    setp.ne.u32 %p1, %r1, 9;
    @%p1 bra $end;
    mov.b64 %rd3, values;
    st.local.b32 [%rd3], %r4;
    cvt.f64.f32 %rd5, %f1;
    st.local.b64 [%rd3+8], %rd5;
    cvta.local.u64 %rd3, %rd3;
    {
    .param .b64 param0;
    .param .b64 param1;
    .param .b32 retval0;
    mov.b64 %rd4, format;
    cvta.global.u64 %rd4, %rd4;
    st.param.b64 [param0], %rd4;
    st.param.b64 [param1], %rd3;
    call.uni (retval0), vprintf, (param0, param1);
    }
  $end:
    ret;)",
                           {bufferOf(x)}, 1, 0, functions);
  CHECK(outcome.error == "");
  for (int i = 0; i < 64; ++i)
    CHECK(x[i] == 2 * (i < 8 ? i : i + 100));
  CHECK(outcome.printed == "218 218.000000\n");
}
