// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/StraightCode.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace tilescope::compiler;

TEST_CASE("Only a barrier and a branch backwards make code that is not straight", "[pipeline]") {
  CHECK(isStraight("  add.s32 %r1, %r2, 1;\n  ret;\n"));
  CHECK(isStraight("  @%p1 bra $L__BB0_2;\n  add.s32 %r1, %r2, 1;\n$L__BB0_2:\n  ret;\n"));
  CHECK_FALSE(isStraight("  bar.sync 0;\n  ret;\n"));
  CHECK_FALSE(isStraight("$L__BB0_1:\n  add.s32 %r1, %r1, 1;\n  @%p1 bra $L__BB0_1;\n"));
}

TEST_CASE("Instructions are weighed against the bytes of global memory", "[pipeline]") {
  // Two accesses of 16 bytes and a sum: 3 instructions, 32 bytes.
  const char *copy = "  ld.param.b64 %rd1, [f_param_0];\n"
                     "  cvta.to.global.u64 %rd2, %rd1;\n"
                     "\t@%p1 ld.global.v4.b32 { %r1, %r2, %r3, %r4 }, [ %rd2 + 0 ];\n"
                     "  add.f32 %f1, %f2, %f3;\n"
                     "  st.global.v4.b32 [ %rd3 + 0 ], { %r1, %r2, %r3, %r4 };\n"
                     "  // add.f32 %f1, %f2, %f3;\n"
                     "  ret;\n";
  CHECK(issuesPerByte(copy) == 3.0 / 32);
  // A product of integers issues at half the rate; one of floats does not.
  const char *philox = "  ld.global.b16 %rs1, [%rd2];\n"
                       "  mul.hi.u32 %r1, %r2, %r3;\n"
                       "  mul.wide.u32 %rd1, %r2, %r3;\n"
                       "  mad.lo.s32 %r1, %r2, %r3, %r4;\n"
                       "  mul.rn.f32 %f1, %f2, %f3;\n";
  CHECK(issuesPerByte(philox) == (1 + 3 * 2 + 1) / 2.0);
  // Shared memory is not what the time of straight code goes to.
  CHECK(std::isinf(issuesPerByte("  ld.shared.b32 %r1, [%r2];\n")));
}
