// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/estimate/WarpRun.h"

#include <catch2/catch.hpp>
#include <string>

using namespace tilescope::compiler;
using namespace tilescope::compiler::estimate;
using machine::SassControl;
using machine::SassProgram;

/// An instruction with its control fields.
static void give(SassProgram &program, size_t index, const SassControl &control) {
  auto &word = program.instructions[index].word;
  word = machine::withControl(word, control);
}

static std::vector<WarpInstruction> known(const SassProgram &program, const DeviceRates &device,
                                          double beyondL1) {
  std::vector<WarpInstruction> instructions;
  for (const machine::SassInstruction &instruction : program.instructions) {
    WarpInstruction each{costOf(instruction, device)};
    each.latency = each.cost.latency + (instruction.operation == "LDG" ? beyondL1 : 0);
    instructions.push_back(each);
  }
  return instructions;
}

TEST_CASE("a warp waits for the barrier of a load", "[compiler]") {
  // The example in WarpRun.h: L1 answers after 29 cycles, what lies behind it after 471 more.
  SassProgram program = machine::parseSass(".text.k:\n"
                                           "/*0000*/ LDG.E R4, [R2] ;\n"
                                           "/*0010*/ IADD3 R6, R6, 0x1, RZ ;\n"
                                           "/*0020*/ FADD R5, R4, R4 ;\n"
                                           "/*0030*/ EXIT ;\n");
  give(program, 0, {.stall = 2, .writeBarrier = 0});
  give(program, 1, {.stall = 4});
  give(program, 2, {.stall = 5, .waitMask = 1});
  const DeviceRates device = *deviceRates("cuda:90");
  CodeRegions code = findRegions(program);
  REQUIRE(countRegions(code, {}).empty());
  const auto cycles = cyclesBefore(program, code, known(program, device, 471), 4);
  CHECK(cycles == std::vector<double>{0, 2, 498, 5});
}

TEST_CASE("a pipeline of copies hides their time, round by round", "[compiler]") {
  // Each round waits for the copy that the round before last began; a copy takes 300 cycles and
  // what a round computes 100.
  SassProgram program = machine::parseSass(".text.k:\n"
                                           "/*0000*/ LDGSTS.E [R0], [R2] ;\n"
                                           "/*0010*/ LDGDEPBAR ;\n"
                                           "/*0020*/ LDGSTS.E [R0], [R2] ;\n"
                                           "/*0030*/ LDGDEPBAR ;\n"
                                           ".L_x_0:\n"
                                           "/*0040*/ DEPBAR.LE SB0, 0x1 ;\n"
                                           "/*0050*/ LDGSTS.E [R0], [R2] ;\n"
                                           "/*0060*/ LDGDEPBAR ;\n"
                                           "/*0070*/ @P0 BRA `(.L_x_0) ;\n"
                                           "/*0080*/ EXIT ;\n");
  for (size_t i = 0; i < program.instructions.size(); ++i)
    give(program, i, {.stall = 1});
  std::vector<WarpInstruction> instructions(program.instructions.size());
  for (size_t i = 0; i < instructions.size(); ++i)
    if (program.instructions[i].operation == "LDGSTS")
      instructions[i].latency = 300;
  CodeRegions code = findRegions(program);
  REQUIRE(countRegions(code, {{{0, 2, 5}, 42}}).empty());
  CHECK(code.executions(5) == 40);
  const auto cycles = cyclesBefore(program, code, instructions, 4);
  const double round = cycles[4] + cycles[5] + cycles[6] + cycles[7];
  // Two copies are under way, so a round takes half of a copy's time.
  CHECK(round == Approx(150).margin(3));
}

TEST_CASE("a product of four warps goes on while they compute", "[compiler]") {
  SassProgram program =
      machine::parseSass(".text.k:\n"
                         "/*0000*/ HGMMA.64x256x16.F32 R24, gdesc[UR12], R24, gsb0 ;\n"
                         "/*0010*/ FADD R1, R1, R2 ;\n"
                         "/*0020*/ WARPGROUP.DEPBAR.LE gsb0, 0x0 ;\n"
                         "/*0030*/ EXIT ;\n");
  for (size_t i = 0; i < program.instructions.size(); ++i)
    give(program, i, {.stall = 1});
  const DeviceRates device = *deviceRates("cuda:90");
  CodeRegions code = findRegions(program);
  REQUIRE(countRegions(code, {}).empty());
  const auto instructions = known(program, device, 0);
  // 2 * 64 * 256 * 16 operations, a quarter of them in each quarter of the multiprocessor.
  CHECK(instructions[0].cost.pipeCycles == 128);
  const auto cycles = cyclesBefore(program, code, instructions, 4);
  CHECK(cycles[1] == 1);
  CHECK(cycles[2] == 128 + instructions[0].latency - 1);
}
