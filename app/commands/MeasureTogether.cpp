// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/MeasureTogether.h"

#include "app/commands/AskPlace.h"
#include "app/commands/RunnerClient.h"
#include "profiler/data/Base64.h"

#include <nlohmann/json.hpp>
#include <numeric>

namespace tilescope::app {

using nlohmann::json;
using profiler::InterleavedKernel;
using profiler::InterleavedRun;

namespace {
/// What came of one request: a run, or an error and the package that was being launched then.
struct Attempt {
  Result<InterleavedRun> run;
  /// Packages whose preparation had begun.
  size_t numBegun = 0;
  /// Times were being taken: no package is to blame.
  bool isMeasuring = false;
};
} // namespace

static json makeRequest(const std::vector<profiler::KernelPackage> &packages,
                        const std::vector<size_t> &chosen, const TogetherOptions &options) {
  json encoded = json::array();
  for (const size_t index : chosen)
    encoded.push_back(profiler::encodeBase64(profiler::encodePackage(packages[index])));
  return {{"id", 1},
          {"method", "interleave"},
          {"params",
           {{"protocol", profiler::kInterleaveProtocol},
            {"packages_base64", std::move(encoded)},
            {"device", options.place.device},
            {"cold_l2", options.coldL2},
            {"rounds", options.maxRounds},
            {"launches_per_round", options.launchesPerRound},
            {"measure_s", options.measureSeconds},
            {"seed", options.seed},
            {"hopeless", options.hopeless},
            {"time_limit_s", options.timeLimit}}}};
}

static Result<InterleavedRun> readAnswer(const Result<json> &answer, size_t numPackages) {
  if (!answer) {
    // The request is as this version's runner takes it.
    if (answer.error().code == ErrorCode::Usage)
      return Error{ErrorCode::Environment,
                   "the runner is of another version: " + answer.error().message,
                   "install the `tilescope-runner` of this version there"};
    return answer.error();
  }
  try {
    InterleavedRun run = profiler::interleavedFromJson(*answer);
    if (run.kernels.size() != numPackages && !run.fault)
      throw std::invalid_argument("it has results of " + std::to_string(run.kernels.size()) +
                                  " kernels");
    return run;
  } catch (const std::exception &failure) {
    return Error{ErrorCode::Environment,
                 "the runner's answer is not a comparison: " + std::string(failure.what()),
                 "the runner may be a different version"};
  }
}

static Attempt attempt(const std::vector<profiler::KernelPackage> &packages,
                       const std::vector<size_t> &chosen, const TogetherOptions &options,
                       const RunnerHooks &hooks) {
  Attempt result{Error{}, 0, false};
  RunnerHooks followed = hooks;
  followed.progress = [&](std::string_view state) {
    // A new connection begins anew.
    result.numBegun = state == "connect" ? 0 : result.numBegun + (state == "prepare");
    result.isMeasuring = state == "measure";
    if (hooks.progress)
      hooks.progress(state);
  };
  const Result<json> answer = askPlace(options.place, makeRequest(packages, chosen, options),
                                       runnerPatience(options.timeLimit), followed);
  result.run = readAnswer(answer, chosen.size());
  return result;
}

/// The package, by its place among those that were tried, that keeps the others from being measured;
/// nothing when it is none of them.
static std::optional<size_t> culprit(const Attempt &attempt) {
  if (attempt.run)
    return attempt.run->fault;
  const bool isAboutKernel = attempt.run.error().code == ErrorCode::InvalidInput;
  if (!isAboutKernel || attempt.isMeasuring || attempt.numBegun == 0)
    return std::nullopt;
  return attempt.numBegun - 1;
}

Result<InterleavedRun> measureTogether(const std::vector<profiler::KernelPackage> &packages,
                                       const TogetherOptions &options, const RunnerHooks &hooks) {
  InterleavedRun result;
  result.kernels.resize(packages.size());
  std::vector<size_t> chosen(packages.size());
  std::iota(chosen.begin(), chosen.end(), size_t(0));
  while (!chosen.empty()) {
    Attempt made = attempt(packages, chosen, options, hooks);
    const std::optional<size_t> failed = culprit(made);
    if (failed && *failed < chosen.size()) {
      InterleavedKernel &kernel = result.kernels[chosen[*failed]];
      kernel.error = made.run ? made.run->kernels[*failed].error : made.run.error();
      chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(*failed));
      continue;
    }
    if (!made.run)
      return made.run.error();
    for (size_t i = 0; i < chosen.size(); ++i)
      result.kernels[chosen[i]] = std::move(made.run->kernels[i]);
    break;
  }
  return result;
}

} // namespace tilescope::app
