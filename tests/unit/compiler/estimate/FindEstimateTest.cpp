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
