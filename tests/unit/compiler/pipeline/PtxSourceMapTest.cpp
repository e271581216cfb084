// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/PtxSourceMap.h"

#include "compiler/pipeline/ProductLines.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

static const std::vector<SourceRange> *sourcesOf(const SourceMap &map, uint32_t line) {
  for (const LineMapping &mapping : map.lines)
    if (mapping.line == line)
      return &mapping.sources;
  return nullptr;
}

static constexpr const char *kPtx = "{\n"                                                 // 0
                                    "  .reg .b32 %r<3>;\n"                                // 1
                                    "  .loc 1 2 5    // t.py:2:5\n"                       // 2
                                    "  add.s32 %r1, %r1, 3;\n"                            // 3
                                    "$L__tmp1:\n"                                         // 4
                                    "  .loc 2 1 1    // u.py:1:1 @[ t.py:3:2 ]\n"         // 5
                                    "  mul.lo.s32 %r1, %r1, %r1;\n"                       // 6
                                    "  .loc 2 1 1, function_name $L0, inlined_at 1 3 2\n" // 7
                                    "  ret;\n"                                            // 8
                                    "}\n"                                                 // 9
                                    "  trap;\n"                                           // 10
                                    ".file 1 \"/src/t.py\"\n"
                                    ".file 2 \"/lib/u.py\"\n";

TEST_CASE("PTX lines are traced to ranges, through inlined calls", "[compiler]") {
  FileTable files({{"/src/t.py", "def k():\n    x = a + b\n f(x)\n"}});
  SourceIndex index;
  const SourceRange whole{{1, 4}, {1, 13}, 0};
  index.add({{1, 4}, {1, 5}, 0});
  index.add(whole);
  const SourceMap map = ptxSourceMap(kPtx, files, index);

  REQUIRE(files.files().size() == 2);
  CHECK(files.files()[1].path == "/lib/u.py");
  REQUIRE(sourcesOf(map, 3));
  CHECK(*sourcesOf(map, 3) == std::vector<SourceRange>{whole});
  // The callee's text is not known: one column. The caller's range ends with its line.
  const std::vector<SourceRange> inlined{{{0, 0}, {0, 1}, 1}, {{2, 1}, {2, 5}, 0}};
  REQUIRE(sourcesOf(map, 6));
  CHECK(*sourcesOf(map, 6) == inlined);
  REQUIRE(sourcesOf(map, 8));
  CHECK(*sourcesOf(map, 8) == inlined);
  // Labels, declarations and what follows the function have no origin.
  CHECK(sourcesOf(map, 1) == nullptr);
  CHECK(sourcesOf(map, 4) == nullptr);
  CHECK(sourcesOf(map, 10) == nullptr);
}

TEST_CASE("braces within a function do not end what a directive holds for", "[compiler]") {
  FileTable files({{"/src/t.py", "def k():\n    x = a + b\n"}});
  const SourceMap map = ptxSourceMap(".visible .entry k(\n"
                                     "  .param .u64 k_param_0\n"
                                     ")\n"
                                     "{\n"                                          // 3
                                     "  .loc 1 2 5\n"                               // 4
                                     "  {\n"                                        // 5
                                     "  .reg .b32 tmp;\n"                           // 6
                                     "  mov.b64 {tmp, %r1}, %rd1;\n"                // 7
                                     "  }\n"                                        // 8
                                     "  { .reg .b32 t; mov.b64 {t, %r2}, %rd1; }\n" // 9
                                     "  add.s32 %r1, %r1, 3;  // not a }\n"         // 10
                                     "}\n"                                          // 11
                                     "  trap;\n"                                    // 12
                                     ".file 1 \"/src/t.py\"\n",
                                     files, SourceIndex());
  CHECK(sourcesOf(map, 7) != nullptr);
  CHECK(sourcesOf(map, 10) != nullptr);
  CHECK(sourcesOf(map, 12) == nullptr);
}

TEST_CASE("SASS lines take over the ranges of their PTX lines", "[compiler]") {
  SourceMap ptx;
  ptx.lines = {{3, {{{1, 4}, {1, 13}, 0}}}, {6, {{{2, 1}, {2, 5}, 0}}}};
  const SourceMap sass = sassSourceMap({-1, 6, 3, 4}, ptx);
  REQUIRE(sass.lines.size() == 2);
  CHECK(sass.lines[0] == LineMapping{1, ptx.lines[1].sources});
  CHECK(sass.lines[1] == LineMapping{2, ptx.lines[0].sources});
}

TEST_CASE("a document that is a stage maps to itself", "[compiler]") {
  const std::string text = "  a b  \n\n c\n";
  FileTable files({{"k.ttir", text}});
  const SourceMap map = identityMap(text, files);
  REQUIRE(map.lines.size() == 2);
  CHECK(map.lines[0] == LineMapping{0, {{{0, 2}, {0, 5}, 0}}});
  CHECK(map.lines[1] == LineMapping{2, {{{2, 1}, {2, 2}, 0}}});
}

TEST_CASE("products of warp groups have the lines of those in PTX", "[compiler]") {
  static constexpr const char *kProducts =
      "  .loc 1 4 5\n"
      "  cp.async.cg.shared.global [%r1], [%rd1], 0x10;\n"
      "  .loc 1 5 5\n"
      "  wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%f0}, %rd2, %rd3, 1, 1, 1, 0, 1;\n"
      "  .loc 1 6 5\n"
      "  wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {%f1}, %rd2, %rd3, 1, 1, 1, 0, 1;\n";
  const std::string sass = "  .kernel\n"
                           "/*0000*/       LDGSTS.E.BYPASS.128 [R14], [R24.64] ;\n"
                           "/*0010*/       HGMMA.64x64x16.F32 R24, gdesc[UR12].tnspB, R24 ;\n"
                           "/*0020*/  @P0  HGMMA.64x128x16.F32 R56, gdesc[UR12], R56, gsb0 ;\n";
  CHECK(withProductLines({-1, 1, 1, 3}, sass, kProducts) == std::vector<int32_t>{-1, 1, 3, 5});
  // Where products were unrolled, or stand in another order, the table's lines are kept.
  const std::vector<int32_t> table{-1, 1, 1, 3, 3};
  CHECK(withProductLines(table, sass + "/*0030*/  HGMMA.64x64x16.F32 R24, gdesc[UR12], R24 ;\n",
                         kProducts) == table);
  std::string turned = sass;
  turned.replace(turned.find("64x64x16"), 8, "64x32x16");
  CHECK(withProductLines({-1, 1, 1, 3}, turned, kProducts) == std::vector<int32_t>{-1, 1, 1, 3});
  CHECK(withProductLines({-1, 1, 1, 3}, sass, "") == std::vector<int32_t>{-1, 1, 1, 3});
}
