// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/FusionVariants.h"

#include "app/commands/ModelTimes.h"
#include "app/commands/TimeStatsJson.h"
#include "compiler/support/BytesText.h"
#include "compiler/support/Counted.h"
#include "profiler/analysis/Throughput.h"
#include "profiler/data/Text.h"
#include "profiler/data/TimeText.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <tuple>

namespace tilescope::app {

using compiler::ModelKernel;
using compiler::ModelResult;
using nlohmann::json;
using profiler::timeText;

/// Kernels that are equal in these compute the same from the same.
static auto identityOf(const ModelKernel &kernel) {
  return std::tie(kernel.nodes, kernel.form, kernel.bytes, kernel.flops);
}

static FusionVariant variantOf(const ModelResult &model, const ModelResult &other,
                               const ModelTimes &times) {
  FusionVariant variant;
  variant.numKernels = model.kernels.size();
  if (!times.us.empty())
    variant.leastUs = std::accumulate(times.us.begin(), times.us.end(), 0.0);
  std::multiset<decltype(identityOf(ModelKernel()))> others;
  for (const ModelKernel &kernel : other.kernels)
    others.insert(identityOf(kernel));
  for (size_t i = 0; i < model.kernels.size(); ++i) {
    variant.bytes += model.kernels[i].bytes;
    if (const auto found = others.find(identityOf(model.kernels[i])); found != others.end())
      others.erase(found);
    else
      variant.own.push_back(i);
  }
  return variant;
}

FusionVariants compareVariants(const ModelResult &chosen, const ModelResult &planned,
                               const std::string &target) {
  const ModelTimes times = modelTimes(chosen, target);
  return {variantOf(chosen, planned, times),
          variantOf(planned, chosen, modelTimes(planned, target)), times.device, ""};
}

/// Of both, in turn; on the processor with so many more launches of each kernel, which a GPU's runner repeats itself.
static constexpr size_t kCpuRounds = 5, kGpuRounds = 2;
static constexpr uint32_t kRepeats = 3;

Status measureVariants(compiler::WorkerClient &worker, const VariantsToMeasure &models,
                       FusionVariants &variants) {
  std::vector<double> chosenUs, plannedUs;
  size_t done = 0;
  ModelRunHooks hooks = models.hooks;
  hooks.repeats = kRepeats;
  const size_t numRounds = hooks.place.kind == RunPlace::Kind::Cpu ? kCpuRounds : kGpuRounds;
  for (size_t round = 0; round < numRounds; ++round)
    for (const auto &[plan, variant, samples] :
         {std::tuple(&models.chosen, &variants.chosen, &chosenUs),
          {&models.planned, &variants.planned, &plannedUs}}) {
      const Result<ModelRun> run = runModel(worker, *plan, models.file, models.inputs, hooks);
      if (!run)
        return run.error();
      double us = 0;
      for (const size_t kernel : variant->own)
        us += run->stepUs.at(kernel);
      samples->push_back(us);
      if (run->measurement)
        variants.measuredOn = run->measurement->device.name;
      if (models.progress)
        models.progress(++done, 2 * numRounds);
    }
  variants.chosen.ownUs = profiler::timeStats(std::move(chosenUs));
  variants.planned.ownUs = profiler::timeStats(std::move(plannedUs));
  if (variants.measuredOn.empty())
    variants.measuredOn = "CPU (native code)";
  return {};
}

static std::string lineOf(const char *name, const FusionVariant &variant,
                          const FusionVariants &both) {
  std::string text =
      fmt::format("{}: {} that {} {}", name, counted(variant.numKernels, "kernel"),
                  variant.numKernels == 1 ? "moves" : "move", bytesText(variant.bytes));
  if (variant.leastUs)
    text += fmt::format(", at least {} on {}", timeText(*variant.leastUs), both.device);
  text +=
      fmt::format("; {} {}", variant.own.size(), variant.own.size() == 1 ? "differs" : "differ");
  if (variant.ownUs && !variant.own.empty())
    text += fmt::format(" and {} {} ({} to {}) on {}", variant.own.size() == 1 ? "takes" : "take",
                        timeText(variant.ownUs->median), timeText(variant.ownUs->min),
                        timeText(variant.ownUs->max), both.measuredOn);
  return text + "\n";
}

std::string variantsText(const FusionVariants &variants) {
  return profiler::printable(lineOf("with the choices", variants.chosen, variants) +
                             lineOf("without them", variants.planned, variants));
}

static json jsonOf(const FusionVariant &variant) {
  json object = {{"kernels", variant.numKernels},
                 {"bytes", variant.bytes},
                 {"least_us", variant.leastUs ? json(*variant.leastUs) : json()},
                 {"own", variant.own}};
  if (variant.ownUs)
    object["own_us"] = timeStatsJson(*variant.ownUs);
  return object;
}

json variantsJson(const FusionVariants &variants) {
  return {{"chosen", jsonOf(variants.chosen)},
          {"planned", jsonOf(variants.planned)},
          {"device", variants.device},
          {"measured_on", variants.measuredOn}};
}

} // namespace tilescope::app
