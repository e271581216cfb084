// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/exchange/RecordedSource.h"

#include "tests/unit/profiler/formats/Samples.h"

#include <algorithm>

using namespace tilescope;
using namespace tilescope::app;
using Catch::Matchers::Contains;
using profiler::LaunchBlock;
using profiler::LaunchEntry;
using profiler::ReportKernel;
using profiler::test::compiledKernel;

static std::string valueOf(const std::vector<LaunchEntry> &entries, const std::string &name) {
  const auto found = std::ranges::find(entries, name, &LaunchEntry::name);
  return found == entries.end() ? "" : found->value.text;
}

TEST_CASE("a recorded launch becomes a launch block of numbers", "[app]") {
  const std::optional<RecordedSource> source = recordedSource(compiledKernel());
  REQUIRE(source);
  CHECK(source->name == "copy.py");
  CHECK(source->kernel == "copy");
  CHECK(source->launch == 0);
  const profiler::LaunchBlocks parsed = profiler::parseLaunchBlocks(source->text);
  REQUIRE(parsed.problems.empty());
  REQUIRE(parsed.blocks.size() == 1);
  const LaunchBlock &block = parsed.blocks[0];
  CHECK(block.kernel == "copy");
  CHECK(block.grid.size() == 2);
  CHECK(block.grid[1].text == "2");
  REQUIRE(block.args.size() == 3);
  CHECK(block.args[0].dtype.text == "fp16");
  CHECK(block.args[0].shape[1].text == "32");
  CHECK(block.args[0].init.text == "randn");
  CHECK(block.args[1].value.text == "4096");
  CHECK(block.args[1].type.text.empty());
  CHECK(valueOf(block.constexprs, "BLOCK") == "1024");
  CHECK(valueOf(block.options, "num_warps") == "4");
  // In front of the kernel, behind the imports.
  CHECK(source->text.find("/// tilescope") < source->text.find("@triton.jit"));
}

TEST_CASE("numbers for parameters that are constants become constants", "[app]") {
  ReportKernel kernel = compiledKernel();
  kernel.source = "import triton\nimport triton.language as tl\n\n\n" +
                  kernel.source.substr(kernel.source.find('@'));
  kernel.plan->constexprs.erase("BLOCK");
  kernel.plan->args.push_back({"BLOCK", profiler::PlanScalar{"i32", int64_t(512)}});
  const auto blocks = profiler::parseLaunchBlocks(recordedSource(kernel)->text).blocks;
  REQUIRE(blocks.size() == 1);
  CHECK(blocks[0].args.size() == 3);
  CHECK(valueOf(blocks[0].constexprs, "BLOCK") == "512");
}

TEST_CASE("the block that a recorded source has is the launch", "[app]") {
  ReportKernel kernel = compiledKernel();
  const std::string other = "# /// tilescope\n# name = \"small\"\n# grid = [1]\n# ///\n";
  kernel.source = other + recordedSource(kernel)->text;
  const std::optional<RecordedSource> source = recordedSource(kernel);
  CHECK(source->text == kernel.source);
  CHECK(source->launch == 1);
  kernel.plan->name = "small";
  CHECK(recordedSource(kernel)->launch == 0);
}

TEST_CASE("every kind of initial data is written as it was", "[app]") {
  using Kind = profiler::TensorInit::Kind;
  profiler::LaunchPlan plan;
  plan.kernel = "k";
  for (const auto &[name, kind] : {std::pair{"a", Kind::Poison},
                                   {"b", Kind::Full},
                                   {"c", Kind::Rand},
                                   {"d", Kind::Randint},
                                   {"e", Kind::Ones},
                                   {"h", Kind::Offsets}}) {
    profiler::PlanTensor tensor;
    tensor.shape = {4};
    tensor.init = {kind, 7, 2.5, 1, 9, 1};
    plan.args.push_back({name, tensor});
  }
  plan.args.push_back({"f", profiler::PlanScalar{"fp64", 0.5}});
  plan.args.push_back({"g", profiler::PlanScalar{"fp32", 3.0}});
  const std::string text = profiler::formatLaunchBlock(blockOfPlan(plan, {}));
  CHECK_THAT(text, Contains("a = { dtype = \"fp32\", shape = [4] }"));
  CHECK_THAT(text, Contains("init = \"full\", value = 2.5"));
  CHECK_THAT(text, Contains("init = \"rand\", seed = 7, low = 1.0, high = 9.0"));
  CHECK_THAT(text, Contains("init = \"randint\", seed = 7, low = 1.0, high = 9.0"));
  CHECK_THAT(text, Contains("init = \"offsets\", seed = 7, low = 1.0, high = 9.0"));
  CHECK_THAT(text, Contains("f = { value = 0.5, type = \"fp64\" }"));
  CHECK_THAT(text, Contains("g = 3.0"));
  CHECK(profiler::parseLaunchBlocks(text).problems.empty());
}

TEST_CASE("a kernel whose source is not recorded has none", "[app]") {
  ReportKernel kernel = profiler::recordedKernel(profiler::test::recorded("matmul"));
  CHECK_FALSE(recordedSource(kernel).has_value());
  CHECK(recordedRun(kernel)->timeUs == kernel.measurement->timeUs);
}

TEST_CASE("what was measured is a profile of the text that is shown", "[app]") {
  ReportKernel kernel = compiledKernel();
  profiler::ReportStage &sass = kernel.stages.emplace_back();
  sass.id = "sass";
  sass.text = "MOV";
  const std::optional<RecordedSource> source = recordedSource(kernel);
  const profiler::Measurement run = profiler::test::recorded("vector_add");
  const profiler::ProfileDocument profile =
      recordedProfile(kernel, run, source, "2026-01-31 12:00 UTC");
  CHECK(profile.measurement == run);
  CHECK(profile.measuredAt == "2026-01-31T12:00:00Z");
  CHECK(profile.sourceText == source->text);
  // Offsets of samples are of this machine code.
  CHECK(profile.machineCode == profiler::textDigest("MOV"));
  CHECK(recordedProfile(kernel, run, std::nullopt, "now").measuredAt == "now");
  CHECK(recordedProfile(kernel, run, std::nullopt, "now").sourceText.empty());
  // A report may be made long after its measurement.
  kernel.measuredAt = "2026-01-30T09:30:00Z";
  CHECK(recordedProfile(kernel, run, std::nullopt, "now").measuredAt == "2026-01-30T09:30:00Z");
}

TEST_CASE("the interpreter's run stands for a measurement where there is none", "[app]") {
  ReportKernel kernel = compiledKernel();
  CHECK_FALSE(recordedRun(kernel).has_value());
  profiler::OutputComparison comparison;
  comparison.mismatches = 2;
  comparison.isWithExpected = true;
  kernel.cpuRun =
      profiler::ReportCpuRun{true, false, 1.5, 4, "", {{"x_ptr", "fp16", {4}, {}, comparison}}};
  const auto run = recordedRun(kernel);
  REQUIRE(run);
  CHECK(run->timeSource == profiler::TimeSource::Interpreter);
  CHECK(run->timeUs->median == 1500);
  CHECK(run->grid == std::array<int64_t, 3>{64, 2, 1});
  CHECK(run->outputs.at(0).isWrong());
}
