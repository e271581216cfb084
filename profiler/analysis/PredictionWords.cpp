// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/PredictionWords.h"

#include "profiler/analysis/TimePicture.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace tilescope::profiler {

std::string predictionHeadline(const Measurement &measurement) {
  const auto beside = besidePrediction(measurement);
  if (!beside)
    return {};
  const Prediction &prediction = *measurement.prediction;
  std::string text = fmt::format("{} on the {}, limited by {}", microsecondsText(prediction.us),
                                 prediction.device, prediction.bottleneck);
  if (prediction.isFromPtx)
    text += " (from PTX, so less certain)";
  if (beside->ratio)
    text += fmt::format("; measured {}, {:.2f} times that",
                        microsecondsText(measurement.timeUs->median), *beside->ratio);
  return text;
}

std::string shareOrDash(const std::optional<double> &share) {
  return share ? fmt::format("{:.1f} %", *share * 100) : "–";
}

std::string lineGapText(const PredictionBeside &beside) {
  const LineShares *widest = nullptr;
  for (const LineShares &line : beside.lines)
    if (line.gap() && (!widest || std::abs(*line.gap()) > std::abs(*widest->gap())))
      widest = &line;
  if (!widest || std::abs(*widest->gap()) < kLineGap)
    return {};
  const bool isMore = *widest->gap() > 0;
  return fmt::format(
      "line {} has {} of the {}, and {} was predicted: {}", widest->line + 1,
      shareOrDash(widest->measured),
      beside.source == ShareSource::Samples ? "samples" : "traced time",
      shareOrDash(widest->predicted),
      isMore
          ? "warps wait there longer than the latencies of a lone warp say, for a unit that others "
            "use, or for memory that is farther away"
          : "other lines take longer than predicted, or its wait is hidden by work of other warps");
}

/// `1,234,567`.
static std::string grouped(uint64_t value) {
  std::string text = std::to_string(value);
  for (ptrdiff_t at = ptrdiff_t(text.size()) - 3; at > 0; at -= 3)
    text.insert(size_t(at), ",");
  return text;
}

static std::string besideIdeal(const std::optional<uint64_t> &value,
                               const std::optional<uint64_t> &ideal, const char *what) {
  if (!value || *value == 0)
    return {};
  if (!ideal || *ideal >= *value)
    return fmt::format(", {} {}", grouped(*value), what);
  return fmt::format(", {} {} where {} would do", grouped(*value), what, grouped(*ideal));
}

std::string executionsText(const ExecutionCounts &counts) {
  std::string text = grouped(counts.executed) +
                     (counts.executed == 1 ? " execution by a warp" : " executions by warps");
  // Less would be said as 0.
  constexpr double kLeast = 0.005;
  if (counts.shareOff() >= kLeast)
    text += fmt::format(", {:.0f} % of the threads off by predicate", counts.shareOff() * 100);
  return text + besideIdeal(counts.sectors, counts.idealSectors, "sectors") +
         besideIdeal(counts.wavefronts, counts.idealWavefronts, "wavefronts of shared memory");
}

std::vector<LineExecutions> mostExecuted(const ExecutionData &executions) {
  std::vector<LineExecutions> lines = executions.lines;
  std::ranges::sort(lines, [](const LineExecutions &a, const LineExecutions &b) {
    return a.counts.executed != b.counts.executed ? a.counts.executed > b.counts.executed
                                                  : a.line < b.line;
  });
  return lines;
}

const ExecutionCounts *countsOfLine(const ExecutionData &executions, uint32_t line) {
  const auto found = std::ranges::lower_bound(executions.lines, line, {}, &LineExecutions::line);
  return found != executions.lines.end() && found->line == line ? &found->counts : nullptr;
}

const ExecutionCounts *countsOfOffset(const ExecutionData &executions, uint32_t offset) {
  const auto found =
      std::ranges::lower_bound(executions.instructions, offset, {}, &InstructionExecutions::offset);
  return found != executions.instructions.end() && found->offset == offset ? &found->counts
                                                                           : nullptr;
}

} // namespace tilescope::profiler
