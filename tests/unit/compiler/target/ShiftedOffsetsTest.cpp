// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/target/ShiftedOffsets.h"

#include <catch2/catch.hpp>

using tilescope::compiler::shiftLoopOffsets;

/// A kernel with a loop in a loop; `inside` stands in the inner one, `between` before it.
static std::string nest(const std::string &before, const std::string &between,
                        const std::string &inside) {
  return ".visible .entry k()\n{\n" + before + "$L__BB0_1:\n" + between + "$L__BB0_2:\n" + inside +
         "\t@%p1 bra \t$L__BB0_2;\n\tst.global.b32 \t[%rd9], %r9;\n\t@%p2 bra "
         "\t$L__BB0_1;\n\tret;\n}\n";
}

static const std::string kProduct =
    "\twgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r5}, %rd7, %rd8;\n";

TEST_CASE("what a loop of products adds to addresses is shifted before it", "[compiler]") {
  const std::string inside =
      "\tadd.s64 \t%rd3, %rd1, %rd2;\n\tadd.s64 \t%rd5, %rd1, %rd4;\n" + kProduct;
  CHECK(shiftLoopOffsets(nest("\tmul.wide.s32 \t%rd2, %r1, 2;\n",
                              "\tmul.wide.u32 \t%rd4, %r2, 16;\n", inside)) ==
        nest("\tcvt.s64.s32 \t%rd2, %r1;\n\tshl.b64 \t%rd2, %rd2, 1;\n",
             "\tcvt.u64.u32 \t%rd4, %r2;\n\tshl.b64 \t%rd4, %rd4, 4;\n", inside));
}

TEST_CASE("other widening multiplications stay", "[compiler]") {
  const std::string add = "\tadd.s64 \t%rd3, %rd1, %rd2;\n";
  const auto stays = [](const std::string &ptx) { CHECK(shiftLoopOffsets(ptx) == ptx); };
  const std::string twice = "\tmul.wide.s32 \t%rd2, %r1, 2;\n";
  // No products.
  stays(nest(twice, "", add));
  // Used behind the inner loop only; %rd9 there, and %rd20 is not %rd2.
  stays(nest("\tmul.wide.s32 \t%rd9, %r1, 2;\n" + twice, "",
             "\tadd.s64 \t%rd3, %rd1, %rd20;\n" + kProduct));
  // Not an address.
  stays(nest(twice, "", "\tor.b64 \t%rd3, %rd1, %rd2;\n" + kProduct));
  // In the loop itself it is another value each time.
  stays(nest("", "", twice + add + kProduct));
  // Not a power of two, and not a constant.
  stays(nest("\tmul.wide.s32 \t%rd2, %r1, 6;\n", "", add + kProduct));
  stays(nest("\tmul.wide.s32 \t%rd2, %r1, %r2;\n", "", add + kProduct));
  // Of another function.
  const std::string loop = nest("", "", add + kProduct);
  stays(nest(twice, "", "") + loop);
}
