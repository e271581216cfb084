// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ModelComparisonText.h"

#include "profiler/data/Text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tilescope::app {

using nlohmann::json;

static std::string placeText(const ComparedTensor &tensor) {
  return fmt::format(
      "[{}]", fmt::join(profiler::elementCoordinates(tensor.difference.at, tensor.shape), ", "));
}

static std::string typeText(const ComparedTensor &tensor) {
  return fmt::format("{} [{}]", profiler::dtypeName(tensor.dtype), fmt::join(tensor.shape, ", "));
}

static std::string differenceText(const ComparedTensor &tensor) {
  const TensorDifference &difference = tensor.difference;
  if (difference.largest == 0)
    return "equal, bit for bit";
  // Beyond, an element is another number, and not one that was rounded otherwise.
  constexpr double kMostUlps = 1e6;
  const std::string ulps = difference.ulps > kMostUlps
                               ? "more than a million ULP"
                               : fmt::format("{:.3g} ULP at most", difference.ulps);
  return fmt::format("error {:.3g} in norm, at most {:.3g} (relative {:.3g}, {})",
                     difference.inNorm, difference.largest, difference.largestRelative, ulps);
}

static std::string outputText(const ComparedTensor &output) {
  if (!output.isCompared())
    return fmt::format(
        "output {}: {}, what it is compared with has another type or other extents\n", output.name,
        typeText(output));
  std::string text = fmt::format("output {}: {}, against {}: {}", output.name, typeText(output),
                                 output.reference, differenceText(output));
  if (output.diverges())
    text += fmt::format("; {} is {:.6g} instead of {:.6g}", placeText(output), output.found,
                        output.wanted);
  return text + "\n";
}

static std::string firstText(const ModelComparison &comparison, const ModelPlan &plan) {
  const auto isWrong = [](const ComparedTensor &each) { return each.diverges(); };
  const auto first = std::ranges::find_if(comparison.results, isWrong);
  const auto wrong = std::ranges::count_if(comparison.results, isWrong);
  return fmt::format("first to diverge: kernel {} of {}, `{}` of `{}`: what it writes, {}, is not "
                     "the result of `{}`: {}; {} is {:.6g} instead of {:.6g}\n{} of {} results "
                     "{}{}\n",
                     comparison.first->step + 1, plan.steps.size(), first->function, first->name,
                     typeText(*first), first->reference, differenceText(*first), placeText(*first),
                     first->found, first->wanted, wrong, comparison.results.size(),
                     wrong == 1 ? "diverges" : "diverge",
                     wrong == 1 ? "" : ", since kernels go on with what was written before them");
}

std::string modelVerdictText(const ModelComparison &comparison, const ModelPlan &plan) {
  if (comparison.first)
    return firstText(comparison, plan);
  const ComparedTensor *worst = nullptr;
  for (const ComparedTensor &each : comparison.results)
    if (each.isCompared() &&
        (worst == nullptr || each.difference.inNorm > worst->difference.inNorm))
      worst = &each;
  if (worst == nullptr)
    return "no result of a kernel stands for an operation of the model alone\n";
  return fmt::format("{} kernels agree with the model's own operations: the "
                     "largest error is {:.3g} in norm, of `{}` in `{}`\n",
                     plan.steps.size(), worst->difference.inNorm, worst->name, worst->function);
}

std::string modelComparisonText(const ModelComparison &comparison, const ModelPlan &plan) {
  std::string text = modelVerdictText(comparison, plan);
  const auto compared =
      std::ranges::count_if(comparison.results, [](const auto &each) { return each.isCompared(); });
  const auto left = std::ssize(comparison.results) - compared;
  if (left > 0 && compared > 0)
    text += fmt::format("{} of {} results stand for no operation of the model alone, and were not "
                        "compared\n",
                        left, comparison.results.size());
  for (const ComparedTensor &output : comparison.outputs)
    text += outputText(output);
  return profiler::printable(text);
}

/// JSON has no infinity.
static json numberJson(double value) { return std::isfinite(value) ? json(value) : json(); }

static json tensorJson(const ComparedTensor &tensor) {
  json object = {{"name", tensor.name},
                 {"type", profiler::dtypeName(tensor.dtype)},
                 {"shape", tensor.shape},
                 {"compared", tensor.isCompared()}};
  if (!tensor.function.empty())
    object["function"] = tensor.function;
  if (!tensor.isCompared())
    return object;
  object.update({{"reference", tensor.reference},
                 {"diverges", tensor.diverges()},
                 {"error", numberJson(tensor.difference.inNorm)},
                 {"largest", numberJson(tensor.difference.largest)},
                 {"largest_relative", numberJson(tensor.difference.largestRelative)},
                 {"ulps", numberJson(tensor.difference.ulps)},
                 {"at", profiler::elementCoordinates(tensor.difference.at, tensor.shape)},
                 {"found", numberJson(tensor.found)},
                 {"wanted", numberJson(tensor.wanted)}});
  return object;
}

json modelComparisonJson(const std::string &file, const ModelComparison &comparison) {
  json results = json::array(), outputs = json::array();
  for (const ComparedTensor &each : comparison.results)
    results.push_back(tensorJson(each));
  for (const ComparedTensor &each : comparison.outputs)
    outputs.push_back(tensorJson(each));
  json object = {{"file", file},
                 {"ok", comparison.agrees()},
                 {"results", std::move(results)},
                 {"outputs", std::move(outputs)}};
  if (comparison.first)
    object["first"] = comparison.first->step;
  return object;
}

} // namespace tilescope::app
