// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/estimate/PtxProgram.h"

#include "compiler/estimate/CodeRegions.h"
#include "compiler/estimate/InstructionCost.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;
using namespace tilescope::compiler::estimate;

static constexpr std::string_view kLoop = R"(.visible .entry k(.param .u64 k_param_0)
{
	.reg .pred 	%p<3>;
	.reg .b32 	%r<10>;
	.reg .b64 	%rd<4>;
	ld.param.b64 	%rd1, [k_param_0];
	mov.b32 	%r1, 0;
$L__BB0_1:
	ld.global.b32 	%r2, [%rd1];
	add.s32 	%r3, %r3, 1;
	add.f32 	%r4, %r2, %r4;
	setp.lt.s32 	%p1, %r3, 7;
	@%p1 bra 	$L__BB0_1;
	st.global.b32 	[%rd1], %r4;
	ret;
}
)";

TEST_CASE("PTX stands for machine code where there is none", "[compiler]") {
  const machine::SassProgram program = ptxProgram(kLoop);
  REQUIRE(program.instructions.size() == 9);
  std::vector<std::string_view> operations;
  for (const machine::SassInstruction &instruction : program.instructions)
    operations.push_back(instruction.operation);
  CHECK(operations == std::vector<std::string_view>{"NOP", "NOP", "LDG", "IADD3", "FADD", "IADD3",
                                                    "BRA", "STG", "EXIT"});
  CHECK(program.instructions[6].targets == std::vector<uint32_t>{2});
  // Who reads what was loaded waits for the barrier of the load.
  const machine::SassControl load = machine::decodeControl(program.instructions[2].word);
  REQUIRE(load.writeBarrier < machine::kNumBarriers);
  CHECK(machine::decodeControl(program.instructions[3].word).waitMask == 0);
  CHECK(machine::decodeControl(program.instructions[4].word).waitMask == 1 << load.writeBarrier);
  CodeRegions code = findRegions(program);
  CHECK(countRegions(code, {{{2}, 7}}).empty());
  CHECK(code.executions(4) == 7);
}

TEST_CASE("products of PTX are as long as those of machine code", "[compiler]") {
  const machine::SassProgram program = ptxProgram(R"(.visible .entry k()
{
	.reg .b32 	%r<10>;
	wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {%r1, %r2}, %rd1, %rd2, 1, 1, 1, 0, 1;
	wgmma.commit_group.sync.aligned;
	wgmma.wait_group.sync.aligned 0;
	mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r1, %r2}, {%r3}, {%r4}, {%r1, %r2};
	cp.async.wait_group 	2;
	ret;
}
)");
  REQUIRE(program.instructions.size() == 6);
  const DeviceRates device = *deviceRates("cuda:90");
  CHECK(costOf(program.instructions[0], device).pipeCycles == 128);
  CHECK(program.instructions[0].operands.back() == "gsb0");
  CHECK(program.instructions[2].has("DEPBAR"));
  CHECK(program.instructions[2].operands.back() == "0x0");
  CHECK(costOf(program.instructions[3], device).pipeCycles ==
        Approx(2.0 * 16 * 8 * 16 / device.warpTensorFlops));
  CHECK(program.instructions[4].operation == "DEPBAR");
  CHECK(program.instructions[4].operands.back() == "0x2");
}
