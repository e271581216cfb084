// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/report/Highlight.h"
#include "profiler/report/HtmlParts.h"

#include <fmt/format.h>

namespace tilescope::profiler {

std::string sharedHtml(const ReportKernel &kernel) {
  if (kernel.sharedBuffers.empty())
    return "";
  std::string rows;
  for (const ReportSharedBuffer &buffer : kernel.sharedBuffers)
    rows += fmt::format("<tr><td class=\"num\">{}</td><td>{}</td><td class=\"num\">{}</td>"
                        "<td class=\"num\">{}</td><td>{}</td><td>{}</td></tr>",
                        buffer.line > 0 ? std::to_string(buffer.line) : "",
                        escapeHtml(buffer.title), buffer.offset, buffer.bytes,
                        escapeHtml(buffer.life), escapeHtml(buffer.sharers));
  std::string html = fmt::format(
      "<h3>Shared memory</h3><p class=\"hint\">{}.</p><table class=\"grid\"><tr><th>line</th>"
      "<th>what</th><th>offset</th><th>bytes</th><th>needed in</th><th>same bytes</th></tr>{}"
      "</table>",
      escapeHtml(kernel.sharedOf), rows);
  html += "<div class=\"figures\">";
  if (kernel.sharedMap)
    html += figureHtml(*kernel.sharedMap);
  if (kernel.sharedDiagram)
    html += figureHtml(*kernel.sharedDiagram);
  return html + "</div>";
}

} // namespace tilescope::profiler
