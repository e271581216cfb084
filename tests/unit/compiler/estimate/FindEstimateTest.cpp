// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/estimate/FindEstimate.h"

#include <catch2/catch.hpp>

using namespace tilescope::compiler;
using namespace tilescope::compiler::estimate;

static constexpr const char *kAdd = R"(.visible .entry k(.param .u64 k_param_0)
{
	.reg .b32 	%r<4>;
	mov.b32 	%r1, 0;
	add.s32 	%r2, %r1, 1;
	ret;
}
)";

static Stage stageOf(StageId id, std::string text) {
  Stage stage;
  stage.id = id;
  stage.ok = true;
  stage.text = std::move(text);
  return stage;
}

static std::string assumptionsOf(const std::vector<Stage> &stages) {
  CompileResult result;
  result.target = "cuda:90";
  result.stages = stages;
  result.metadata.numWarps = 4;
  MemoryFacts memory;
  memory.programs = 1024;
  EstimateInput input;
  input.result = &result;
  input.traffic.memory = &memory;
  input.traffic.programsPerSm = 8;
  const Estimate estimate = findEstimate(input);
  REQUIRE(estimate.reason.empty());
  std::string text;
  for (const std::string &assumption : estimate.facts.assumptions)
    text += assumption + "\n";
  return text;
}

TEST_CASE("an estimate names the tool that is missing, and no other", "[compiler]") {
  const Stage ptx = stageOf(StageId::Ptx, kAdd);
  CHECK(assumptionsOf({ptx}).find("ptxas and nvdisasm are missing") != std::string::npos);
  // The assembler was there.
  const std::string assembled = assumptionsOf({ptx, stageOf(StageId::Cubin, "bytes")});
  CHECK(assembled.find("nvdisasm is missing") != std::string::npos);
  CHECK(assembled.find("ptxas") == std::string::npos);
}

static constexpr const char *kLoad = R"(.visible .entry k(.param .u64 k_param_0)
{
	.reg .b32 	%r<4>;
	.reg .b64 	%rd<2>;
	ld.param.b64 	%rd1, [k_param_0];
	ld.global.b32 	%r1, [%rd1];
	add.s32 	%r2, %r1, 1;
	st.global.b32 	[%rd1], %r2;
	ret;
}
)";

/// How long a program is alone that loads 4 KiB, in a launch of which `readers` load each part of the
/// array.
static double aloneCycles(uint64_t programs, uint64_t readers) {
  CompileResult result;
  result.target = "cuda:90";
  Stage ptx = stageOf(StageId::Ptx, kLoad);
  const tilescope::SourceRange load{{3, 4}, {3, 20}};
  ptx.sourceMap.lines.push_back({5, {load}});
  result.stages = {ptx};
  result.metadata.numWarps = 4;
  MemoryFacts memory;
  memory.programs = programs;
  AccessFacts access;
  access.range = load;
  access.action = MemoryAction::GlobalLoad;
  access.argument = "x_ptr";
  access.vectorBytes = 4;
  access.executions = programs;
  access.counts.instructions = access.counts.requests = 4 * programs;
  access.counts.sectors = 128 * programs;
  access.counts.lines = 32 * programs;
  access.counts.bytesAsked = access.counts.bytesUsed = access.counts.bytesFetched = 4096 * programs;
  memory.accesses = {access};
  EstimateInput input;
  input.result = &result;
  input.traffic.memory = &memory;
  input.traffic.programsPerSm = 8;
  input.traffic.arrayBytes = {{"x_ptr", 4096 * programs / readers}};
  const Estimate estimate = findEstimate(input);
  REQUIRE(estimate.reason.empty());
  return estimate.facts.aloneCycles;
}

TEST_CASE("programs that begin together wait together for what they share", "[compiler]") {
  const double alone = aloneCycles(4, 1);
  CHECK(aloneCycles(16, 4) == alone);
  CHECK(aloneCycles(64, 16) == alone);
  CHECK(aloneCycles(1024, 512) == alone);
  // Programs of later waves find it in L2.
  CHECK(aloneCycles(65536, 65536 / 4) < alone);
}
