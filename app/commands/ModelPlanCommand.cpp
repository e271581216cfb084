// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/DiagnosticText.h"
#include "app/commands/ModelCommands.h"
#include "app/commands/ModelPlan.h"
#include "app/commands/ModelText.h"
#include "app/commands/ReadModel.h"
#include "compiler/support/BytesText.h"
#include "profiler/data/Text.h"

#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tilescope::app {

using nlohmann::json;

namespace {
/// A tensor that a step writes.
struct Written {
  const ModelPlan::Step *step;
  const ModelPlan::Tensor *tensor;
  ModelPlan::Buffer::Life life;
};

/// What a plan takes of memory.
struct Totals {
  /// Of all that steps write, as if nothing shared its place.
  uint64_t written = 0;
  /// Of what files and the module hold.
  uint64_t constants = 0;
};
} // namespace

static std::vector<Written> writtenBy(const ModelPlan &plan) {
  std::vector<Written> all;
  for (const ModelPlan::Step &step : plan.steps)
    for (const ModelPlan::Tensor &tensor : step.tensors)
      if (const auto &life = plan.buffers[tensor.buffer].life; life && tensor.isResult)
        all.push_back({&step, &tensor, *life});
  return all;
}

static Totals totalsOf(const ModelPlan &plan) {
  Totals totals;
  for (const ModelPlan::Buffer &buffer : plan.buffers) {
    totals.written += buffer.life ? buffer.life->bytes : 0;
    totals.constants += buffer.isInFile ? buffer.bytes : buffer.data.size() * buffer.repeat;
  }
  return totals;
}

static json planJson(const std::string &file, const ModelPlan &plan) {
  json steps = json::array(), tensors = json::array();
  for (const ModelPlan::Step &step : plan.steps)
    steps.push_back({{"node", step.node}, {"function", step.function}});
  for (const Written &each : writtenBy(plan))
    tensors.push_back({{"node", each.step->node},
                       {"type", profiler::dtypeName(each.tensor->dtype)},
                       {"shape", each.tensor->shape},
                       {"at", each.life.at},
                       {"bytes", each.life.bytes},
                       {"first", each.life.first},
                       {"last", each.life.last}});
  const Totals totals = totalsOf(plan);
  return {{"file", file},
          {"ok", true},
          {"arena",
           {{"bytes", plan.arenaBytes},
            {"least_bytes", plan.leastArenaBytes},
            {"tensor_bytes", totals.written}}},
          {"constant_bytes", totals.constants},
          {"steps", std::move(steps)},
          {"tensors", std::move(tensors)}};
}

static std::string planText(const ModelPlan &plan) {
  std::string text;
  for (const Written &each : writtenBy(plan))
    text += fmt::format("steps {} to {}, {} at {}: {} [{}] of {} in {}\n", each.life.first,
                        each.life.last, bytesText(each.life.bytes), each.life.at,
                        profiler::dtypeName(each.tensor->dtype),
                        fmt::join(each.tensor->shape, ", "), each.step->node, each.step->function);
  const Totals totals = totalsOf(plan);
  text +=
      fmt::format("{} steps, arena of {}, at least {}; {} without sharing; constants of {}\n",
                  plan.steps.size(), bytesText(plan.arenaBytes), bytesText(plan.leastArenaBytes),
                  bytesText(totals.written), bytesText(totals.constants));
  return profiler::printable(text);
}

int runModelPlan(const ModelPlanOptions &options) {
  Result<compiler::ModelResult> model =
      readOneModel(options.file, modelRequest(options.extents, options.form, options.fusions),
                   compiler::ModelText::Plan, options.timeLimit);
  if (!model)
    return reportError(model.error(), options.json);
  if (!model->ok) {
    model->text.clear();
    if (options.json)
      printJson(modelJson(options.file, *model));
    return 1;
  }
  const Result<ModelPlan> plan = parseModelPlan(model->text);
  if (!plan)
    return reportError(plan.error(), options.json);
  if (options.json)
    printJson(planJson(options.file, *plan));
  else
    std::fputs(planText(*plan).c_str(), stdout);
  return 0;
}

} // namespace tilescope::app
