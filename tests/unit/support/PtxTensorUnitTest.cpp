// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Tensor memory, and the products that are written there.
#include "tests/support/ptx/PtxTensorUnit.h"

#include "tests/support/ptx/PtxEmulator.h"

#include <catch2/catch.hpp>

using namespace tilescope::tests;
using Catch::Contains;

namespace {

/// A kernel of 128 threads: its tensor memory in %r3, its quarter of the rows in %r4, its place in
/// `out` in %rd1; frees what it has at the end.
PtxOutcome run(const std::string &body, std::vector<uint32_t> &out) {
  std::string text =
      ".version 8.8\n.target sm_100a\n.address_size 64\n.extern .shared .align 1024 .b8 smem[];\n"
      ".visible .entry k(.param .u64 k_param_0)\n.reqntid 128\n{\n"
      ".reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %rd<9>;\n"
      "ld.param.b64 %rd1, [k_param_0]; mov.u32 %r1, %tid.x;\n"
      "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2;\n"
      "mov.b32 %r2, smem; setp.lt.u32 %p1, %r1, 32; setp.eq.u32 %p2, %r1, 0;\n"
      "@%p1 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r2], 32;\n"
      "bar.sync 0; ld.shared.b32 %r3, [%r2]; fence.proxy.async.shared::cta; bar.sync 0;\n"
      "and.b32 %r4, %r1, 96; shl.b32 %r4, %r4, 16; add.s32 %r4, %r4, %r3;\n"
      "add.s32 %r5, %r2, 16384;\n" +
      body + "\nbar.sync 0; @%p1 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r3, 32;\nret;\n}\n";
  PtxModule module = parsePtx(text);
  REQUIRE(module.error == "");
  PtxLaunch launch;
  launch.maxSteps = 100000;
  launch.sharedBytes = 20480;
  launch.arguments = {{std::span(reinterpret_cast<uint8_t *>(out.data()), out.size() * 4), 0, {}}};
  return emulatePtx(module, module.kernels[0], launch);
}

const std::string kStore = "tcgen05.st.sync.aligned.32x32b.x2.b32 [%r4], {%r1, %r1};\n";
const std::string kLoad = "tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r6, %r7}, [%r4];\n";
const std::string kStored = "tcgen05.wait::st.sync.aligned;\n";
const std::string kLoaded = "tcgen05.wait::ld.sync.aligned;\n";
const std::string kOut = "st.global.b32 [%rd1], %r7;\n";
/// Factors of zeros in the first 8 KiB.
const std::string kZeros = "mov.b32 %r8, 0; shl.b32 %r9, %r1, 4; add.s32 %r9, %r9, %r2;\n"
                           "st.shared.v4.b32 [%r9], {%r8, %r8, %r8, %r8};\n"
                           "st.shared.v4.b32 [%r9+2048], {%r8, %r8, %r8, %r8};\n"
                           "@%p2 mbarrier.init.shared::cta.b64 [%r5], 1;\n";
/// 128 x 16 x 16 in f16 without swizzle, added to what is there.
const std::string kProduct =
    "shr.u32 %r10, %r2, 4; cvt.u64.u32 %rd3, %r10; or.b64 %rd3, %rd3, 70403103916040;\n"
    "setp.eq.u32 %p3, %r1, %r1; mov.b32 %r11, 0x8040010;\n"
    "@%p2 tcgen05.mma.cta_group::1.kind::f16 [%r3], %rd3, %rd3, %r11, %p3;\n"
    "@%p2 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r5];\n";
const std::string kWait = "{ .reg .pred done; again: mbarrier.try_wait.parity.shared.b64 done, "
                          "[%r5], 0; @!done bra again; }\n";

} // namespace

TEST_CASE("every thread finds its row again") {
  std::vector<uint32_t> out(128);
  CHECK(run(kStore + kStored + kLoad + kLoaded + kOut, out).error == "");
  CHECK(out[0] == 0);
  CHECK(out[101] == 101);
}

TEST_CASE("registers hold what was loaded only after the wait") {
  std::vector<uint32_t> out(128);
  CHECK(run(kStore + kStored + kLoad + kOut + kLoaded, out).error == "");
  CHECK(out[101] != 101);
}

TEST_CASE("a load waits for the stores before it") {
  std::vector<uint32_t> out(128);
  CHECK_THAT(run(kStore + kLoad + kStored + kLoaded, out).error, Contains("of tensor memory"));
}

TEST_CASE("a warp reaches its own rows only, and the kernel its own columns") {
  std::vector<uint32_t> out(128);
  CHECK_THAT(run("mov.b32 %r4, %r3;\n" + kStore + kStored, out).error, Contains("its own quarter"));
  CHECK_THAT(run("add.s32 %r4, %r4, 31;\n" + kStore + kStored, out).error,
             Contains("outside the kernel's tensor memory"));
}

TEST_CASE("a product adds to what threads stored, once they have met") {
  std::vector<uint32_t> out(128);
  const std::string meet = "fence.proxy.async.shared::cta; bar.sync 0;\n";
  const std::string end = kWait + kLoad + kLoaded + kOut;
  const std::string one = "mov.b32 %r1, 0x3f800000;\n";
  CHECK(run(kZeros + one + kStore + kStored + "mov.u32 %r1, %tid.x;\n" + meet + kProduct + end, out)
            .error == "");
  CHECK(out[77] == 0x3f800000);
  CHECK_THAT(run(kZeros + kStore + meet + kProduct + kStored + end, out).error,
             Contains("of tensor memory"));
  CHECK_THAT(run(kZeros + kStore + kStored + "bar.sync 0;\n" + kProduct + end, out).error,
             Contains("without a proxy fence"));
  CHECK_THAT(run(kZeros + kStore + kStored + meet + kProduct + kLoad + kLoaded + kWait, out).error,
             Contains("of tensor memory"));
}

TEST_CASE("numbers of 4 and 8 bits") {
  CHECK(tensorElement(0x7, "e2m1") == 6);
  CHECK(tensorElement(0x9, "e2m1") == -0.5);
  CHECK(tensorElement(130, "ue8m0") == 8);
  CHECK(tensorElement(0x38, "ue4m3") == 1);
}
