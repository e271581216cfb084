// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ComparisonText.h"

#include "profiler/data/MeasurementJson.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace tilescope::app {

using nlohmann::json;
using profiler::InterleavedKernel;
using profiler::Measurement;
using profiler::TimeComparison;

static std::string timeLine(const char *label, const std::string &name,
                            const Measurement &measurement) {
  if (!measurement.timeUs)
    return {};
  const profiler::TimeStats &time = *measurement.timeUs;
  std::string text = fmt::format("{:9} {:.2f} us, median of {} ({:.2f} to {:.2f})", label,
                                 time.median, time.n, time.min, time.max);
  if (measurement.gbPerS)
    text += fmt::format(", {:.0f} GB/s", *measurement.gbPerS);
  if (measurement.tflopPerS)
    text += fmt::format(", {:.2f} TFLOP/s", *measurement.tflopPerS);
  return text + "  " + name + "\n";
}

std::string verdictWithConfidence(const TimeComparison &comparison) {
  std::string text = profiler::verdictText(comparison);
  const bool isFound = comparison.verdict == profiler::TimeVerdict::Faster ||
                       comparison.verdict == profiler::TimeVerdict::Slower;
  if (isFound)
    text += fmt::format(", with {:.0f} % confidence", comparison.confidence * 100);
  else if (comparison.verdict == profiler::TimeVerdict::NoDifference)
    text += fmt::format(", with {:.0f} % confidence ({:+.2f} %, {:+.2f} to {:+.2f} %)",
                        comparison.confidence * 100, comparison.shift * 100, comparison.low * 100,
                        comparison.high * 100);
  return text + (comparison.test.pValue < 1e-4
                     ? "; p < 0.0001"
                     : fmt::format("; p = {:.4f}", comparison.test.pValue));
}

/// Kernels of different results are not the same work.
static std::string outputLines(const Measurement &after) {
  std::string text;
  for (const profiler::OutputResult &output : after.outputs) {
    const auto &comparison = output.comparison;
    if (!comparison || comparison->ok())
      continue;
    text +=
        fmt::format("outputs   `{}` differs in {} elements, the first at [{}]: {} before, {} "
                    "after\n",
                    output.name, comparison->mismatches, fmt::join(comparison->firstMismatch, ", "),
                    comparison->firstExpected, comparison->firstActual);
  }
  return text;
}

std::string timesText(const std::array<std::string, 2> &names, const TimesOfBoth &times) {
  if (times.error)
    return {};
  if (!times.run)
    return "times     not measured: " + times.missing + "\n";
  const Measurement &before = times.run->kernels[0].measurement;
  const Measurement &after = times.run->kernels[1].measurement;
  std::string text = timeLine("before", names[0], before) + timeLine("after", names[1], after) +
                     "verdict   " + verdictWithConfidence(times.comparison) + "\n" +
                     outputLines(after);
  text +=
      fmt::format("device    {}, {} L2, {}\n", before.device.name, before.coldL2 ? "cold" : "warm",
                  before.timeSource == profiler::TimeSource::Cupti ? "CUPTI" : "CUDA events");
  std::vector<std::string> notes = before.notes;
  for (const std::string &note : after.notes)
    if (std::ranges::find(notes, note) == notes.end())
      notes.push_back(note);
  for (const std::string &note : notes)
    text += "note: " + note + "\n";
  return text;
}

json comparisonJson(const TimeComparison &comparison) {
  return {{"verdict", profiler::verdictName(comparison.verdict)},
          {"text", profiler::verdictText(comparison)},
          {"shift", comparison.shift},
          {"low", comparison.low},
          {"high", comparison.high},
          {"confidence", comparison.confidence},
          {"resolution", comparison.resolution},
          {"at_most", comparison.atMost()},
          {"p_value", comparison.test.pValue},
          {"u", comparison.test.u},
          {"exact", comparison.test.isExact}};
}

static json kernelJson(const InterleavedKernel &kernel) {
  json object = profiler::measurementToJson(kernel.measurement);
  object["rounds"] = kernel.rounds;
  return object;
}

void addTimes(const TimesOfBoth &times, json &document) {
  if (times.error) {
    document["error"] = times.error->message;
    document["hint"] = times.error->hint;
  } else if (times.run) {
    document["times"] = comparisonJson(times.comparison);
    document["times"]["before"] = kernelJson(times.run->kernels[0]);
    document["times"]["after"] = kernelJson(times.run->kernels[1]);
  } else if (!times.missing.empty()) {
    document["times_missing"] = times.missing;
  }
}

} // namespace tilescope::app
