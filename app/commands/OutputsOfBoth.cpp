// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/OutputsOfBoth.h"

#include "app/commands/TemporaryFolder.h"
#include "app/commands/TrialRun.h"
#include "profiler/analysis/Comparison.h"
#include "profiler/data/Npy.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace tilescope::app {

using profiler::OutputResult;
using profiler::Tensor;

/// The outputs of a side, with a file for each in the folder.
static Result<std::vector<OutputResult>>
runSide(compiler::WorkerClient &worker, const ComparedSide &side, const std::string &folder) {
  if (!side.input)
    return Error{ErrorCode::InvalidInput, "it was read without its source", ""};
  LaunchRequest request;
  request.input = *side.input;
  request.selection = side.selection;
  request = trialOf(request);
  request.dumpFolder = folder;
  const LaunchRun run = runTrial(worker, request, {});
  if (run.measurement)
    return run.measurement->outputs;
  const auto fault = std::ranges::find(run.diagnostics, compiler::Severity::Error,
                                       &compiler::Diagnostic::severity);
  return fault == run.diagnostics.end() ? run.measurement.error()
                                        : Error{ErrorCode::InvalidInput, fault->message, ""};
}

/// Nothing: they are not comparable.
static std::optional<profiler::OutputComparison> compared(const std::string &before,
                                                          const std::string &after) {
  const Result<Tensor> expected = profiler::readNpy(before), actual = profiler::readNpy(after);
  if (!expected || !actual || expected->shape != actual->shape || expected->dtype != actual->dtype)
    return std::nullopt;
  profiler::ComparisonOptions options;
  // Both began with the same contents; what neither wrote is no difference.
  options.poisoned = true;
  return profiler::compareTensors(*actual, *expected, options);
}

OutputsOfBoth outputsOfBoth(compiler::WorkerClient &worker,
                            const std::array<ComparedSide, 2> &sides) {
  OutputsOfBoth both;
  const Result<TemporaryFolder> scratch = TemporaryFolder::make();
  if (!scratch)
    return {{}, scratch.error().message};
  std::array<std::vector<OutputResult>, 2> outputs;
  for (size_t i = 0; i < sides.size(); ++i) {
    Result<std::vector<OutputResult>> ran =
        runSide(worker, sides[i], scratch->path() + (i == 0 ? "/before" : "/after"));
    if (!ran)
      return {{}, "`" + sides[i].name + "`: " + ran.error().message};
    outputs[i] = std::move(*ran);
  }
  for (OutputResult &after : outputs[1]) {
    const auto before = std::ranges::find(outputs[0], after.name, &OutputResult::name);
    if (before == outputs[0].end() || (!before->changed && !after.changed))
      continue;
    after.comparison = compared(before->path, after.path);
    if (after.comparison)
      both.outputs.push_back(std::move(after));
  }
  if (both.outputs.empty())
    both.missing = "they have no output of the same name, shape and type";
  return both;
}

std::string outputsText(const OutputsOfBoth &both) {
  if (!both.missing.empty())
    return "outputs   not compared: " + both.missing + "\n";
  std::string text;
  for (const OutputResult &output : both.outputs) {
    const profiler::OutputComparison &comparison = *output.comparison;
    text += "outputs   `" + output.name + "` ";
    if (!comparison.ok())
      text += fmt::format("differs in {} elements, the first at [{}]: {} before, {} after\n",
                          comparison.mismatches, fmt::join(comparison.firstMismatch, ", "),
                          comparison.firstExpected, comparison.firstActual);
    else if (comparison.maxAbsError == 0)
      text += "is the same\n";
    else
      text +=
          fmt::format("is the same but for rounding, by {:.3g} at most\n", comparison.maxAbsError);
  }
  return text;
}

void addOutputs(const OutputsOfBoth &both, nlohmann::json &document) {
  if (!both.missing.empty()) {
    document["outputs_missing"] = both.missing;
    return;
  }
  document["outputs"] = nlohmann::json::array();
  for (const OutputResult &output : both.outputs)
    document["outputs"].push_back({{"name", output.name},
                                   {"same", output.comparison->ok()},
                                   {"mismatches", output.comparison->mismatches},
                                   {"largest_difference", output.comparison->maxAbsError}});
}

} // namespace tilescope::app
