// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/TraceFigures.h"
#include "profiler/analysis/TracePicture.h"
#include "profiler/report/Highlight.h"
#include "profiler/report/TraceCharts.h"
#include "profiler/report/TraceParts.h"

#include <fmt/format.h>

namespace tilescope::profiler {

static constexpr size_t kLinesShown = 12;

static std::string kindNames(const std::vector<TraceKind> &kinds) {
  std::string text;
  for (const TraceKind kind : kinds)
    text += (text.empty() ? "" : ", ") + std::string(traceKindName(kind));
  return text;
}

static std::string linesHtml(const TraceData &trace, const std::string &source) {
  std::string rows;
  const std::vector<TraceLine> lines = traceLines(trace);
  for (size_t i = 0; i < std::min(lines.size(), kLinesShown); ++i)
    rows += fmt::format("<tr><td class=\"num\">{}</td><td><code>{}</code></td><td "
                        "class=\"num\">{:.1f} %</td><td>{}</td></tr>",
                        lines[i].line + 1, escapeHtml(std::string(lineText(source, lines[i].line))),
                        lines[i].share * 100, kindNames(lines[i].kinds));
  return rows.empty() ? ""
                      : "<table class=\"grid\"><tr><th>line</th><th></th><th>of the warps' "
                        "time</th><th>as</th></tr>" +
                            rows + "</table>";
}

std::string traceHtml(const TraceData &trace, const std::string &source) {
  std::string html =
      "<h4>Trace inside the kernel</h4><p class=\"hint\">" + escapeHtml(traceCostText(trace)) + ".";
  if (const uint64_t lost = lostRecords(trace))
    html += fmt::format(" {} records of the beginning were replaced by newer ones.", lost);
  html += "</p>" + traceLegend(trace);
  for (const int64_t program : tracedPrograms(trace))
    html += fmt::format("<div class=\"block\"><h4>{}</h4>{}</div>",
                        escapeHtml(traceProgramText(trace, program)), traceChart(trace, program));
  return html + linesHtml(trace, source);
}

std::string traceMarkdown(const TraceData &trace) {
  std::string text = "\nTrace inside the kernel: " + traceCostText(trace) +
                     ".\n\n| operations | of the warps' time |\n| --- | ---: |\n";
  for (const TraceKindTime &time : traceKindTimes(trace))
    text += fmt::format("| {} | {:.1f} % |\n", traceKindTitle(time.kind), time.share * 100);
  if (const auto rest = unscopedShare(trace))
    text += fmt::format("| between them | {:.1f} % |\n", *rest * 100);
  text += "\n| line | of the warps' time | as |\n| ---: | ---: | --- |\n";
  const std::vector<TraceLine> lines = traceLines(trace);
  for (size_t i = 0; i < std::min(lines.size(), kLinesShown); ++i)
    text += fmt::format("| {} | {:.1f} % | {} |\n", lines[i].line + 1, lines[i].share * 100,
                        kindNames(lines[i].kinds));
  return text;
}

} // namespace tilescope::profiler
