// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/estimate/CodeRegions.h"

#include <catch2/catch.hpp>
#include <string>

using namespace tilescope::compiler;
using namespace tilescope::compiler::estimate;
using Kind = CodeRegion::Kind;

/// Lines with labels; instructions are given addresses.
static std::string sass(std::initializer_list<const char *> lines) {
  std::string text = ".text.k:\n";
  int address = 0;
  for (const std::string line : lines) {
    if (line.ends_with(':')) {
      text += line + "\n";
      continue;
    }
    char head[16];
    std::snprintf(head, sizeof(head), "/*%04x*/", address);
    address += 16;
    text += head + (" " + line) + " ;\n";
  }
  return text;
}

TEST_CASE("the number of rounds follows from the accesses in the loop", "[compiler]") {
  // The example in CodeRegions.h.
  const std::string text =
      sass({"LDG.E R0, [R2]", "@P0 BRA `(.L_x_1)", "MOV R5, RZ", ".L_x_0:", "LDG.E R1, [R3]",
            "@P1 BRA `(.L_x_0)", ".L_x_1:", "STG.E [R4], R1", "EXIT"});
  const machine::SassProgram program = machine::parseSass(text);
  REQUIRE(program.instructions.size() == 7);
  CodeRegions code = findRegions(program);
  REQUIRE(code.regions.size() == 3);
  CHECK(code.regions[1].kind == Kind::Skipped);
  CHECK(code.regions[1].begin == 2);
  CHECK(code.regions[1].end == 5);
  CHECK(code.regions[2].kind == Kind::Loop);
  CHECK(code.regions[2].parent == 1);
  CHECK(countRegions(code, {{{3}, 7}}).empty());
  CHECK(code.executions(0) == 1);
  CHECK(code.executions(2) == 1);
  CHECK(code.executions(3) == 7);
  CHECK(code.executions(5) == 1);
}

TEST_CASE("a loop that was unrolled goes round as often as it fits", "[compiler]") {
  // Four at once in a loop, then two if they are left, then one.
  const std::string text =
      sass({"@P0 BRA `(.L_x_1)", ".L_x_0:", "LDG.E R0, [R2]", "LDG.E R1, [R2]", "LDG.E R2, [R2]",
            "LDG.E R3, [R2]", "@P1 BRA `(.L_x_0)", ".L_x_1:", "@P2 BRA `(.L_x_2)", "LDG.E R0, [R2]",
            "LDG.E R1, [R2]", ".L_x_2:", "@P3 BRA `(.L_x_3)", "LDG.E R0, [R2]", ".L_x_3:", "EXIT"});
  const machine::SassProgram program = machine::parseSass(text);
  const std::vector<CountedInstructions> eleven{{{1, 2, 3, 4, 7, 8, 10}, 11}};
  CodeRegions code = findRegions(program);
  CHECK(countRegions(code, eleven).empty());
  CHECK(code.executions(1) == 2);
  CHECK(code.executions(7) == 1);
  CHECK(code.executions(10) == 1);
  // Two are not worth the loop.
  code = findRegions(program);
  CHECK(countRegions(code, {{{1, 2, 3, 4, 7, 8, 10}, 2}}).empty());
  CHECK(code.executions(1) == 0);
  CHECK(code.executions(7) == 1);
  CHECK(code.executions(10) == 0);
}

TEST_CASE("first rounds that stand before an unrolled loop are executed with it", "[compiler]") {
  // Two rounds, then four at once in a loop, then two if they are left; a branch leads past all of them.
  const std::string text =
      sass({"@P0 BRA `(.L_x_2)", "LDG.E R0, [R2]", "LDG.E R1, [R2]", ".L_x_0:", "LDG.E R0, [R2]",
            "LDG.E R1, [R2]", "LDG.E R2, [R2]", "LDG.E R3, [R2]", "@P1 BRA `(.L_x_0)",
            "@P2 BRA `(.L_x_2)", "LDG.E R0, [R2]", "LDG.E R1, [R2]", ".L_x_2:", "EXIT"});
  const machine::SassProgram program = machine::parseSass(text);
  CodeRegions code = findRegions(program);
  CHECK(countRegions(code, {{{1, 2, 3, 4, 5, 6, 9, 10}, 16}}).empty());
  CHECK(code.executions(1) == 1);
  CHECK(code.executions(3) == 3);
  CHECK(code.executions(9) == 1);
}

TEST_CASE("what was copied ahead of a loop is not a round of it", "[compiler]") {
  const std::string text = sass({"LDGSTS.E [R0], [R2]", "LDGSTS.E [R0], [R2]",
                                 ".L_x_0:", "HMMA.16816.F32 R0, R4, R8, R0", "LDGSTS.E [R0], [R2]",
                                 "@P1 BRA `(.L_x_0)", "EXIT"});
  const machine::SassProgram program = machine::parseSass(text);
  CodeRegions code = findRegions(program);
  CHECK(countRegions(code, {{{0, 1, 3}, 34}}).empty());
  CHECK(code.executions(2) == 32);
}

TEST_CASE("a loop of which nothing is counted is not given a number of rounds", "[compiler]") {
  const std::string text = sass({"MOV R0, RZ", ".L_x_0:", "FADD R0, R0, R1", "@P1 BRA `(.L_x_0)",
                                 "EXIT", ".L_x_1:", "BRA `(.L_x_1)"});
  const machine::SassProgram program = machine::parseSass(text);
  CodeRegions code = findRegions(program);
  CHECK(countRegions(code, {}) == std::vector<uint32_t>{1});
  // The trap behind the end is not executed.
  CHECK(code.executions(4) == 0);
}
