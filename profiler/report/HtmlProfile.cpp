// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/ProfileFigures.h"
#include "profiler/report/Highlight.h"
#include "profiler/report/HtmlParts.h"
#include "profiler/report/LaunchWords.h"
#include "profiler/report/PredictionParts.h"
#include "profiler/report/ProfileCharts.h"
#include "profiler/report/TraceParts.h"

#include <fmt/format.h>

namespace tilescope::profiler {

static constexpr size_t kLinesShown = 12;

static std::string block(std::string_view title, const std::string &body) {
  return body.empty() ? "" : fmt::format("<div class=\"block\"><h4>{}</h4>{}</div>", title, body);
}

/// What the profile consists of, and what would make it say more.
static std::string bannerHtml(const Measurement &measurement) {
  const Ladder ladder = profileLadder(measurement);
  std::string html = "<p class=\"hint\">From " + escapeHtml(ladder.used) + ".</p>";
  for (const std::string &refused : ladder.refused)
    html += "<p class=\"refused\">" + escapeHtml(refused) + "</p>";
  return html;
}

static std::string metricRows(const Measurement &measurement, MetricSection section) {
  std::string rows;
  for (const Metric &metric : metricTable()) {
    if (metric.section != section || measuredMetric(*measurement.counters, metric.id) != &metric)
      continue;
    rows += fmt::format(
        "<tr title=\"{}\"><th>{}</th><td class=\"num\">{}</td></tr>",
        escapeHtml(std::string(metric.name) + ": " + std::string(metric.description)),
        escapeHtml(metric.label),
        formatMetric(metric.unit, measurement.counters->values.at(std::string(metric.name))));
  }
  return rows;
}

static std::string sectionTable(const Measurement &measurement, MetricSection section) {
  std::string rows = metricRows(measurement, section);
  if (section == MetricSection::Occupancy && measurement.occupancy && !rows.empty())
    rows += fmt::format("<tr><th>Theoretical occupancy</th><td class=\"num\">{:.1f} %</td></tr>",
                        measurement.occupancy->fraction * 100);
  return rows.empty() ? "" : "<table class=\"facts\">" + rows + "</table>";
}

static std::string countersHtml(const Measurement &measurement) {
  const CounterData &counters = *measurement.counters;
  std::string bound;
  if (const auto roofline = measuredRoofline(counters); roofline && !roofline->bound.empty())
    bound = fmt::format("<p class=\"hint\">Of the peaks of the roofline, which counts bytes and "
                        "operations, {} is nearest, with {:.0f} %. Bars are about the busiest part "
                        "of each unit.</p>",
                        escapeHtml(roofline->bound), roofline->boundShare * 100);
  std::string html = "<div class=\"blocks\">";
  html += block("Share of the peak", speedOfLightChart(counters) + bound);
  html += block("Warp states: cycles between two instructions of a warp", warpStateChart(counters));
  html += block("Roofline, measured", measuredRooflineChart(counters));
  html += block("Compute pipes and tensor cores", pipeChart(counters));
  html += block("Occupancy", occupancyChart(measurement));
  html += "</div><div class=\"blocks\">" +
          block("Memory chart: one launch", memoryChart(counters)) + "</div>";
  std::string tables;
  for (const MetricSection section :
       {MetricSection::Overview, MetricSection::Memory, MetricSection::Compute,
        MetricSection::Scheduler, MetricSection::Occupancy, MetricSection::Roofline})
    tables += block(sectionTitle(section), sectionTable(measurement, section));
  return html + "<details><summary>All counters</summary><div class=\"blocks\">" + tables +
         "</div></details>";
}

static std::string deviceWideHtml(const DeviceWideData &data) {
  std::string rows;
  for (const DeviceWideRow &row : deviceWideRows(data))
    rows += fmt::format("<tr title=\"{}\"><th>{}</th><td class=\"num\">{}</td></tr>",
                        escapeHtml(row.description), escapeHtml(row.name), row.value);
  return "<div class=\"blocks\">" +
         block("Whole device", "<table class=\"facts\">" + rows + "</table><p class=\"hint\">Of " +
                                   escapeHtml(deviceWideScope(data)) + ".</p>") +
         "</div>";
}

/// The most frequent reasons; those below half a percent say nothing.
static std::string reasonsText(const SamplePlace &place) {
  constexpr size_t kReasons = 3;
  constexpr double kLeast = 0.005;
  std::string text;
  for (size_t i = 0; i < std::min(place.reasons.size(), kReasons); ++i) {
    const auto &[reason, samples] = place.reasons[i];
    const double share = static_cast<double>(samples) / static_cast<double>(place.samples);
    if (share >= kLeast)
      text +=
          fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", stallLabel(reason), share * 100);
  }
  return text;
}

static std::string samplesHtml(const ReportKernel &kernel, const SampleData &samples) {
  std::string html = fmt::format(
      "<p class=\"hint\">{} samples of the kernel in {}, one every {} cycles; {} of {} "
      "samples were dropped, {} are of other functions and {} of the driver's kernels.{}</p>",
      samples.kernelSamples(), launchCount(samples.launches), samples.periodCycles, samples.dropped,
      samples.total, samples.otherFunctions, samples.nonUser,
      samples.mappedShare
          ? fmt::format(" {:.1f} % of them belong to a line of the source, where the margin of the "
                        "code shows them.",
                        *samples.mappedShare * 100)
          : "");
  const bool hasLines = !samples.lines.empty();
  const auto places = hasLines ? hottestLines(samples) : hottestOffsets(samples);
  std::string rows;
  for (size_t i = 0; i < std::min(places.size(), kLinesShown); ++i)
    rows += fmt::format(
        "<tr><td class=\"num\">{}</td><td><code>{}</code></td><td "
        "class=\"num\">{:.1f} %</td><td>{}</td></tr>",
        hasLines ? std::to_string(places[i].place + 1) : fmt::format("{:#06x}", places[i].place),
        hasLines ? escapeHtml(std::string(lineText(kernel.source, places[i].place))) : "",
        places[i].share * 100, escapeHtml(reasonsText(places[i])));
  if (rows.empty())
    return html;
  return html + fmt::format("<table class=\"grid\"><tr><th>{}</th><th></th><th>samples</th>"
                            "<th>why warps were there</th></tr>{}</table>",
                            hasLines ? "line" : "offset", rows);
}

std::string profileHtml(const ReportKernel &kernel) {
  if (!kernel.measurement)
    return "";
  const Measurement &measurement = *kernel.measurement;
  if (!isProfiled(measurement) && !measurement.prediction)
    return "";
  std::string html = "<h3>Profile</h3>" + bannerHtml(measurement);
  html += predictionHtml(kernel);
  if (measurement.counters)
    html += countersHtml(measurement);
  if (measurement.deviceWide)
    html += deviceWideHtml(*measurement.deviceWide);
  if (measurement.samples)
    html += "<h4>Hottest lines</h4>" + samplesHtml(kernel, *measurement.samples);
  html += executionsHtml(kernel);
  if (measurement.trace)
    html += traceHtml(*measurement.trace, kernel.source);
  return html;
}

} // namespace tilescope::profiler
