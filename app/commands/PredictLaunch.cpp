// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/PredictLaunch.h"

#include "compiler/artifacts/EstimateText.h"
#include "compiler/estimate/Predict.h"
#include "profiler/analysis/PredictionWords.h"

#include <algorithm>

namespace tilescope::app {

using compiler::Estimate;
using profiler::Measurement;

static profiler::Prediction predictionOf(const Estimate &estimate) {
  profiler::Prediction prediction;
  prediction.device = estimate.device;
  prediction.us = estimate.us;
  prediction.bottleneck = estimate.parts.empty()
                              ? std::string(compiler::bottleneckName(estimate.bottleneck))
                              : estimate.parts.front().name;
  prediction.isFromPtx = estimate.facts.confidence == compiler::EstimateConfidence::Ptx;
  for (const compiler::EstimateLine &line : estimate.facts.lines)
    if (line.range.file == 0)
      prediction.lines.push_back({line.range.begin.line, line.share});
  std::ranges::sort(prediction.lines, {}, &profiler::PredictedLine::line);
  return prediction;
}

/// What differs enough from the prediction to be said.
static void noteGaps(const Estimate &estimate, Measurement &measurement) {
  if (measurement.timeUs)
    if (std::string gap = estimateGap(estimate, measurement.timeUs->median); !gap.empty())
      measurement.notes.push_back(std::move(gap));
  if (const auto beside = profiler::besidePrediction(measurement))
    if (std::string gap = profiler::lineGapText(*beside); !gap.empty())
      measurement.notes.push_back(std::move(gap));
}

void notePrediction(const Estimate &estimate, Measurement &measurement) {
  const auto rates =
      compiler::estimate::deviceRates(estimate.facts.target, measurement.device.name);
  if (!estimate.isKnown()) {
    measurement.notes.push_back(estimateHeadline(estimate));
  } else if (!rates) {
    measurement.notes.push_back("not predicted: the rates of the " + measurement.device.name +
                                " are not known");
  } else if (!measurement.coldL2) {
    measurement.notes.push_back("not predicted: predictions are for a cold L2 cache");
  } else {
    const Estimate here = compiler::estimate::predict(estimate.facts, *rates);
    measurement.notes.push_back("predicted: " + estimateHeadline(here));
    measurement.prediction = predictionOf(here);
    noteGaps(here, measurement);
  }
}

std::optional<Estimate> estimateOf(compiler::WorkerClient &worker, const CompiledFile &file,
                                   const std::stop_token &stop,
                                   std::chrono::milliseconds timeLimit) {
  if (!file.plan)
    return std::nullopt;
  compiler::InspectMessage message;
  message.request = file.request;
  message.launchPlan = profiler::launchPlanToJson(*file.plan);
  message.timeLimitMs = static_cast<uint32_t>(timeLimit.count());
  message.wantsHints = true;
  Result<compiler::InspectDoneReply> done = worker.inspect(std::move(message), stop);
  if (!done || done->cancelled)
    return std::nullopt;
  return std::move(done->estimate);
}

void addPrediction(compiler::WorkerClient &worker, const CompiledFile &file,
                   const std::stop_token &stop, Measurement &measurement) {
  constexpr std::chrono::seconds kTimeLimit{10};
  if (const auto estimate = estimateOf(worker, file, stop, kTimeLimit))
    notePrediction(*estimate, measurement);
}

} // namespace tilescope::app
