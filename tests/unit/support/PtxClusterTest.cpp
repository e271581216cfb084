// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/support/ptx/PtxEmulator.h"

#include <catch2/catch.hpp>

using namespace tilescope::tests;

namespace {

constexpr uint32_t kThreads = 32, kBlocks = 2;

/// Each thread writes its CTA's rank and its own number to shared memory, and passes on what its
/// like in the other CTA of the cluster wrote.
PtxOutcome exchange(const std::string &before, const std::string &after, std::vector<uint32_t> &out,
                    const std::string &address = "mapa.shared::cluster.u32 %r7, %r4, %r6;") {
  const std::string text = R"(.version 8.0
.target sm_90a
.address_size 64
.extern .shared .align 16 .b8 smem[];
.visible .entry k(.param .u64 .ptr .global .align 1 k_param_0)
.reqntid 32
.explicitcluster
.reqnctapercluster 2
{
  .reg .b32 %r<20>; .reg .b64 %rd<4>;
  ld.param.b64 %rd1, [k_param_0];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %cluster_ctarank;
  mov.u32 %r3, smem;
  mad.lo.s32 %r4, %r1, 4, %r3;
  mad.lo.s32 %r5, %r2, 100, %r1;
  st.shared.b32 [%r4], %r5;
)" + before + R"(
  xor.b32 %r6, %r2, 1;
)" + address + R"(
  ld.shared::cluster.b32 %r8, [%r7];
)" + after + R"(
  mov.u32 %r9, %ctaid.x;
  mad.lo.s32 %r10, %r9, 32, %r1;
  mul.wide.s32 %rd2, %r10, 4;
  add.s64 %rd3, %rd1, %rd2;
  mov.u32 %r11, %clusterid.x;
  mad.lo.s32 %r8, %r11, 1000, %r8;
  st.global.b32 [%rd3], %r8;
  ret;
}
)";
  const PtxModule module = parsePtx(text);
  REQUIRE(module.error == "");
  REQUIRE(module.kernels.at(0).blocks == kBlocks);
  out.assign(2 * kBlocks * kThreads, 0);
  PtxLaunch launch;
  launch.grid[0] = 2 * kBlocks;
  launch.sharedBytes = 4 * kThreads;
  launch.arguments = {
      {{reinterpret_cast<uint8_t *>(out.data()), out.size() * sizeof(uint32_t)}, 0}};
  return emulatePtx(module, module.kernels[0], launch);
}

const std::string kMeet = "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n";

} // namespace

TEST_CASE("the CTAs of a cluster read each other's shared memory between two barriers",
          "[support]") {
  std::vector<uint32_t> out;
  REQUIRE(exchange(kMeet, kMeet, out).error == "");
  for (uint32_t i = 0; i < out.size(); ++i) {
    const uint32_t cluster = i / (kBlocks * kThreads), rank = i / kThreads % kBlocks;
    CHECK(out[i] == 1000 * cluster + 100 * (1 - rank) + i % kThreads);
  }
}

TEST_CASE("the emulator finds clusters whose CTAs do not wait for each other", "[support]") {
  std::vector<uint32_t> out;
  const auto problem = [&](const std::string &before, const std::string &after) {
    return exchange(before, after, out).error;
  };
  // What the other CTA will write is read too early, or is read after it has ended.
  CHECK(problem("", kMeet).find("race on byte") != std::string::npos);
  CHECK(problem("bar.sync 0;\n", kMeet).find("race on byte") != std::string::npos);
  CHECK(problem("barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.aligned;\n", kMeet)
            .find("race on byte") != std::string::npos);
  CHECK(problem(kMeet, "").find("has ended") != std::string::npos);
  CHECK(problem("barrier.cluster.arrive.aligned;\n" + kMeet, kMeet)
            .find("has not waited since it arrived last") != std::string::npos);
}

TEST_CASE("an address without a CTA is one's own, and there are no more CTAs than the cluster has",
          "[support]") {
  std::vector<uint32_t> out;
  REQUIRE(exchange(kMeet, kMeet, out, "mov.b32 %r7, %r4;").error == "");
  CHECK(out[0] == 0);
  CHECK(out[kThreads] == 100);
  CHECK(exchange(kMeet, kMeet, out, "add.s32 %r6, %r6, 2;\nmapa.shared::cluster.u32 %r7, %r4, %r6;")
            .error.find("the cluster has no such CTA") != std::string::npos);
}
