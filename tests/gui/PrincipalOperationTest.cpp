// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/PrincipalOperation.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::views;

TEST_CASE("of the instructions of an expression those that move or multiply blocks are meant",
          "[gui][common]") {
  const auto meant = [](const char *text, std::vector<Relation> relations) {
    std::string lines;
    for (const int32_t line : principalInstructions(CodeDocument(text), relations))
      lines += std::to_string(line) + " ";
    return lines;
  };
  using enum Relation;
  // The value of lanes that the mask leaves out comes before the load.
  CHECK(meant("/*0060*/  MOV R15, 0xff800000 ;\n"
              "/*0070*/  @P0 LDG.E R15, desc[UR4][R2.64] ;\n"
              "/*0080*/  @!P1 LDG.E.128 R4, desc[UR4][R8.64] ;\n",
              {SameRange, SameRange, SameLine}) == "1 ");
  CHECK(meant("\tshl.b32 \t%r1, %r2, 2;\n"
              "\tcp.async.cg.shared.global [ %r1 ], [ %rd1 ], 0x10, %r3;\n"
              "\tcp.async.commit_group ;\n",
              {SameRange, SameRange, SameRange}) == "1 ");
  CHECK(meant("  %38 = zext nneg i32 %14 to i64, !dbg !12\n"
              "  %44 = call i32 asm sideeffect \"@$2 ld.global.b32 { $0 }, [ $1 + 0 ];\", \"=r\"\n",
              {SameRange, SameRange}) == "1 ");
  // Of what neither moves nor multiplies blocks, all are meant, from the first on.
  CHECK(meant("/*0060*/  LDGDEPBAR ;\n/*0070*/  IADD3 R1, R2, R3 ;\n", {SameLine, SameLine}) ==
        "0 1 ");
  CHECK(meant("/*0060*/  LDG.E R15, [R2.64] ;\n", {None}).empty());
}

TEST_CASE("of the lines of an expression the operation that computes it is meant",
          "[gui][common]") {
  const auto meant = [](const char *text, std::vector<Relation> relations) {
    std::string lines;
    for (const int32_t line : principalLines(CodeDocument(text), relations))
      lines += std::to_string(line) + " ";
    return lines;
  };
  using enum Relation;
  CHECK(meant("  %cst = arith.constant dense<0.0> : t\n"
              "  %p = tt.addptr %x, %o\n"
              "  %a = tt.load %p, %m, %cst\n",
              {SameRange, None, SameRange}) == "2 ");
  // Of a load that is pipelined the copy from memory is meant, not the read of its slot.
  CHECK(meant("  %b = ttg.memdesc_index %ring[%i]\n"
              "  %t = ttg.async_copy_global_to_local %p, %b\n"
              "  %c = arith.cmpi slt, %i, %n\n"
              "  %a = ttg.local_load %b\n",
              {SameRange, SameRange, SameRange, SameRange}) == "1 ");
  CHECK(meant("  %l = ttg.local_load %b\n"
              "  %acc = tt.dot %a, %l, %acc0\n"
              "  %o = ttg.convert_layout %acc\n",
              {SameRange, SameRange, SameRange}) == "1 ");
  // What combines two elements is part of the reduction.
  CHECK(meant("  %s = \"tt.reduce\"(%x) <{axis = 0 : i32}> ({\n"
              "  ^bb0(%a: f32, %b: f32):\n"
              "    %m = arith.addf %a, %b : f32\n"
              "    tt.reduce.return %m : f32\n"
              "  }) : (t) -> f32\n",
              {SameRange, None, SameRange, SameRange, None}) == "0 ");
  CHECK(meant("  %y = arith.mulf %x, %x\n  %z = arith.addf %y, %x\n", {SameLine, SameRange}) ==
        "1 ");
  CHECK(meant("  tt.return\n", {None}).empty());
}
