// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/ProfileFigures.h"
#include "profiler/report/MarkdownParts.h"
#include "profiler/report/PredictionParts.h"
#include "profiler/report/TraceParts.h"

#include <fmt/format.h>

namespace tilescope::profiler {

static constexpr size_t kPlacesShown = 12;

static std::string row(std::string_view name, const std::string &value) {
  return fmt::format("| {} | {} |\n", markdown(name), markdown(value));
}

static std::string counterRows(const Measurement &measurement, MetricSection section) {
  std::string rows;
  for (const Metric &metric : metricTable())
    if (metric.section == section && measuredMetric(*measurement.counters, metric.id) == &metric)
      rows +=
          row(metric.label,
              formatMetric(metric.unit, measurement.counters->values.at(std::string(metric.name))));
  return rows;
}

static std::string hitRows(const CounterData &counters) {
  const MemoryFlow flow = memoryFlow(counters);
  std::string rows;
  for (const auto &[name, rate] :
       {std::pair("L1 hit rate of global loads", flow.l1HitRate), {"L2 hit rate", flow.l2HitRate}})
    if (rate)
      rows += row(name, fmt::format("{:.1f} %", *rate * 100));
  return rows;
}

static std::string countersMarkdown(const Measurement &measurement) {
  std::string text;
  for (size_t i = 0; i < kNumMetricSections; ++i) {
    const auto section = static_cast<MetricSection>(i);
    std::string rows = counterRows(measurement, section);
    if (section == MetricSection::Memory)
      rows += hitRows(*measurement.counters);
    if (!rows.empty())
      text += fmt::format("\n| {} | |\n| --- | ---: |\n{}", sectionTitle(section), rows);
  }
  return text;
}

static std::string samplesMarkdown(const SampleData &samples) {
  const bool hasLines = !samples.lines.empty();
  const auto places = hasLines ? hottestLines(samples) : hottestOffsets(samples);
  std::string text = fmt::format(
      "\n{} samples of the kernel, {} dropped, {} not the user's{}.\n\n| {} | samples | mostly |\n"
      "| ---: | ---: | --- |\n",
      samples.kernelSamples(), samples.dropped, samples.nonUser,
      samples.mappedShare ? fmt::format("; {:.1f} % belong to a line", *samples.mappedShare * 100)
                          : "",
      hasLines ? "line" : "offset");
  for (size_t i = 0; i < std::min(places.size(), kPlacesShown); ++i)
    text += fmt::format(
        "| {} | {:.1f} % | {} |\n",
        hasLines ? std::to_string(places[i].place + 1) : fmt::format("{:#06x}", places[i].place),
        places[i].share * 100,
        places[i].reasons.empty() ? "" : markdown(stallLabel(places[i].reasons.front().first)));
  return text;
}

static std::string deviceWideMarkdown(const DeviceWideData &data) {
  std::string text = "\nOf " + markdown(deviceWideScope(data)) + ":\n\n| | |\n| --- | ---: |\n";
  for (const DeviceWideRow &row : deviceWideRows(data))
    text += "| " + markdown(row.name) + " | " + markdown(row.value) + " |\n";
  return text;
}

std::string profileMarkdown(const ReportKernel &kernel) {
  if (!kernel.measurement)
    return "";
  const Measurement &measurement = *kernel.measurement;
  if (!isProfiled(measurement) && !measurement.prediction)
    return "";
  const Ladder ladder = profileLadder(measurement);
  std::string text = "\n### Profile\n\nFrom " + markdown(ladder.used) + ".\n";
  for (const std::string &refused : ladder.refused)
    text += "\n" + markdown(refused) + "\n";
  text += predictionMarkdown(measurement);
  if (measurement.counters)
    text += countersMarkdown(measurement);
  if (measurement.deviceWide)
    text += deviceWideMarkdown(*measurement.deviceWide);
  if (measurement.samples)
    text += samplesMarkdown(*measurement.samples);
  text += executionsMarkdown(measurement);
  if (measurement.trace)
    text += traceMarkdown(*measurement.trace);
  return text;
}

} // namespace tilescope::profiler
