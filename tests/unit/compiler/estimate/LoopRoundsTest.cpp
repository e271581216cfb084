// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/estimate/LoopRounds.h"

#include <catch2/catch.hpp>
#include <string>

using namespace tilescope::compiler;
using namespace tilescope::compiler::estimate;

namespace {

/// A line of SASS, or a label, and the line of the source that it is of, from 1; 0: none.
struct CodeLine {
  std::string text;
  uint32_t source = 0;
};

/// Machine code of a kernel with a loop in lines 5 and 6 of its source.
struct LoopCode {
  LoopCode(std::initializer_list<CodeLine> lines, LoopFacts facts) : loops{std::move(facts)} {
    stage.text = ".text.k:\n";
    uint32_t number = 1;
    int address = 0;
    for (const CodeLine &line : lines) {
      char head[16] = "";
      if (!line.text.ends_with(':')) {
        std::snprintf(head, sizeof(head), "/*%04x*/ ", address);
        address += 16;
      }
      stage.text += head + line.text + (head[0] ? " ;\n" : "\n");
      if (line.source > 0)
        stage.sourceMap.lines.push_back(
            {number, {tilescope::SourceRange{{line.source - 1, 4}, {line.source - 1, 20}}}});
      ++number;
    }
    program = machine::parseSass(stage.text);
    regions = findRegions(program);
    unknown = countRegions(regions, {}, [this](const CodeRegion &loop) {
      return LoopRounds(loops, stage, program, regions).of(loop);
    });
  }
  std::string whyNot() const {
    return unknown.empty() ? ""
                           : LoopRounds(loops, stage, program, regions).whyNot(unknown.front());
  }

  std::vector<LoopFacts> loops;
  Stage stage;
  machine::SassProgram program;
  CodeRegions regions;
  std::vector<uint32_t> unknown;
};

LoopFacts loopOf(int64_t numIterations, int64_t step = 1) {
  LoopFacts facts;
  facts.range = {{4, 4}, {5, 24}};
  facts.numIterations = numIterations;
  facts.step = step;
  return facts;
}

} // namespace

TEST_CASE("a loop without accesses goes round as often as that of the source", "[compiler]") {
  // Two registers, two rounds at once.
  const LoopCode code({{"UMOV UR4, 0x64", 5},
                       {".L_x_0:"},
                       {"FFMA R6, R6, R6, 0.5", 6},
                       {"FFMA R7, R7, R7, 0.5", 6},
                       {"UIADD3 UR4, UR4, -0x2, URZ", 5},
                       {"FFMA R6, R6, R6, 0.5", 6},
                       {"FFMA R7, R7, R7, 0.5", 6},
                       {"ISETP.NE.U32.AND P0, PT, RZ, UR4, PT", 5},
                       {"@P0 BRA `(.L_x_0)", 5},
                       {"EXIT"}},
                      loopOf(100));
  CHECK(code.unknown.empty());
  CHECK(code.regions.executions(1) == 50);
  CHECK(code.regions.executions(8) == 1);
}

TEST_CASE("what an unrolled loop leaves, the loop behind it does", "[compiler]") {
  const LoopCode code({{".L_x_0:"},
                       {"FFMA R6, R6, R6, 0.5", 6},
                       {"FFMA R6, R6, R6, 0.5", 6},
                       {"IADD3 R0, R0.reuse, -0x4, RZ", 5},
                       {"FFMA R6, R6, R6, 0.5", 6},
                       {"FFMA R6, R6, R6, 0.5", 6},
                       {"ISETP.NE.U32.AND P0, PT, R0, RZ, PT", 5},
                       {"@P0 BRA `(.L_x_0)", 5},
                       {".L_x_1:"},
                       {"IADD3 R2, R2, -0x1, RZ", 5},
                       {"FFMA R6, R6, R6, 0.5", 6},
                       {"ISETP.NE.U32.AND P0, PT, R2, RZ, PT", 5},
                       {"@P0 BRA `(.L_x_1)", 5},
                       {"EXIT"}},
                      loopOf(99));
  CHECK(code.unknown.empty());
  CHECK(code.regions.executions(0) == 24);
  CHECK(code.regions.executions(8) == 3);
}

TEST_CASE("a counter may go on as that of the source does", "[compiler]") {
  // range(0, 64, 8): four at once would be more than there are.
  const LoopCode code({{".L_x_0:"},
                       {"FADD R6, R6, R7", 6},
                       {"IADD3 R0, R0, 0x8, RZ", 5},
                       {"ISETP.GE.AND P0, PT, R0, 0x40, PT", 5},
                       {"@!P0 BRA `(.L_x_0)", 5},
                       {"EXIT"}},
                      loopOf(8, 8));
  CHECK(code.regions.executions(0) == 8);
}

TEST_CASE("why nothing is known of a loop is told by what it is", "[compiler]") {
  const std::initializer_list<CodeLine> lines = {{".L_x_0:"},
                                                 {"FADD R6, R6, R7", 6},
                                                 {"FSETP.GT.AND P0, PT, R6, 4, PT", 5},
                                                 {"@P0 BRA `(.L_x_0)", 5},
                                                 {"EXIT"}};
  CHECK(LoopCode(lines, loopOf(100)).whyNot() ==
        "the loop in line 5 goes round 100 times, but the code does not show how many of these are "
        "one round of its own");
  CHECK(
      LoopCode(lines, loopOf(-1)).whyNot() ==
      "the loop in line 5 accesses no memory, and its bounds are values that only a run computes");
  LoopFacts endless = loopOf(-1);
  endless.obstacle = PipelineObstacle::NoCounter;
  CHECK(LoopCode(lines, endless).whyNot() ==
        "the `while` loop in line 5 accesses no memory, and goes round until values end it that "
        "only a run computes");
  LoopFacts elsewhere = loopOf(100);
  elsewhere.range = {{40, 4}, {41, 24}};
  CHECK(LoopCode(lines, elsewhere).whyNot() == "how often a loop goes round is not known (line 6)");
}
