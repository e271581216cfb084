// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/machine/SassFlow.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler::machine;

static constexpr const char *kLoop = "\t.section\t.text.k,\"ax\",@progbits\n"
                                     ".text.k:\n"
                                     "/*0000*/       S2R R0, SR_TID.X ;\n"
                                     "/*0010*/       MOV R4, 0x0 ;\n"
                                     ".L_x_0:\n"
                                     "/*0020*/       LDG.E.64 R2, desc[UR4][R6.64+0x10] ;\n"
                                     "/*0030*/       IADD3 R4, P1, PT, R4, R2, RZ ;\n"
                                     "/*0040*/   @P0 BRA `(.L_x_0) ;\n"
                                     "/*0050*/       STG.E desc[UR4][R6.64], R4 ;\n"
                                     "/*0060*/       EXIT ;\n"
                                     ".L_x_1:\n"
                                     "/*0070*/       BRA `(.L_x_1);\n";

TEST_CASE("instructions of SASS are taken apart, with their branches", "[compiler]") {
  const std::string text = kLoop;
  const SassProgram program = parseSass(text);
  REQUIRE(program.instructions.size() == 8);
  CHECK_FALSE(program.hasWords);
  CHECK(program.instructionAt == std::vector<int32_t>{-1, -1, 0, 1, -1, 2, 3, 4, 5, 6, -1, 7});
  const SassInstruction &load = program.instructions[2];
  CHECK(load.address == 0x20);
  CHECK(load.line == 5);
  CHECK(load.operation == "LDG");
  CHECK(load.modifiers == std::vector<std::string_view>{"E", "64"});
  CHECK(load.operands == std::vector<std::string_view>{"R2", "desc[UR4][R6.64+0x10]"});
  const SassInstruction &branch = program.instructions[4];
  CHECK(branch.guard == "P0");
  CHECK(branch.targets == std::vector<uint32_t>{2});
  const std::vector<LivenessStep> steps = sassSteps(program);
  CHECK(steps[4].next == std::vector<uint32_t>{5, 2});
  CHECK(steps[6].next.empty());
  CHECK(steps[7].next == std::vector<uint32_t>{7});
}

TEST_CASE("text that is no SASS has no instructions", "[compiler]") {
  for (const char *text : {"", "\n\n", "/* a comment */", "/*00zz*/ MOV ;", "/*0010*/",
                           "/*0010*/ ;", "/*0010*/ @P0", "/*0010*/ BRA `"}) {
    CAPTURE(text);
    const SassProgram program = parseSass(text, "\177ELF");
    CHECK(program.instructions.size() <= 1);
    CHECK_FALSE(program.hasWords);
    CHECK(sassSteps(program).size() == program.instructions.size());
  }
}
