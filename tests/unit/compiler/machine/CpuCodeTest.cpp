// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/machine/CpuCode.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;
using namespace tilescope::compiler::machine;

TEST_CASE("instructions of x86-64 are counted by kind, and by line of the source", "[compiler]") {
  const std::string text = "\t.intel_syntax noprefix\n"
                           "k:\n"
                           "\tmov\teax, dword ptr [rdi]\n"
                           "\tvaddps\tzmm0, zmm1, zmm2\n"
                           "\tvaddss\txmm0, xmm1, xmm2\n"
                           "\tvbroadcastss\txmm0, xmm1\n"
                           "\tvgatherdps\tymm0 {k1}, ymmword ptr [rax + 4*ymm1]\n"
                           "\tvscatterdps\tzmmword ptr [rax + 4*zmm1] {k1}, zmm0\n"
                           ".LBB0_1:\n"
                           "\tcall\tpowf\n"
                           "\tret\n";
  const SourceRange first{{4, 0}, {4, 9}, 0}, second{{6, 0}, {6, 9}, 0};
  const SourceRange library{{90, 0}, {90, 9}, 1};
  // The addition was inlined: the line of the call has it. The last one is not of this file.
  const SourceMap map{{{2, {second}}, {3, {library, first}}, {9, {second}}, {10, {library}}}};
  const CpuCode code = cpuCode(text, map);
  CHECK(code.total == CpuCodeCounts{8, 4, 1, 1, 1});
  CHECK(code.vectorBytes == 64);
  REQUIRE(code.lines.size() == 2);
  CHECK(code.lines[0].place == first);
  CHECK(code.lines[0].counts == CpuCodeCounts{1, 1, 0, 0, 0});
  CHECK(code.lines[1].place == second);
  CHECK(code.lines[1].counts == CpuCodeCounts{2, 0, 0, 0, 1});
}

TEST_CASE("instructions of AArch64 are counted by kind", "[compiler]") {
  const std::string text = "k:\n"
                           "\tldr\tw12, [x0, #16]\n"
                           "\tld1w\t{ z0.s }, p0/z, [x0]\n"
                           "\tld1w\t{ z0.s }, p0/z, [x0, z1.s, sxtw #2]\n"
                           "\tst1w\t{ z0.s }, p0, [z1.d]\n"
                           "\tfadd\tv3.4s, v2.4s, v3.4s\n"
                           "\tbl\tpowf\n"
                           "\tret\n";
  const CpuCode code = cpuCode(text, {});
  CHECK(code.total == CpuCodeCounts{7, 4, 1, 1, 1});
  CHECK(code.vectorBytes == 16);
  CHECK(code.lines.empty());
  CHECK(cpuCode(text, {}, 32).vectorBytes == 32);
}
