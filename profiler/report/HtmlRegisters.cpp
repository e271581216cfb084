// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/report/Highlight.h"
#include "profiler/report/HtmlParts.h"

#include <fmt/format.h>

namespace tilescope::profiler {

std::string registersHtml(const ReportKernel &kernel) {
  if (kernel.liveValues.empty())
    return "";
  std::string rows;
  for (const ReportLiveValue &value : kernel.liveValues)
    rows += fmt::format("<tr><td class=\"num\">{}</td><td>{}</td><td class=\"num\">{}</td>"
                        "<td>{}</td></tr>",
                        value.line > 0 ? std::to_string(value.line) : "", escapeHtml(value.name),
                        value.registers, escapeHtml(value.which));
  std::string html = fmt::format(
      "<h3>Registers</h3><p class=\"hint\">{}</p><table class=\"grid\"><tr><th>line</th>"
      "<th>value</th><th>registers</th><th>which</th></tr>{}</table>",
      escapeHtml(kernel.liveOf), rows);
  if (kernel.liveDiagram)
    html += "<div class=\"figures\">" + figureHtml(*kernel.liveDiagram) + "</div>";
  return html;
}

} // namespace tilescope::profiler
