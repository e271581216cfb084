// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/support/ptx/PtxGroupMatrix.h"

#include "tests/support/ptx/PtxEmulator.h"

#include <catch2/catch.hpp>
#include <numeric>

using namespace tilescope::tests;

namespace {

/// What a case replaces in the kernel.
struct Steps {
  std::string proxyFence = "fence.proxy.async.shared::cta;";
  std::string registerFence = "wgmma.fence.sync.aligned;";
  std::string meanwhile;
  std::string wait = "wgmma.wait_group.sync.aligned 0;";
};

/// Multiplies the 64 x 8 matrix 0, 1, 2, … by the identity, from units of 8 rows by 16 bytes: the
/// second half of K is 128 bytes on, the next 8 rows are 256 bytes on.
PtxOutcome multiply(const Steps &steps, std::vector<float> &result) {
  const std::string text = R"(.version 8.0
.target sm_90a
.address_size 64
.extern .shared .align 16 .b8 smem[];
.visible .entry k(.param .u64 .ptr .global .align 1 k_param_0)
.reqntid 128
{
  .reg .pred %p<4>; .reg .b32 %r<20>; .reg .b64 %rd<8>; .reg .f32 %f<20>;
  ld.param.b64 %rd1, [k_param_0];
  mov.u32 %r1, %tid.x;
  shr.u32 %r2, %r1, 1;
  and.b32 %r3, %r1, 1;
  and.b32 %r4, %r2, 7;
  shl.b32 %r4, %r4, 4;
  shr.u32 %r5, %r2, 3;
  shl.b32 %r5, %r5, 8;
  add.s32 %r4, %r4, %r5;
  shl.b32 %r6, %r3, 7;
  add.s32 %r4, %r4, %r6;
  mov.u32 %r7, smem;
  add.s32 %r4, %r4, %r7;
  shl.b32 %r8, %r1, 2;
  cvt.rn.f32.u32 %f1, %r8;
  add.f32 %f2, %f1, 0f3F800000;
  add.f32 %f3, %f2, 0f3F800000;
  add.f32 %f4, %f3, 0f3F800000;
  st.shared.v4.f32 [%r4], {%f1, %f2, %f3, %f4};
  setp.ge.u32 %p1, %r1, 16;
  @%p1 bra $filled;
  shl.b32 %r9, %r3, 2;
  sub.s32 %r9, %r2, %r9;
  setp.eq.s32 %p2, %r9, 0;
  selp.f32 %f5, 0f3F800000, 0f00000000, %p2;
  setp.eq.s32 %p2, %r9, 1;
  selp.f32 %f6, 0f3F800000, 0f00000000, %p2;
  setp.eq.s32 %p2, %r9, 2;
  selp.f32 %f7, 0f3F800000, 0f00000000, %p2;
  setp.eq.s32 %p2, %r9, 3;
  selp.f32 %f8, 0f3F800000, 0f00000000, %p2;
  st.shared.v4.f32 [%r4 + 2048], {%f5, %f6, %f7, %f8};
$filled:
  )" + steps.proxyFence + R"(
  bar.sync 0;
  mov.b64 %rd2, 0x0000001000080000;
  mov.b64 %rd3, 0x0000001000080080;
  )" + steps.registerFence +
                           R"(
  wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%f9, %f10, %f11, %f12}, %rd2, %rd3, 0, 1, 1;
  wgmma.commit_group.sync.aligned;
  )" + steps.meanwhile + "\n  " +
                           steps.wait + R"(
  shr.u32 %r10, %r1, 5;
  shl.b32 %r10, %r10, 4;
  and.b32 %r11, %r1, 31;
  shr.u32 %r11, %r11, 2;
  add.s32 %r10, %r10, %r11;
  shl.b32 %r10, %r10, 3;
  and.b32 %r12, %r1, 3;
  shl.b32 %r12, %r12, 1;
  add.s32 %r10, %r10, %r12;
  mul.wide.s32 %rd4, %r10, 4;
  add.s64 %rd5, %rd1, %rd4;
  st.global.v2.f32 [%rd5], {%f9, %f10};
  st.global.v2.f32 [%rd5 + 256], {%f11, %f12};
  ret;
}
)";
  const PtxModule module = parsePtx(text);
  REQUIRE(module.error == "");
  result.assign(64 * 8, -1.0f);
  PtxLaunch launch;
  launch.arguments = {
      {{reinterpret_cast<uint8_t *>(result.data()), result.size() * sizeof(float)}, 0}};
  launch.sharedBytes = 4096;
  return emulatePtx(module, module.kernels.at(0), launch);
}

std::vector<float> counted() {
  std::vector<float> values(64 * 8);
  std::iota(values.begin(), values.end(), 0.0f);
  return values;
}

} // namespace

TEST_CASE("four warps multiply from shared memory", "[support]") {
  std::vector<float> result;
  CHECK(multiply({}, result).error == "");
  CHECK(result == counted());
}

TEST_CASE("a product is there only after the wait", "[support]") {
  Steps steps;
  steps.wait = "";
  std::vector<float> result;
  CHECK(multiply(steps, result).error == "");
  CHECK(result != counted());
}

TEST_CASE("a product under way keeps its factors", "[support]") {
  Steps steps;
  steps.meanwhile = "st.shared.f32 [%r4], %f1;";
  std::vector<float> result;
  CHECK(multiply(steps, result).error.find("race on byte") != std::string::npos);
}

TEST_CASE("products need both fences", "[support]") {
  std::vector<float> result;
  Steps steps;
  steps.proxyFence = "";
  CHECK(multiply(steps, result).error.find("without a proxy fence") != std::string::npos);
  steps = {};
  steps.registerFence = "";
  CHECK(multiply(steps, result).error.find("no `wgmma.fence` before") != std::string::npos);
}

TEST_CASE("descriptors say where a factor's elements are", "[support]") {
  // From 1024 on, 8 rows to the next 1024 bytes, 128-byte swizzle: row 1 begins one unit to the
  // right, and its second unit takes the place of the first.
  const uint64_t swizzled = 1024 >> 4 | uint64_t{1024 >> 4} << 32 | uint64_t{1} << 62;
  const PtxGroupFactor along{swizzled, false, 2};
  CHECK(along.addressOf(0, 0) == 1024);
  CHECK(along.addressOf(1, 0) == 1024 + 128 + 16);
  CHECK(along.addressOf(1, 8) == 1024 + 128);
  CHECK(along.addressOf(9, 1) == 2048 + 128 + 16 + 2);
  // The same memory read across: rows are steps along K, and `leading` leads to the next 64
  // columns.
  const PtxGroupFactor across{swizzled | uint64_t{4096 >> 4} << 16, true, 2};
  CHECK(across.addressOf(1, 0) == 1024 + 2);
  CHECK(across.addressOf(0, 1) == 1024 + 128 + 16);
  CHECK(across.addressOf(64, 0) == 1024 + 4096);
  // With 32 bytes, four rows share a phase.
  const PtxGroupFactor narrow{uint64_t{256 >> 4} << 32 | uint64_t{3} << 62, false, 2};
  CHECK(narrow.addressOf(3, 0) == 96);
  CHECK(narrow.addressOf(4, 0) == 128 + 16);
}
