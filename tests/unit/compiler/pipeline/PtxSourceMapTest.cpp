// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/PtxSourceMap.h"

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
