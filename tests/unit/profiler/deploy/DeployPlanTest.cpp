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

static tilescope_deploy::Plan readText(const std::string &text) {
  const tests::TestFolder folder;
  std::ofstream(folder.path / "model.plan") << text;
  return tilescope_deploy::readPlan(folder.path.string());
}

/// The plan of a package, as an exported program reads it.
static tilescope_deploy::Plan planOf(const ModelPackage &package) {
  const Result<DeployPlan> written = deployPlan(package);
  REQUIRE(written);
  return readText(written->text);
}

TEST_CASE("an exported plan says what the package says", "[deploy]") {
  const tilescope_deploy::Plan plan = planOf(smallModelPackage());
  CHECK(plan.model == "small.onnx");
  CHECK(plan.memoryBytes == 5 * 256);
  REQUIRE(plan.sets[0].inputs.size() == 1);
  CHECK(plan.sets[0].inputs[0].name == "x");
  CHECK(plan.sets[0].inputs[0].at == 768);
  REQUIRE(plan.sets[0].outputs.size() == 2);
  CHECK(plan.sets[0].outputs[0].shape == std::vector<int64_t>{2, 2});
  CHECK(plan.sets[0].outputs[0].bytes == 16);
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
  REQUIRE(plan.sets[0].steps.size() == 4);
  CHECK(plan.sets[0].steps[2].kernel == 0);
  CHECK(plan.sets[0].steps[2].after == std::vector<size_t>{0, 1});
  CHECK(plan.sets[0].steps[3].kernel == 1);
  CHECK(plan.sets[0].steps[3].threads == 128);
  // Three tensors, then scratch memory and that of clock reads, which it does not have.
  REQUIRE(plan.sets[0].steps[0].parameters.size() == 5);
  CHECK(plan.sets[0].steps[0].parameters[1].at == 1024);
  CHECK(plan.sets[0].steps[0].parameters[3].kind == tilescope_deploy::Parameter::Kind::None);
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
  const tilescope_deploy::Step &step = plan.sets[0].steps[0];
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

/// The same model with a larger arena and an input of other extents behind it, and with a weight of its own.
static ModelPackage largerModelPackage() {
  ModelPackage package = smallModelPackage();
  package.inputs[0].shape = {2 * 512};
  package.buffers[4] = {1024, 4096, std::string(4096, '\1')};
  package.buffers[5].at = 5120;
  package.buffers.push_back({5376, 4, "abcd"});
  package.memoryBytes = 5632;
  package.steps[3] = vectorStep("Twice_z", "twice", {{"x", 6}, {"out", 3, true}});
  return package;
}

TEST_CASE("sets of shapes have one memory, one copy of constants and of kernels", "[deploy]") {
  DeployPlanMaker maker;
  maker.add(smallModelPackage());
  maker.add(largerModelPackage());
  const Result<DeployPlan> written = maker.finish();
  REQUIRE(written);
  // The weight that both have, and that of one.
  CHECK(written->weights.size() == 2 * 256);
  CHECK(written->kernels.size() == 2);
  const tilescope_deploy::Plan plan = readText(written->text);
  CHECK(plan.memoryBytes == 5120 + 2 * 256);
  REQUIRE(plan.constants.size() == 2);
  CHECK(plan.constants[0].at == 5120);
  CHECK(plan.constants[1].at == 5376);
  REQUIRE(plan.sets.size() == 2);
  CHECK(plan.sets[0].inputs[0].at == 768);
  CHECK(plan.sets[1].inputs[0].at == 1024);
  CHECK(plan.sets[1].inputs[0].shape == std::vector<int64_t>{1024});
  for (const tilescope_deploy::ShapeSet &set : plan.sets) {
    REQUIRE(set.steps.size() == 4);
    CHECK(set.steps[0].parameters[1].at == 5120);
    CHECK(set.steps[2].after == std::vector<size_t>{0, 1});
  }
  CHECK(plan.sets[1].steps[3].parameters[0].at == 5376);
}

TEST_CASE("sets of shapes with other outputs are not exported, and not read", "[deploy]") {
  ModelPackage other = largerModelPackage();
  other.outputs[1].name = "q";
  DeployPlanMaker maker;
  maker.add(smallModelPackage());
  maker.add(other);
  const Result<DeployPlan> plan = maker.finish();
  REQUIRE_FALSE(plan);
  CHECK(plan.error().message ==
        "the model does not have the same inputs and outputs for all sets of shapes");
  CHECK_THROWS_WITH(readText("tilescope-model 2\nmemory 16\nshape\noutput 4 0 fp32 1 1 y\nshape\n"
                             "output 4 0 fp32 1 1 z\nend\n"),
                    Catch::Contains("do not have the same inputs and outputs"));
  CHECK_THROWS_WITH(readText("tilescope-model 2\nmemory 16\noutput 4 0 fp32 1 1 y\nshape\nend\n"),
                    Catch::Contains("begins behind what is of none"));
}
