// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/TimedAttempt.h"

#include "app/commands/MakePackage.h"
#include "app/commands/MeasureBoth.h"
#include "compiler/artifacts/EstimateText.h"

#include <algorithm>

namespace tilescope::app {

using compiler::Estimate;

static std::string firstErrorOf(const std::vector<compiler::Diagnostic> &diagnostics) {
  const auto found =
      std::ranges::find(diagnostics, compiler::Severity::Error, &compiler::Diagnostic::severity);
  return found == diagnostics.end() ? "it does not compile" : found->message;
}

static Estimate unknownTime(std::string why) {
  Estimate none;
  none.reason = std::move(why);
  return none;
}

/// What the launch of a file takes by the model.
static Result<Estimate> estimateText(compiler::WorkerClient &worker, const InputFile &input,
                                     const std::string &target, const std::stop_token &stop) {
  compiler::Selection selection;
  selection.target = target;
  Result<CompiledFile> file = resolveInput(worker, input, selection, stop);
  if (!file)
    return file.error();
  if (!file->plan)
    return unknownTime(firstErrorOf(file->result.diagnostics));
  compiler::InspectMessage message;
  message.request = file->request;
  message.launchPlan = profiler::launchPlanToJson(*file->plan);
  message.wantsEstimate = true;
  Result<compiler::InspectDoneReply> done = worker.inspect(std::move(message), stop);
  if (!done)
    return done.error();
  if (done->cancelled)
    return Error{ErrorCode::Cancelled, "stopped", ""};
  if (!done->ok)
    return unknownTime(firstErrorOf(done->diagnostics));
  return std::move(done->estimate);
}

static Result<TimedAgainst> estimated(compiler::WorkerClient &worker, const TimedPair &pair,
                                      KeptTimes &kept, const std::stop_token &stop) {
  TimedAgainst time;
  time.baseline = pair.name;
  const auto [place, isNew] = kept.estimates.try_emplace({pair.baseline.text, pair.target});
  if (isNew) {
    Result<Estimate> baseline = estimateText(worker, pair.baseline, pair.target, stop);
    if (!baseline) {
      kept.estimates.erase(place);
      return baseline.error();
    }
    place->second = std::move(*baseline);
  }
  const Result<Estimate> own = estimateText(worker, pair.own, pair.target, stop);
  if (!own)
    return own.error();
  const Estimate &baseline = place->second;
  if (!own->isKnown() || !baseline.isKnown()) {
    time.missing =
        own->isKnown() ? pair.name + ": " + estimateHeadline(baseline) : estimateHeadline(*own);
    return time;
  }
  const auto isFromPtx = [](const Estimate &each) {
    return each.facts.confidence == compiler::EstimateConfidence::Ptx;
  };
  time.device = own->device;
  time.us = own->us;
  time.baselineUs = baseline.us;
  time.share = own->us / baseline.us;
  time.isFromPtx = isFromPtx(*own) || isFromPtx(baseline);
  return time;
}

static Result<profiler::KernelPackage> packageOf(compiler::WorkerClient &worker,
                                                 const InputFile &input, const RunPlace &place,
                                                 const std::stop_token &stop) {
  compiler::Selection selection;
  Result<std::string> target = targetAt(place);
  if (!target)
    return target.error();
  selection.target = std::move(*target);
  CompiledPackage compiled = compilePackage(worker, input, selection, {.stop = stop});
  if (!compiled.package && compiled.package.error().message.empty())
    return Error{ErrorCode::InvalidInput, firstErrorOf(compiled.diagnostics), ""};
  return std::move(compiled.package);
}

/// The error says why there is no measurement.
static Result<TimedAgainst> measured(compiler::WorkerClient &worker, const TimedPair &pair,
                                     const std::stop_token &stop) {
  Result<profiler::KernelPackage> baseline =
      packageOf(worker, pair.baseline, *pair.measureAt, stop);
  if (!baseline)
    return baseline.error();
  Result<profiler::KernelPackage> own = packageOf(worker, pair.own, *pair.measureAt, stop);
  if (!own)
    return own.error();
  MeasureBothOptions options;
  options.together.place = *pair.measureAt;
  options.together.measureSeconds = 2;
  RunnerHooks hooks;
  hooks.stop = stop;
  const TimesOfBoth both = measureBoth({std::move(*baseline), std::move(*own)},
                                       {pair.baseline.path, pair.own.path}, options, hooks);
  if (both.error)
    return *both.error;
  const profiler::Measurement &before = both.run->kernels[0].measurement;
  const profiler::Measurement &after = both.run->kernels[1].measurement;
  if (!before.timeUs || !after.timeUs)
    return Error{ErrorCode::Environment, "the runner reported no times", ""};
  TimedAgainst time;
  time.baseline = pair.name;
  time.device = after.device.name;
  time.isMeasured = true;
  time.us = after.timeUs->median;
  time.baselineUs = before.timeUs->median;
  time.share = 1 + both.comparison.shift;
  return time;
}

Result<TimedAgainst> timeAgainst(compiler::WorkerClient &worker, const TimedPair &pair,
                                 KeptTimes &kept, const std::stop_token &stop) {
  const std::pair key(pair.own.text, pair.baseline.text);
  std::string missing;
  if (pair.measureAt) {
    Result<TimedAgainst> time = measured(worker, pair, stop);
    if (time)
      kept.measured[key] = *time;
    else if (stop.stop_requested())
      return time.error();
    else
      missing = "it could not be measured: " + time.error().message;
  }
  if (const auto found = kept.measured.find(key); found != kept.measured.end())
    return found->second;
  Result<TimedAgainst> time = estimated(worker, pair, kept, stop);
  if (time && time->missing.empty())
    time->missing = std::move(missing);
  return time;
}

} // namespace tilescope::app
