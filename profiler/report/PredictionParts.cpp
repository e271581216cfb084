// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/report/PredictionParts.h"

#include "profiler/analysis/PredictionWords.h"
#include "profiler/report/Highlight.h"
#include "profiler/report/MarkdownParts.h"

#include <algorithm>
#include <fmt/format.h>

namespace tilescope::profiler {

static constexpr size_t kLinesShown = 12;
// Less of the time says nothing.
static constexpr double kLeastShare = 0.01;

static std::vector<LineShares> shownLines(const PredictionBeside &beside) {
  std::vector<LineShares> lines;
  for (const LineShares &line : beside.lines)
    if (line.most() >= kLeastShare && lines.size() < kLinesShown)
      lines.push_back(line);
  return lines;
}

static std::string measuredTitle(ShareSource source) {
  return source == ShareSource::Trace ? "of the traced time" : "of the samples";
}

std::string predictionHtml(const ReportKernel &kernel) {
  const auto beside = kernel.measurement ? besidePrediction(*kernel.measurement) : std::nullopt;
  if (!beside)
    return {};
  std::string html = "<h4>Predicted beside measured</h4><p class=\"hint\">Predicted " +
                     escapeHtml(predictionHeadline(*kernel.measurement)) + ".</p>";
  if (const std::string gap = lineGapText(*beside); !gap.empty())
    html += "<p>Of the lines differs most: " + escapeHtml(gap) + ".</p>";
  std::string rows;
  for (const LineShares &line : shownLines(*beside))
    rows += fmt::format("<tr><td class=\"num\">{}</td><td><code>{}</code></td><td "
                        "class=\"num\">{}</td><td class=\"num\">{}</td></tr>",
                        line.line + 1, escapeHtml(std::string(lineText(kernel.source, line.line))),
                        shareOrDash(line.predicted), shareOrDash(line.measured));
  if (rows.empty())
    return html;
  return html + fmt::format("<table class=\"grid\"><tr><th>line</th><th></th><th>predicted of a "
                            "warp's time</th><th>measured {}</th></tr>{}</table>",
                            measuredTitle(beside->source), rows);
}

std::string predictionMarkdown(const Measurement &measurement) {
  const auto beside = besidePrediction(measurement);
  if (!beside)
    return {};
  std::string text = "\nPredicted " + markdown(predictionHeadline(measurement)) + ".\n";
  if (const std::string gap = lineGapText(*beside); !gap.empty())
    text += "\nOf the lines differs most: " + markdown(gap) + ".\n";
  const std::vector<LineShares> lines = shownLines(*beside);
  if (lines.empty())
    return text;
  text += fmt::format("\n| line | predicted | measured {} |\n| ---: | ---: | ---: |\n",
                      measuredTitle(beside->source));
  for (const LineShares &line : lines)
    text += fmt::format("| {} | {} | {} |\n", line.line + 1, shareOrDash(line.predicted),
                        shareOrDash(line.measured));
  return text;
}

namespace {
struct CountedPlace {
  std::string name;
  std::string code;
  ExecutionCounts counts;
};
} // namespace

/// The lines with most executions, or the first offsets where lines are not known.
static std::vector<CountedPlace> countedPlaces(const ExecutionData &executions,
                                               std::string_view source) {
  std::vector<CountedPlace> places;
  for (const LineExecutions &each : mostExecuted(executions))
    places.push_back(
        {std::to_string(each.line + 1), std::string(lineText(source, each.line)), each.counts});
  if (executions.lines.empty())
    for (const InstructionExecutions &each : executions.instructions)
      places.push_back({fmt::format("{:#06x}", each.offset), "", each.counts});
  places.resize(std::min(places.size(), kLinesShown));
  return places;
}

/// `32768 of 8192`; empty without a value.
static std::string besideIdeal(const std::optional<uint64_t> &value,
                               const std::optional<uint64_t> &ideal) {
  if (!value)
    return {};
  return ideal ? fmt::format("{} / {}", *value, *ideal) : std::to_string(*value);
}

std::string executionsHtml(const ReportKernel &kernel) {
  if (!kernel.measurement || !kernel.measurement->executions)
    return {};
  std::string rows;
  for (const CountedPlace &place : countedPlaces(*kernel.measurement->executions, kernel.source))
    rows += fmt::format("<tr><td class=\"num\">{}</td><td><code>{}</code></td><td class=\"num\">{}"
                        "</td><td class=\"num\">{:.1f} %</td><td class=\"num\">{}</td><td "
                        "class=\"num\">{}</td></tr>",
                        place.name, escapeHtml(place.code), place.counts.executed,
                        place.counts.shareOff() * 100,
                        besideIdeal(place.counts.sectors, place.counts.idealSectors),
                        besideIdeal(place.counts.wavefronts, place.counts.idealWavefronts));
  return fmt::format("<h4>Executions</h4><p class=\"hint\">Counted in one launch, exactly: {}.</p>"
                     "<table class=\"grid\"><tr><th>{}</th><th></th><th>by warps</th><th>threads "
                     "off by predicate</th><th>sectors / at best</th><th>wavefronts / at best</th>"
                     "</tr>{}</table>",
                     executionsText(kernel.measurement->executions->total()),
                     kernel.measurement->executions->lines.empty() ? "offset" : "line", rows);
}

std::string executionsMarkdown(const Measurement &measurement) {
  if (!measurement.executions)
    return {};
  std::string text = fmt::format(
      "\nCounted in one launch: {}.\n\n| {} | by warps | threads off | sectors / at best | "
      "wavefronts / at best |\n| ---: | ---: | ---: | ---: | ---: |\n",
      executionsText(measurement.executions->total()),
      measurement.executions->lines.empty() ? "offset" : "line");
  for (const CountedPlace &place : countedPlaces(*measurement.executions, {}))
    text += fmt::format("| {} | {} | {:.1f} % | {} | {} |\n", place.name, place.counts.executed,
                        place.counts.shareOff() * 100,
                        besideIdeal(place.counts.sectors, place.counts.idealSectors),
                        besideIdeal(place.counts.wavefronts, place.counts.idealWavefronts));
  return text;
}

} // namespace tilescope::profiler
