// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What columns show, without a window: texts behind passes, sources of differences, costs.
#include "views/stages/ColumnText.h"

#include "tests/support/FakeResult.h"
#include "views/common/Correlation.h"
#include "views/stages/StageCosts.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::views;
using compiler::SourceMap;
using compiler::StageId;

TEST_CASE("a pass has the IR behind it, or that of the last one that changed something",
          "[gui][columns]") {
  const auto result = tests::sampleResult();
  const auto textBehind = [&](const char *pass) {
    const auto text = columnText(*result, StageId::Ttir, PassKey{StageId::Ttir, pass, 0});
    return text ? std::string(text->text) : std::string("none");
  };
  CHECK(textBehind("inline") == result->stages[1].text + "// before\n");
  CHECK(textBehind("canonicalize") == result->stages[1].text);
  CHECK(textBehind("cse") == textBehind("canonicalize"));
  CHECK(textBehind("unknown") == "none");
  CHECK(columnText(*result, StageId::Ttir, std::nullopt)->map->lines.size() == 14);
  CHECK_FALSE(columnText(*result, StageId::LlvmIr, std::nullopt));
  result->passes[1].ir.clear();
  CHECK(textBehind("canonicalize") == "none");
}

TEST_CASE("passes of one name are told apart", "[gui][columns]") {
  const auto result = tests::sampleResult();
  result->passes.push_back(result->passes[1]);
  CHECK(passKey(*result, 4) == PassKey{StageId::Ttir, "canonicalize", 1});
  CHECK(findPass(*result, {StageId::Ttir, "canonicalize", 1}) == 4);
  CHECK_FALSE(findPass(*result, {StageId::Ttir, "canonicalize", 2}));
  CHECK_FALSE(findPass(*result, {StageId::Ttgir, "canonicalize", 0}));
  CHECK(passTitle({StageId::Ttir, "tilescope-coalesce", 0}) == u"coalesce");
  CHECK(passTitle({StageId::Ttir, "cse", 1}) == u"cse (2)");
}

TEST_CASE("lines of differences come from where they came from in their text", "[gui][columns]") {
  const auto at = [](uint32_t line) { return SourceRange{{line, 4}, {line, 9}, 0}; };
  const SourceMap before{{{0, {at(10)}}, {1, {at(11)}}}};
  const SourceMap after{{{0, {at(20)}}, {2, {at(22)}}}};
  const std::vector<DiffLine> lines{{DiffKind::Same, 0, 0},
                                    {DiffKind::Removed, 1, -1},
                                    {DiffKind::Added, -1, 1},
                                    {DiffKind::Same, -1, -1},
                                    {DiffKind::Added, -1, 2}};
  const SourceMap joined = diffSources(lines, before, after);
  CHECK(documentSources(joined, 0) == std::vector{at(20)});
  CHECK(documentSources(joined, 1) == std::vector{at(11)});
  CHECK(documentSources(joined, 2).empty());
  CHECK(documentSources(joined, 3).empty());
  CHECK(documentSources(joined, 4) == std::vector{at(22)});
}

TEST_CASE("places of an earlier text are where its lines are now", "[gui][columns]") {
  const SourceMap map{{{0, {{{0, 0}, {0, 5}, 0}}}, {1, {{{1, 0}, {1, 4}, 0}}}}};
  const SourceMap moved = movedSources(map, "a = 1\ngone\n", "new\na = 1\nother line\nmore\n");
  CHECK(documentSources(moved, 0) == std::vector{SourceRange{{1, 0}, {1, 5}, 0}});
  CHECK(documentSources(moved, 1).empty());
  // Places in other files stay.
  const SourceMap library{{{0, {{{0, 0}, {0, 5}, 3}}}}};
  CHECK(movedSources(library, "a\n", "b\nc\n").lines[0].sources[0].file == 3);
}

static QString facts(StageId stage, const char *text) {
  return costFacts(countCosts(stage, text)).join(QStringLiteral(" | "));
}

TEST_CASE("PTX says what its instructions move and who multiplies", "[gui][columns]") {
  CHECK(facts(StageId::Ptx, "	@%p1 ld.global.v4.b32 { %r1, %r2, %r3, %r4 }, [ %rd1 + 0 ];\n"
                            "	ld.global.v4.b32 { %r1, %r2, %r3, %r4 }, [ %rd1 ];\n"
                            "	ld.global.b16 %rs1, [ %rd1 ];\n"
                            "	st.global.v2.b32 [ %rd3 + 0 ], { %r19, %r20 };\n"
                            "	bar.sync 0;\n"
                            "	st.shared.v2.b32 [%r1], {%r2, %r3};\n") ==
        u"2 loads of 16 B, 1 of 2 B | 1 store of 8 B | 1 barrier | 1 shared access");
  // 16 · 8 · 16 multiply-adds of a warp are 64 of a lane.
  const StageCosts products = countCosts(
      StageId::Ptx, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 { %r1 };\n"
                    "fma.rn.f32 %f1, %f2, %f3, %f4;\nfma.rn.f16x2 %r1, %r2, %r3, %r4;\n");
  CHECK(products.tensorMultiplyAdds == 64);
  CHECK(products.otherMultiplyAdds == 3);
  CHECK(costFacts(products).front() == u"96 % of multiply-adds on tensor cores");
  CHECK(countCosts(StageId::Ptx, "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 { %f1 };\n")
            .tensorMultiplyAdds == 64.0 * 128 * 16 / 128);
  CHECK(countCosts(StageId::Ptx, "fma.rn.f32 %f1, %f2, %f3, %f4;\n").tensorShare() == -1);
  CHECK(facts(StageId::Ptx,
              "cp.async.cg.shared.global [ %r1 ], [ %rd1 ], 0x10;\n"
              "st.local.b32 [%rd1], %r1;\n") == u"1 access of local memory | 1 async copy");
}

TEST_CASE("LLVM IR does not tell which multiply-adds there will be", "[gui][columns]") {
  const StageCosts costs = countCosts(
      StageId::LlvmIr,
      "  %1 = call { float } asm sideeffect \"wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
      "{ $0 };\", \"=r\"()\n  %2 = fmul contract float %a, %b\n  %3 = load float, ptr "
      "addrspace(1) %p\n");
  CHECK(costs.tensorShare() == -1);
  CHECK(costFacts(costs) == QStringList{QStringLiteral("1 load of 4 B")});
}

TEST_CASE("TTGIR says which conversions and products there are, and in which buffers",
          "[gui][columns]") {
  CHECK(facts(StageId::Ttgir,
              "#mma = #ttg.nvidia_mma<{versionMajor = 2}>\n"
              "module {\n"
              "  %0 = ttg.convert_layout %a : tensor<64xf32>\n"
              "  %1 = ttg.local_alloc : () -> !ttg.memdesc<3x64x32xf16, #shared, #smem, mutable>\n"
              "  %2 = scf.for %i = %c0 to %c1 step %c1 {\n"
              "    %3 = ttg.convert_layout %b : tensor<64xf32>\n"
              "    %4 = tt.dot %x, %y, %z : tensor<64x32xf16> -> tensor<64x64xf32, #mma>\n"
              "    %5 = tt.dot %x, %y, %z : tensor<64x32xf32> -> tensor<64x64xf32, #blocked>\n"
              "  }\n"
              "  %6 = ttg.convert_layout %c : tensor<64xf32>\n"
              "  %7 = tt.load %p : tensor<64x!tt.ptr<f32>>\n"
              "}\n") ==
        u"2 products, 1 on tensor cores | 3 layout conversions, 1 in a loop | 1 load "
        u"| buffers 12 KiB");
}

TEST_CASE("SASS says what its instructions move and who multiplies", "[gui][columns]") {
  CHECK(facts(StageId::Sass, "        /*0090*/              @!P0 LDG.E.128 R4, desc[UR4][R2.64] ;\n"
                             "        /*00a0*/                   LDG.E R4, desc[UR4][R2.64] ;\n"
                             "        /*00b0*/                   STG.E.64 desc[UR4][R2.64], R4 ;\n"
                             "        /*00c0*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;\n"
                             "        /*00d0*/                   HMMA.16816.F32 R4, R8, R12, R4 ;\n"
                             "        /*00e0*/                   FFMA R1, R2, R3, R4 ;\n"
                             "        /*00f0*/                   STL [R1+0x8], R4 ;\n") ==
        u"1 spill | 98 % of multiply-adds on tensor cores | 1 load of 16 B, 1 of 4 B | 1 store of "
        u"8 B "
        u"| 1 barrier");
  CHECK(countCosts(StageId::Sass, "  /*0010*/  HGMMA.64x128x16.F32 R24, gdesc[UR4], R24 ;\n")
            .tensorMultiplyAdds == 1024);
}

TEST_CASE("LLVM IR counts its own accesses and those in its assembly", "[gui][columns]") {
  CHECK(facts(StageId::LlvmIr,
              "  %1 = tail call { i32, i32 } asm sideeffect \"mov.u32 $0, 0x0;\\0A\\09@$4 "
              "ld.global.v2.b32 { $0, $1 }, [ $2 + 0 ];\", \"=r,=r,l,b\"(ptr addrspace(1) %p)\n"
              "  %2 = load <4 x float>, ptr addrspace(1) %q, align 16\n"
              "  store i32 %3, ptr addrspace(3) %s, align 4\n"
              "  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
              "declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)\n") ==
        u"1 load of 16 B, 1 of 8 B | 1 barrier | 1 shared access");
}
