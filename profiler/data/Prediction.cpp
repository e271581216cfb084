// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Prediction.h"

#include "profiler/data/Measurement.h"

#include <algorithm>
#include <map>

namespace tilescope::profiler {

const char *shareSourceName(ShareSource source) {
  switch (source) {
  case ShareSource::Samples:
    return "samples";
  case ShareSource::Trace:
    return "trace";
  case ShareSource::None:
    break;
  }
  return "";
}

double LineShares::most() const { return std::max(predicted.value_or(0), measured.value_or(0)); }

std::optional<double> LineShares::gap() const {
  return predicted && measured ? std::optional(*measured - *predicted) : std::nullopt;
}

/// Of all samples of the kernel; those of no line count, too.
static std::map<uint32_t, double> sampledShares(const SampleData &samples) {
  std::map<uint32_t, double> shares;
  const double all = double(samples.kernelSamples());
  for (const LineSamples &line : samples.lines)
    if (all > 0)
      shares[line.line] = double(line.samples) / all;
  return shares;
}

/// Of the time of the warps whose end was recorded.
static std::map<uint32_t, double> tracedShares(const TraceData &trace) {
  std::map<uint32_t, double> shares;
  uint64_t all = 0;
  for (const TraceWarp &warp : trace.warps) {
    if (warp.cycles == 0)
      continue;
    all += warp.cycles;
    for (const TraceSpan &span : warp.spans)
      if (const TraceScope *scope = trace.table.scope(span.scope); scope && scope->line)
        shares[*scope->line] += double(span.end - span.begin);
  }
  for (auto &[line, share] : shares)
    share = all > 0 ? share / double(all) : 0;
  return shares;
}

std::optional<PredictionBeside> besidePrediction(const Measurement &measurement) {
  if (!measurement.prediction)
    return std::nullopt;
  const Prediction &prediction = *measurement.prediction;
  PredictionBeside beside;
  if (measurement.timeUs && prediction.us > 0)
    beside.ratio = measurement.timeUs->median / prediction.us;
  std::map<uint32_t, double> measured;
  if (measurement.samples && !measurement.samples->lines.empty()) {
    beside.source = ShareSource::Samples;
    measured = sampledShares(*measurement.samples);
  } else if (measurement.trace) {
    beside.source = ShareSource::Trace;
    measured = tracedShares(*measurement.trace);
  }
  std::map<uint32_t, LineShares> lines;
  for (const PredictedLine &line : prediction.lines)
    lines[line.line].predicted = lines[line.line].predicted.value_or(0) + line.share;
  for (const auto &[line, share] : measured)
    lines[line].measured = share;
  for (auto &[line, shares] : lines) {
    shares.line = line;
    // Samples are of the whole code: a line without any took no time that they can tell.
    if (beside.source == ShareSource::Samples && !shares.measured)
      shares.measured = 0;
    if (!shares.predicted)
      shares.predicted = prediction.lines.empty() ? std::nullopt : std::optional(0.0);
    beside.lines.push_back(shares);
  }
  std::ranges::sort(beside.lines, [](const LineShares &a, const LineShares &b) {
    return a.most() != b.most() ? a.most() > b.most() : a.line < b.line;
  });
  return beside;
}

} // namespace tilescope::profiler
