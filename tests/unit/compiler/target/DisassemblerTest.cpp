// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/target/Disassembler.h"

#include "compiler/target/Assembler.h"

#include <catch2/catch.hpp>

using namespace tilescope;
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

TEST_CASE("the targets of an indirect branch are in its line", "[compiler]") {
  const CudaToolkit toolkit = findCudaToolkit();
  if (!toolkit.hasAssembler() || toolkit.nvdisasm.empty()) {
    WARN("skipped: this machine has no assembler or no nvdisasm; scripts/setup gets them");
    return;
  }
  std::string ptx = ".version 8.0\n.target sm_80\n.address_size 64\n"
                    ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
                    "  .reg .b32 %r<3>;\n  .reg .b64 %rd<2>;\n"
                    "  ld.param.u64 %rd1, [p];\n  ld.param.u32 %r1, [n];\n"
                    "  and.b32 %r1, %r1, 3;\n"
                    "places: .branchtargets L0, L1, L2, L3;\n  brx.idx %r1, places;\n";
  // Of as many kinds as there are places, or the assembler selects a value in place of a branch.
  const char *const parts[] = {"st.global.u32 [%rd1], %r1;", "atom.global.add.u32 %r2, [%rd1], 3;",
                               "membar.gl;", "bar.sync 0;"};
  for (size_t i = 0; i < std::size(parts); ++i)
    ptx += "L" + std::to_string(i) + ": " + parts[i] + " st.global.u32 [%rd1+" +
           std::to_string(4 * i) + "], %r1; bra.uni End;\n";
  ptx += "End: ret;\n}\n";
  AssembleOptions options;
  options.target = {80};
  const Result<AssembledCode> code = assemblePtx(toolkit, ptx, options);
  REQUIRE(code);
  REQUIRE_FALSE(code->cubin.empty());
  const Result<Disassembly> disassembly =
      disassemble(toolkit, code->cubin, std::chrono::seconds(60));
  REQUIRE(disassembly);
  CHECK(disassembly->text.find("BRX") != std::string::npos);
  CHECK(disassembly->text.find("BRANCH_TARGETS .L_x_") != std::string::npos);
}
