// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Copies of boxes of tensors, barriers in shared memory, and barriers of a part of the CTA.
#include "tests/support/ptx/PtxEmulator.h"
#include "tests/support/ptx/PtxTensorMap.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <numeric>

using namespace tilescope::tests;
using Catch::Contains;

namespace {

constexpr int kRows = 12, kColumns = 40;

/// A kernel of 64 threads with a tensor map, and a buffer of 64 words in %rd2 at the thread's own.
PtxOutcome run(const std::string &body, std::vector<uint32_t> &matrix, std::vector<uint32_t> &out,
               const PtxTensorMap &map) {
  std::string text = ".version 8.0\n.target sm_90a\n.address_size 64\n"
                     ".extern .shared .align 16 .b8 smem[];\n"
                     ".visible .entry k(.param .align 64 .b8 k_param_0[128],\n"
                     ".param .u64 k_param_1)\n.reqntid 64\n{\n"
                     ".reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<9>;\n"
                     "mov.b64 %rd1, k_param_0; cvta.param.u64 %rd1, %rd1;\n"
                     "ld.param.b64 %rd2, [k_param_1];\n"
                     "mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd2, %rd2, %rd3;\n"
                     "setp.eq.u32 %p1, %r1, 0; mov.b32 %r2, smem; add.s32 %r3, %r2, 1024;\n"
                     "shl.b32 %r4, %r1, 2; add.s32 %r5, %r2, %r4;\n" +
                     body + "\nret;\n}\n";
  PtxModule module = parsePtx(text);
  REQUIRE(module.error == "");
  PtxLaunch launch;
  launch.maxSteps = 10000;
  launch.sharedBytes = 2048;
  auto bytesOf = [](std::vector<uint32_t> &words) {
    return std::span(reinterpret_cast<uint8_t *>(words.data()), words.size() * 4);
  };
  std::vector<uint8_t> bytes(PtxTensorMap::kBytes);
  std::memcpy(bytes.data(), &map, sizeof(map));
  launch.arguments = {{bytesOf(matrix), 0, bytes}, {bytesOf(out), 0, {}}};
  return emulatePtx(module, module.kernels[0], launch);
}

std::vector<uint32_t> numbered() {
  std::vector<uint32_t> matrix(kRows * kColumns);
  std::iota(matrix.begin(), matrix.end(), 1000);
  return matrix;
}

PtxTensorMap mapOf(std::vector<uint32_t> &matrix, uint32_t rows, uint32_t columns,
                   uint8_t swizzle) {
  PtxTensorMap map;
  map.base = reinterpret_cast<uint64_t>(matrix.data());
  map.rank = 2;
  map.extents = {kColumns, kRows};
  map.box = {columns, rows};
  map.elementStrides = {1, 1};
  map.strides = {kColumns * 4};
  map.elementType = 2;
  map.swizzle = swizzle;
  return map;
}

const std::string kInit = "@%p1 mbarrier.init.shared::cta.b64 [%r3], 1; bar.sync 0;\n";
/// Row 10 and column 24 on: rows 12 and 13 are outside.
const std::string kLoad =
    "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r3], 256;\n"
    "mov.b32 %r6, 24; mov.b32 %r7, 10;\n"
    "@%p1 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
    "[%r2], [%rd1, {%r6, %r7}], [%r3];\n";
const std::string kWait = "{ .reg .pred done; again: mbarrier.try_wait.parity.shared.b64 done, "
                          "[%r3], 0; @!done bra again; }\n";
const std::string kShow = "ld.shared.b32 %r8, [%r5]; st.global.b32 [%rd2], %r8;\n";

} // namespace

TEST_CASE("a box arrives when its barrier says so, zeros outside of the tensor", "[support]") {
  std::vector<uint32_t> matrix = numbered(), out(64);
  PtxOutcome outcome = run(kInit + kLoad + kWait + kShow, matrix, out, mapOf(matrix, 4, 16, 0));
  CHECK(outcome.error == "");
  for (int i = 0; i < 64; ++i)
    CHECK(out[i] == (i < 32 ? matrix[(10 + i / 16) * kColumns + 24 + i % 16] : 0));
}

TEST_CASE("a swizzled box has its chunks of 16 bytes exchanged", "[support]") {
  std::vector<uint32_t> matrix = numbered(), out(64);
  // 64 bytes a row: rows 2 and 3 stand in the second 128 bytes, with neighboring chunks exchanged.
  PtxTensorMap map = mapOf(matrix, 4, 16, 2);
  map.extents = {kColumns, kRows + 2};
  matrix.resize(kRows * kColumns + 2 * kColumns, 7);
  map.base = reinterpret_cast<uint64_t>(matrix.data());
  PtxOutcome outcome = run(kInit + kLoad + kWait + kShow, matrix, out, map);
  CHECK(outcome.error == "");
  CHECK(out[0] == matrix[10 * kColumns + 24]);
  CHECK(out[16 + 5] == matrix[11 * kColumns + 24 + 5]);
  CHECK(out[32] == 7);
  CHECK(map.swizzled(128) == 128 + 16);
  CHECK(map.swizzled(256 + 48) == 256 + 16);
}

TEST_CASE("reading a box without waiting for it is a race", "[support]") {
  std::vector<uint32_t> matrix = numbered(), out(64);
  PtxOutcome outcome = run(kInit + kLoad + kShow, matrix, out, mapOf(matrix, 4, 16, 0));
  CHECK_THAT(outcome.error, Contains("with an asynchronous operation"));
}

TEST_CASE("a wait for bytes that never arrive is found", "[support]") {
  std::vector<uint32_t> matrix = numbered(), out(64);
  PtxOutcome outcome =
      run(kInit + "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r3], 256;\n" + kWait, matrix, out,
          mapOf(matrix, 4, 16, 0));
  CHECK_THAT(outcome.error, Contains("some threads never reach this instruction"));
}

namespace {
std::string storeBox(const std::string &fence) {
  return "st.shared.b32 [%r5], %r1;\n" + fence +
         "bar.sync 0; mov.b32 %r6, 32; mov.b32 %r7, 10;\n"
         "@%p1 cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd1, {%r6, %r7}], [%r2];\n"
         "cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;\n";
}
} // namespace

TEST_CASE("a box is stored as far as it is inside", "[support]") {
  std::vector<uint32_t> matrix = numbered(), out(64), before = matrix;
  PtxOutcome outcome =
      run(storeBox("fence.proxy.async.shared::cta;\n"), matrix, out, mapOf(matrix, 4, 16, 0));
  CHECK(outcome.error == "");
  for (int i = 0; i < kRows * kColumns; ++i) {
    const int row = i / kColumns - 10, column = i % kColumns - 32;
    CHECK(matrix[i] == (row >= 0 && column >= 0 ? uint32_t(row * 16 + column) : before[i]));
  }
}

TEST_CASE("storing what was written without a proxy fence is a fault", "[support]") {
  std::vector<uint32_t> matrix = numbered(), out(64);
  PtxOutcome outcome = run(storeBox(""), matrix, out, mapOf(matrix, 4, 16, 0));
  CHECK_THAT(outcome.error, Contains("without a proxy fence"));
}

TEST_CASE("a part of the CTA meets at a barrier of its own", "[support]") {
  std::vector<uint32_t> matrix = numbered(), out(64);
  // The second warp arrives at the barrier in shared memory; the first waits for it there.
  const std::string meet = "st.shared.b32 [%r5], %r1;\n"
                           "setp.lt.u32 %p2, %r1, 32; @%p2 bra first;\n"
                           "bar.sync 1, 32; xor.b32 %r4, %r4, 4; add.s32 %r5, %r2, %r4;\n"
                           "ld.shared.b32 %r8, [%r5]; setp.eq.u32 %p3, %r1, 32;\n"
                           "bar.sync 1, 32; @%p3 mbarrier.arrive.shared::cta.b64 _, [%r3];\n"
                           "st.global.b32 [%rd2], %r8; ret;\n"
                           "first:\n" +
                           kWait +
                           "xor.b32 %r4, %r4, 128; add.s32 %r5, %r2, %r4; ld.shared.b32 %r8, "
                           "[%r5]; st.global.b32 [%rd2], %r8;";
  PtxOutcome outcome = run(kInit + meet, matrix, out, mapOf(matrix, 4, 16, 0));
  CHECK(outcome.error == "");
  CHECK(out[0] == 32);
  CHECK(out[40] == 41);
}

TEST_CASE("a tensor map made by the kernel describes what it says", "[support]") {
  PtxTensorMap map;
  CHECK(map.problem() == "the tensor map has no rank");
  CHECK(map.replace("rank", 0, 1));
  CHECK(map.replace("elemtype", 0, 6));
  for (uint32_t dim : {0u, 1u}) {
    CHECK(map.replace("box_dim", dim, 64));
    CHECK(map.replace("global_dim", dim, 100));
    CHECK(map.replace("element_stride", dim, 1));
  }
  CHECK(map.replace("global_stride", 0, 208));
  CHECK(map.problem() == "");
  CHECK(map.boxBytes() == 64 * 64 * 2);
  CHECK(map.addressOf({99, 2}) == 2 * 208 + 198);
  CHECK_FALSE(map.addressOf({100, 2}));
  CHECK_FALSE(map.replace("colour", 0, 1));
  map.swizzle = 1;
  CHECK(map.problem() == "the tensor map's box is wider than its swizzle");
}
