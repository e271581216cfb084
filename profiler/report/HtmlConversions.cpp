// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/report/Highlight.h"
#include "profiler/report/HtmlParts.h"

#include <fmt/format.h>

namespace tilescope::profiler {

static std::string rowHtml(const ReportConversion &conversion) {
  return fmt::format("<tr><td class=\"num\">{}</td><td>{}{}</td><td>{}</td><td>{}</td>"
                     "<td class=\"num\">{}</td><td>{}</td></tr>",
                     conversion.line > 0 ? std::to_string(conversion.line) : "",
                     escapeHtml(conversion.title), conversion.isInLoop ? ", in a loop" : "",
                     escapeHtml(conversion.cost), escapeHtml(conversion.moves),
                     conversion.executions, escapeHtml(conversion.reason));
}

std::string conversionsHtml(const ReportKernel &kernel) {
  if (kernel.conversions.empty())
    return "";
  std::string rows;
  for (const ReportConversion &conversion : kernel.conversions)
    rows += rowHtml(conversion);
  std::string html = fmt::format(
      "<h3>Conversions between layouts</h3><p class=\"hint\">Those in loops first, of them the "
      "dearest. The cost is that of one execution by a program; executions are of {}.</p>"
      "<table class=\"grid\"><tr><th>line</th><th>conversion</th><th>cost</th><th>elements</th>"
      "<th>executions</th><th>why</th></tr>{}</table>",
      escapeHtml(kernel.accessesOf), rows);
  if (kernel.conversionDiagram)
    html += "<div class=\"figures\">" + figureHtml(*kernel.conversionDiagram) + "</div>";
  return html;
}

} // namespace tilescope::profiler
