// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/report/Highlight.h"
#include "profiler/report/HtmlParts.h"

#include <fmt/format.h>

namespace tilescope::profiler {

std::string programsHtml(const ReportKernel &kernel) {
  if (kernel.arrays.empty())
    return "";
  std::string rows;
  for (const ReportArray &array : kernel.arrays)
    rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>", escapeHtml(array.title),
                        escapeHtml(array.touched), escapeHtml(array.programs));
  std::string html = fmt::format(
      "<h3>Programs</h3><p class=\"hint\">{}</p><table class=\"grid\"><tr><th>argument</th>"
      "<th>{}</th><th>all programs</th></tr>{}</table>",
      escapeHtml(kernel.programsNote),
      escapeHtml(kernel.programsDiagram ? kernel.programsDiagram->title : "one program"), rows);
  if (kernel.programsDiagram)
    html += "<div class=\"figures\">" + figureHtml(*kernel.programsDiagram) + "</div>";
  return html;
}

} // namespace tilescope::profiler
