// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/deploy/DeployPlan.h"

#include "profiler/deploy/runtime/tilescope_plan.h"
#include "tests/support/TestFolder.h"
#include "tests/unit/profiler/SmallModelPackage.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <fstream>

using namespace tilescope;
using namespace tilescope::profiler;
using namespace tilescope::profiler::test;

/// The plan of a package, as an exported program reads it.
static tilescope_deploy::Plan planOf(const ModelPackage &package) {
  const Result<DeployPlan> written = deployPlan(package);
  REQUIRE(written);
  const tests::TestFolder folder;
  std::ofstream(folder.path / "model.plan") << written->text;
  return tilescope_deploy::readPlan(folder.path.string());
}

TEST_CASE("an exported plan says what the package says", "[deploy]") {
  const tilescope_deploy::Plan plan = planOf(smallModelPackage());
  CHECK(plan.model == "small.onnx");
  CHECK(plan.memoryBytes == 5 * 256);
  REQUIRE(plan.inputs.size() == 1);
  CHECK(plan.inputs[0].name == "x");
  CHECK(plan.inputs[0].at == 768);
  REQUIRE(plan.outputs.size() == 2);
  CHECK(plan.outputs[0].shape == std::vector<int64_t>{2, 2});
  CHECK(plan.outputs[0].bytes == 16);
  // The input's contents are the program's.
  REQUIRE(plan.constants.size() == 1);
  CHECK(plan.constants[0].at == 1024);
  CHECK(plan.constants[0].bytes == 16);
  CHECK(plan.constants[0].size == 4);
  // Three steps have one kernel.
  REQUIRE(plan.kernels.size() == 2);
  REQUIRE(plan.kernels[1].codes.size() == 1);
  CHECK(plan.kernels[1].codes[0].capability == 90);
  CHECK(tilescope_deploy::codeFile(1, plan.kernels[1].codes[0]) == "kernels/1.90.cubin");
  REQUIRE(plan.steps.size() == 4);
  CHECK(plan.steps[2].kernel == 0);
  CHECK(plan.steps[2].after == std::vector<size_t>{0, 1});
  CHECK(plan.steps[3].kernel == 1);
  CHECK(plan.steps[3].threads == 128);
  // Three tensors, then scratch memory and that of clock reads, which it does not have.
  REQUIRE(plan.steps[0].parameters.size() == 5);
  CHECK(plan.steps[0].parameters[1].at == 1024);
  CHECK(plan.steps[0].parameters[3].kind == tilescope_deploy::Parameter::Kind::None);
}

TEST_CASE("numbers, descriptions of tensors, scratch memory and clusters are exported",
          "[deploy]") {
  ModelPackage package = smallModelPackage();
  KernelPackage &kernel = package.steps[0].kernel;
  kernel.parameters.push_back({"n", "i32"});
  kernel.plan.args.push_back({"n", PlanScalar{"i32", int64_t(-2)}});
  kernel.numCtas = 2;
  kernel.plan.grid = {3, 1, 2};
  kernel.globalScratchBytes = 128;
  kernel.parameters[2].type = "tensordesc<fp32[4],swizzle=0>";
  package.steps[0].node = "a\nb\\n c";
  const tilescope_deploy::Plan plan = planOf(package);
  const tilescope_deploy::Step &step = plan.steps[0];
  CHECK(step.node == "a\nb\\n c");
  CHECK(step.grid == std::array<unsigned, 3>{6, 1, 2});
  CHECK(step.cluster == 2);
  CHECK(step.scratchBytes == 128 * 2 * 6);
  int32_t number = 0;
  std::memcpy(&number, step.parameters[3].number.data(), sizeof(number));
  CHECK(number == -2);
  CHECK(step.parameters[4].kind == tilescope_deploy::Parameter::Kind::Scratch);
  const tilescope_deploy::Parameter &map = step.parameters[2];
  CHECK(map.kind == tilescope_deploy::Parameter::Kind::Map);
  CHECK(map.type == 7);
  CHECK(map.extents == std::vector<uint64_t>{4});
  CHECK(map.strides.empty());
  CHECK(map.box == std::vector<uint32_t>{4});
}

TEST_CASE("a launch that does not fit its kernel is not exported", "[deploy]") {
  ModelPackage package = smallModelPackage();
  package.steps[3].kernel.parameters.push_back({"n", "i32"});
  const Result<DeployPlan> plan = deployPlan(package);
  REQUIRE_FALSE(plan);
  CHECK(plan.error().message ==
        "node `Twice_z`: kernel `twice`: the launch has no value for parameter `n`");
}
