// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/exchange/RecordedSource.h"

#include "app/launch/InputFile.h"
#include "app/launch/SourceKernels.h"
#include "app/launch/SuggestedBlock.h"
#include "profiler/package/PlannedBlock.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>

namespace tilescope::app {

using profiler::LaunchArgument;
using profiler::LaunchBlock;
using profiler::LaunchExpression;
using profiler::LaunchPlan;
using profiler::PlanArgument;
using profiler::PlanScalar;
using profiler::PlanTensor;
using profiler::ReportKernel;
using profiler::TensorInit;

static LaunchExpression expression(std::string text) { return {std::move(text), {}, {}}; }

static std::string realText(double value) {
  if (std::isnan(value))
    return "float(\"nan\")";
  if (std::isinf(value))
    return value > 0 ? "float(\"inf\")" : "-float(\"inf\")";
  const std::string text = fmt::format("{}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

static std::string scalarText(const PlanScalar &scalar) {
  if (const bool *value = std::get_if<bool>(&scalar.value))
    return *value ? "True" : "False";
  if (const double *value = std::get_if<double>(&scalar.value))
    return realText(*value);
  if (const uint64_t *value = std::get_if<uint64_t>(&scalar.value))
    return std::to_string(*value);
  return std::to_string(std::get<int64_t>(scalar.value));
}

/// The type that a launch block infers for the number.
static std::string inferredType(const PlanScalar &scalar) {
  if (std::holds_alternative<bool>(scalar.value))
    return "u1";
  if (std::holds_alternative<double>(scalar.value))
    return "fp32";
  const int64_t *value = std::get_if<int64_t>(&scalar.value);
  return value && *value == int32_t(*value) ? "i32" : value ? "i64" : "u64";
}

static void setInit(const TensorInit &init, LaunchArgument &argument) {
  using Kind = TensorInit::Kind;
  const auto option = [&](const char *name, const std::string &value) {
    argument.initOptions.push_back({name, {}, expression(value)});
  };
  if (init.kind == Kind::Poison)
    return;
  argument.init = expression(std::string(profiler::initName(init.kind)));
  if (init.kind == Kind::Full)
    option("value", realText(init.value));
  const bool isRandom = init.kind == Kind::Rand || init.kind == Kind::Randn ||
                        init.kind == Kind::Randint || init.kind == Kind::Offsets;
  if (isRandom)
    option("seed", std::to_string(init.seed));
  if (isRandom && init.kind != Kind::Randn) {
    option("low", realText(init.low));
    option("high", realText(init.high));
  }
  if (init.kind == Kind::Randn && init.scale != 1)
    option("scale", realText(init.scale));
}

static LaunchArgument blockArgument(const PlanArgument &planned) {
  LaunchArgument argument;
  argument.name = planned.name;
  if (const PlanTensor *tensor = planned.tensor()) {
    argument.isTensor = true;
    argument.isGuess = tensor->isGuess;
    argument.dtype = expression(std::string(profiler::dtypeName(tensor->dtype)));
    for (const int64_t extent : tensor->shape)
      argument.shape.push_back(expression(std::to_string(extent)));
    setInit(tensor->init, argument);
    argument.expected = expression(tensor->expected);
    return argument;
  }
  const PlanScalar &scalar = *planned.scalar();
  argument.value = expression(scalarText(scalar));
  if (scalar.type != inferredType(scalar))
    argument.type = expression(scalar.type);
  return argument;
}

LaunchBlock blockOfPlan(const LaunchPlan &plan, const std::vector<std::string> &constexprs) {
  LaunchBlock block;
  block.name = plan.name;
  block.kernel = plan.kernel;
  block.isGridGuess = plan.isGridGuess;
  size_t numExtents = plan.grid.size();
  while (numExtents > 1 && plan.grid[numExtents - 1] == 1)
    --numExtents;
  for (size_t i = 0; i < numExtents; ++i)
    block.grid.push_back(expression(std::to_string(plan.grid[i])));
  for (const PlanArgument &argument : plan.args)
    if (argument.scalar() && std::ranges::find(constexprs, argument.name) != constexprs.end())
      block.constexprs.push_back({argument.name, {}, expression(scalarText(*argument.scalar()))});
    else
      block.args.push_back(blockArgument(argument));
  for (const auto &[name, value] : plan.constexprs)
    block.constexprs.push_back({name, {}, expression(value)});
  for (const auto &[name, value] : plan.options)
    block.options.push_back({name, {}, expression(value)});
  if (plan.bytes)
    block.bytes = expression(realText(*plan.bytes));
  if (plan.flops)
    block.flops = expression(realText(*plan.flops));
  return block;
}

/// The block's position among those of the text that can be read.
static std::optional<int> positionOf(const std::string &text, const LaunchPlan &plan) {
  const std::vector<LaunchBlock> blocks = profiler::parseLaunchBlocks(text).blocks;
  const auto isIt = [&](const LaunchBlock &block) { return profiler::isOfPlan(block, plan); };
  const auto found = std::ranges::find_if(blocks, isIt);
  if (found == blocks.end())
    return std::nullopt;
  return static_cast<int>(found - blocks.begin());
}

static std::vector<std::string> constexprsOf(const std::string &text, const std::string &kernel) {
  std::vector<std::string> names;
  const std::vector<SourceKernel> kernels = sourceKernels(text);
  if (const SourceKernel *found = findKernel(kernels, kernel))
    for (const profiler::LaunchParameter &parameter : found->parameters)
      if (parameter.isConstexpr)
        names.push_back(parameter.name);
  return names;
}

static LaunchPlan planWithOptions(const ReportKernel &kernel) {
  LaunchPlan plan = *kernel.plan;
  plan.kernel = kernel.kernel;
  for (const auto &[name, value] : kernel.options)
    plan.options.emplace(name, value);
  return plan;
}

std::optional<RecordedSource> recordedSource(const ReportKernel &kernel) {
  if (kernel.source.empty())
    return std::nullopt;
  RecordedSource recorded{std::filesystem::path(kernel.path).filename().string(), kernel.path,
                          kernel.source, kernel.kernel, std::nullopt};
  if (recorded.name.empty() || !entryStage(recorded.name, kernel.source))
    recorded.name = recorded.path = kernel.kernel + ".py";
  const Result<compiler::StageId> entry = entryStage(recorded.name, kernel.source);
  if (!kernel.plan || !entry)
    return recorded;
  recorded.launch = positionOf(recorded.text, *kernel.plan);
  if (recorded.launch)
    return recorded;
  const LaunchPlan plan = planWithOptions(kernel);
  const bool isPython = *entry == compiler::StageId::Ast;
  const std::vector<std::string> constexprs =
      isPython ? constexprsOf(recorded.text, kernel.kernel) : std::vector<std::string>();
  recorded.text = insertBlock(recorded.text, *entry, blockOfPlan(plan, constexprs));
  recorded.launch = positionOf(recorded.text, plan);
  return recorded;
}

/// `2026-01-31T12:00:00Z` of `2026-01-31 12:00 UTC`; other forms as they are.
static std::string isoTime(const std::string &created) {
  constexpr size_t kDate = 10, kMinutes = 16;
  if (created.size() < kMinutes || created[kDate] != ' ')
    return created;
  return created.substr(0, kDate) + "T" + created.substr(kDate + 1, kMinutes - kDate - 1) + ":00Z";
}

profiler::ProfileDocument recordedProfile(const ReportKernel &kernel,
                                          const profiler::Measurement &run,
                                          const std::optional<RecordedSource> &source,
                                          const std::string &created) {
  profiler::ProfileDocument profile;
  profile.measurement = run;
  profile.launch = kernel.plan ? kernel.plan->name : kernel.launchTitle;
  profile.measuredAt = kernel.measuredAt.empty() ? isoTime(created) : kernel.measuredAt;
  if (source) {
    profile.sourcePath = source->path;
    profile.sourceText = source->text;
  }
  profile.machineCode = kernel.machineCode;
  for (const profiler::ReportStage &stage : kernel.stages)
    if (profile.machineCode.empty() && stage.id == "sass" && !stage.text.empty())
      profile.machineCode = profiler::textDigest(stage.text);
  return profile;
}

std::optional<profiler::Measurement> recordedRun(const ReportKernel &kernel) {
  std::optional<profiler::Measurement> measurement = kernel.measurement;
  if (!measurement && kernel.cpuRun) {
    measurement.emplace();
    measurement->kernel = kernel.kernel;
    measurement->timeSource = profiler::TimeSource::Interpreter;
    const double us = kernel.cpuRun->ms * 1000;
    measurement->timeUs = profiler::TimeStats{us, us, us, 1, 0, {us}};
    measurement->launches = 1;
    if (kernel.plan)
      measurement->grid = kernel.plan->grid;
    for (const profiler::ReportOutput &output : kernel.cpuRun->outputs) {
      profiler::OutputResult &result = measurement->outputs.emplace_back();
      result.name = output.name;
      result.dtype = output.dtype;
      result.shape = output.shape;
      result.comparison = output.comparison;
    }
  }
  if (measurement)
    for (profiler::OutputResult &output : measurement->outputs)
      output.path.clear();
  return measurement;
}

} // namespace tilescope::app
