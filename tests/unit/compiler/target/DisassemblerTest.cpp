// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/target/Disassembler.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;

TEST_CASE("line marks become a map from SASS lines to PTX lines", "[compiler]") {
  const Disassembly disassembly = parseDisassembly("\t.target\tsm_90\n"
                                                   "\n"
                                                   "\n"
                                                   "//---- .text.k ----\n"
                                                   ".text.k:\n"
                                                   "\t//## File \".nv_debug_ptx_txt\", line 15\n"
                                                   "        /*0000*/  LDC R1 ;\n"
                                                   "        /*0010*/  LDC R0 ;\n"
                                                   "\t//## File \".nv_debug_ptx_txt\", line 26\n"
                                                   "        /*0020*/         @!P0 EXIT ;\n"
                                                   ".L_x_0:\n"
                                                   "        /*0030*/  BRA `(.L_x_0);\n"
                                                   "        /*0040*/  NOP;\n");
  CHECK(disassembly.text == "\t.target\tsm_90\n"
                            "\n"
                            "//---- .text.k ----\n"
                            ".text.k:\n"
                            "/*0000*/       LDC R1 ;\n"
                            "/*0010*/       LDC R0 ;\n"
                            "/*0020*/  @!P0 EXIT ;\n"
                            ".L_x_0:\n"
                            "/*0030*/       BRA `(.L_x_0);\n"
                            "/*0040*/       NOP;\n");
  CHECK(disassembly.ptxLines == std::vector<int32_t>{-1, -1, -1, -1, 14, 14, 25, -1, 25, -1});
}
