// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/machine/SassRegisters.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler::machine;

/// Neighbors as a range: `R4-7 UR2`.
static std::string listed(const std::vector<MachineRegister> &registers) {
  std::string text;
  for (size_t i = 0; i < registers.size(); ++i) {
    size_t last = i;
    while (last + 1 < registers.size() && registers[last + 1] == registers[last] + 1)
      ++last;
    const std::string end = nameOf(registers[last]);
    text += (text.empty() ? "" : " ") + nameOf(registers[i]);
    if (last > i)
      text += "-" + end.substr(end.find_first_of("0123456789"));
    i = last;
  }
  return text;
}

static void check(const char *instruction, const char *writes, const char *reads) {
  const std::string text = "/*0000*/ " + std::string(instruction) + " ;\n";
  const SassProgram program = parseSass(text);
  REQUIRE(program.instructions.size() == 1);
  const RegisterUse use = registersOf(program.instructions[0]);
  CAPTURE(instruction);
  CHECK(listed(use.writes) == writes);
  CHECK(listed(use.reads) == reads);
}

TEST_CASE("the width of operands follows from the operation", "[compiler]") {
  check("IMAD R3, R5, UR4, RZ", "R3", "R5 UR4");
  check("IMAD.WIDE.U32 R4, R5, 0x4, R6", "R4-5", "R5-7");
  check("IMAD.HI.U32 R7, R8, R9, R10", "R7", "R8-11");
  check("IADD3 R3, P0, PT, R4, -R5, RZ", "R3 P0", "R4-5");
  check("IADD3.X R3, PT, PT, RZ, UR5, RZ, P3, !PT", "R3", "UR5 P3");
  check("FMNMX R4, R5, |R6|, !P2", "R4", "R5-6 P2");
  check("LOP3.LUT P1, RZ, R4.reuse, 0x1f, RZ, 0xc0, !PT", "P1", "R4");
  check("ISETP.GE.U32.AND P0, PT, R4, R6, P1", "P0", "R4 R6 P1");
  check("ISETP.GE.U64.AND P0, PT, R4, R8, PT", "P0", "R4-5 R8-9");
  check("PLOP3.LUT P6, P5, PT, PT, UP0, 0x80, 0x8", "P6 P5", "UP0");
  check("DFMA R2, R4, R6, R8", "R2-3", "R4-9");
  check("F2F.F32.F64 R4, R6", "R4", "R6-7");
  check("I2F.F64.U32 R4, R6", "R4-5", "R6");
  check("F2I.S64.TRUNC R4, R6", "R4-5", "R6");
  check("CS2R R12, SRZ", "R12-13", "");
  check("SHFL.BFLY P1, R3, R4, 0x10, 0x1f", "P1 R3", "R4");
  check("VOTE.ANY R4, PT, P0", "R4", "P0");
  check("P2R R5, PR, RZ, 0x6", "R5", "P1-2");
  check("R2UR UR4, R2", "UR4", "R2");
  check("FFMA2 R4, R6.F32x2.HI_LO, R8.F32x2.HI_LO, R4.F32x2.HI_LO", "R4-5", "R6-9 R4-5");
}

TEST_CASE("memory and matrices take as many registers as they move", "[compiler]") {
  check("LDG.E.128 R4, desc[UR6][R2.64+0x10]", "R4-7", "UR6-7 R2-3");
  check("STG.E.64 desc[UR6][R2.64], R8", "", "UR6-7 R2-3 R8-9");
  check("LDG.E.ENL2.256.CONSTANT R8, R4, desc[UR6][R2.64]", "R8-11 R4-7", "UR6-7 R2-3");
  check("LDS.U16 R3, [R2+UR4+0x20]", "R3", "R2 UR4");
  check("LDSM.16.MT88.4 R8, [R70+UR12]", "R8-11", "R70 UR12");
  check("ATOMG.E.ADD.F32.FTZ.RN.STRONG.GPU PT, R5, desc[UR4][R2.64], R7", "R5", "UR4-5 R2-3 R7");
  check("LDGSTS.E.BYPASS.128 [R9], desc[UR22][R6.64], P5", "", "R9 UR22-23 R6-7 P5");
  check("LDTM.16dp256bit.x4 R4, tmem[UR4]", "R4-19", "UR4");
  check("HMMA.16816.F32.BF16 R12, R28, R4.reuse, R12", "R12-15", "R28-31 R4-5 R12-15");
  check("HMMA.16816.F16 R12, R28, R4, R14", "R12-13", "R28-31 R4-5 R14-15");
  check("HMMA.1688.F32.TF32 R8, R4, R2, R8", "R8-11", "R4-7 R2-3 R8-11");
  check("IMMA.16832.S8.S8 R8, R4, R2, R12", "R8-11", "R4-7 R2-3 R12-15");
  check("QMMA.16832.F32.E4M3.E4M3 R8, R4, R2, RZ", "R8-11", "R4-7 R2-3");
  check("HGMMA.64x64x16.F32 R24, gdesc[UR12].tnspB, R24", "R24-55", "UR12-15 R24-55");
  check("HGMMA.64x32x16.F16 R24, R4, gdesc[UR12], R24, gsb0", "R24-31", "R4-7 UR12-15 R24-31");
}

TEST_CASE("a guard is read, and what it guards may stay as it was", "[compiler]") {
  check("@!P0 MOV R4, R5", "R4", "R5 P0");
  const std::string text = "/*0000*/ @UP1 UMOV UR4, UR5 ;\n";
  const RegisterUse use = registersOf(parseSass(text).instructions[0]);
  CHECK(use.isGuarded);
  CHECK(listed(use.reads) == "UR5 UP1");
}
