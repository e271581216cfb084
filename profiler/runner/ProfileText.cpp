// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/runner/ProfileText.h"

#include "profiler/analysis/PredictionWords.h"
#include "profiler/analysis/ProfileFigures.h"
#include "profiler/runner/TraceText.h"

#include <algorithm>
#include <fmt/format.h>

namespace tilescope::profiler {

static constexpr size_t kStatesShown = 8, kPlacesShown = 10;

static std::string row(std::string_view name, const std::string &value) {
  return fmt::format("  {:<34} {:>12}\n", name, value);
}

/// A figure that follows from others.
static std::string figure(std::string_view name, const std::optional<double> &value,
                          MetricUnit unit, double factor = 1) {
  return value ? row(name, formatMetric(unit, *value * factor)) : "";
}

static std::string memoryFigures(const MemoryFlow &flow) {
  return figure("Sectors per global load", flow.sectorsPerLoad, MetricUnit::PerCycle) +
         figure("Sectors per global store", flow.sectorsPerStore, MetricUnit::PerCycle) +
         figure("L1 hit rate of global loads", flow.l1HitRate, MetricUnit::Percent, 100) +
         figure("L2 hit rate", flow.l2HitRate, MetricUnit::Percent, 100);
}

static std::string warpStateRows(const CounterData &counters) {
  std::string text;
  const std::vector<WarpState> states = warpStates(counters);
  for (size_t i = 0; i < std::min(states.size(), kStatesShown); ++i)
    if (states[i].cycles > 0)
      text += row(states[i].metric->label,
                  fmt::format("{:.2f} {:>5.1f} %", states[i].cycles, states[i].share * 100));
  return text;
}

static std::string rooflineRows(const CounterData &counters) {
  const auto roofline = measuredRoofline(counters);
  if (!roofline)
    return "";
  std::string text;
  for (const RooflineUnits &units : roofline->units)
    text += row(units.name,
                fmt::format("{:.3f} of {:.1f} TFLOP/s", units.perS / 1e12, units.peakPerS / 1e12));
  for (const RooflineRoof &roof : roofline->roofs)
    text += row(roof.name, roof.text());
  if (!roofline->bound.empty())
    text += row("Nearest to its peak",
                fmt::format("{} ({:.0f} %)", roofline->bound, roofline->boundShare * 100));
  return text;
}

static std::string occupancyRows(const Measurement &measurement) {
  std::string text;
  if (const auto &occupancy = measurement.occupancy)
    text +=
        row("Theoretical occupancy", formatMetric(MetricUnit::Percent, occupancy->fraction * 100));
  return text;
}

/// What a section shows beyond its counters; warp states and roofline replace them.
static std::string sectionText(const Measurement &measurement, MetricSection section) {
  const CounterData &counters = *measurement.counters;
  if (section == MetricSection::WarpStates)
    return warpStateRows(counters);
  if (section == MetricSection::Roofline)
    return rooflineRows(counters);
  std::string text;
  for (const Metric &metric : metricTable())
    if (metric.section == section && measuredMetric(counters, metric.id) == &metric)
      text += row(metric.label,
                  formatMetric(metric.unit, counters.values.at(std::string(metric.name))));
  if (section == MetricSection::Memory)
    text += memoryFigures(memoryFlow(counters));
  if (section == MetricSection::Occupancy && !text.empty())
    text += occupancyRows(measurement);
  return text;
}

static std::string counterText(const Measurement &measurement) {
  std::string text;
  for (size_t i = 0; i < kNumMetricSections; ++i) {
    const auto section = static_cast<MetricSection>(i);
    if (const std::string rows = sectionText(measurement, section); !rows.empty())
      text += std::string(sectionTitle(section)) + "\n" + rows;
  }
  return text;
}

static std::string placeRow(const std::string &place, const SamplePlace &samples) {
  std::string text = fmt::format("  {:>12} {:>6.1f} %", place, samples.share * 100);
  if (!samples.reasons.empty())
    text += fmt::format("  {} ({:.0f} %)", stallLabel(samples.reasons[0].first),
                        double(samples.reasons[0].second) / double(samples.samples) * 100);
  return text + "\n";
}

static std::string sampleText(const SampleData &samples) {
  std::string text = fmt::format(
      "Samples\n  {} of the kernel in {} launches, every {} cycles; {} in all, {} dropped, {} of "
      "other functions, {} not the user's\n",
      samples.kernelSamples(), samples.launches, samples.periodCycles, samples.total,
      samples.dropped, samples.otherFunctions, samples.nonUser);
  if (samples.mappedShare)
    text += fmt::format("  {:.1f} % of them belong to a line\n", *samples.mappedShare * 100);
  const bool hasLines = !samples.lines.empty();
  const auto places = hasLines ? hottestLines(samples) : hottestOffsets(samples);
  for (size_t i = 0; i < std::min(places.size(), kPlacesShown); ++i)
    text += placeRow(hasLines ? fmt::format("line {}", places[i].place + 1)
                              : fmt::format("/*{:04x}*/", places[i].place),
                     places[i]);
  return text;
}

static std::string predictionText(const Measurement &measurement) {
  const auto beside = besidePrediction(measurement);
  if (!beside || beside->lines.empty())
    return "";
  std::string text = fmt::format(
      "Predicted | measured\n  {}\n",
      beside->source == ShareSource::None
          ? "shares of a lone warp's time; none were measured: profile with samples or a trace"
      : beside->source == ShareSource::Samples ? "shares of a lone warp's time | of the samples"
                                               : "shares of a lone warp's time | of traced time");
  for (size_t i = 0; i < std::min(beside->lines.size(), kPlacesShown); ++i)
    text += fmt::format("  {:>12} {:>8} | {}\n", fmt::format("line {}", beside->lines[i].line + 1),
                        shareOrDash(beside->lines[i].predicted),
                        shareOrDash(beside->lines[i].measured));
  return text;
}

static std::string executionText(const ExecutionData &executions) {
  std::string text = "Executions\n  " + executionsText(executions.total()) + "\n";
  const std::vector<LineExecutions> lines = mostExecuted(executions);
  for (size_t i = 0; i < std::min(lines.size(), kPlacesShown); ++i)
    text += fmt::format("  {:>12}  {}\n", fmt::format("line {}", lines[i].line + 1),
                        executionsText(lines[i].counts));
  const auto &instructions = executions.instructions;
  for (size_t i = 0; lines.empty() && i < std::min(instructions.size(), kPlacesShown); ++i)
    text += fmt::format("  {:>12}  {}\n", fmt::format("/*{:04x}*/", instructions[i].offset),
                        executionsText(instructions[i].counts));
  return text;
}

static std::string deviceWideText(const DeviceWideData &data) {
  std::string text = "Whole device\n  " + deviceWideScope(data) + "\n";
  for (const DeviceWideRow &each : deviceWideRows(data))
    text += row(each.name, each.value);
  return text;
}

static std::string range(const char *name, const std::optional<ValueRange> &range,
                         const char *unit) {
  if (!range)
    return "";
  return range->least == range->most
             ? fmt::format(", {} {:.0f} {}", name, range->least, unit)
             : fmt::format(", {} {:.0f} to {:.0f} {}", name, range->least, range->most, unit);
}

static std::string conditionText(const DeviceConditions &conditions) {
  const std::string text = range("SM clock", conditions.smClockMhz, "MHz") +
                           range("memory clock", conditions.memoryClockMhz, "MHz") +
                           range("power", conditions.powerW, "W") +
                           range("temperature", conditions.temperatureC, "°C");
  return text.empty() ? "" : "device    between runs: " + text.substr(2) + "\n";
}

std::string describeProfile(const Measurement &measurement) {
  std::string text;
  if (measurement.conditions)
    text += conditionText(*measurement.conditions);
  if (!isProfiled(measurement))
    return text;
  const Ladder ladder = profileLadder(measurement);
  text += "profile   " + ladder.used + "\n";
  for (const std::string &refused : ladder.refused)
    text += "          " + refused + "\n";
  if (measurement.counters)
    text += counterText(measurement);
  if (measurement.samples)
    text += sampleText(*measurement.samples);
  if (measurement.executions)
    text += executionText(*measurement.executions);
  if (measurement.deviceWide)
    text += deviceWideText(*measurement.deviceWide);
  text += predictionText(measurement);
  if (measurement.trace)
    text += describeTrace(*measurement.trace);
  return text;
}

} // namespace tilescope::profiler
