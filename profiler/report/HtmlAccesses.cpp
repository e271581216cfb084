// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/report/AccessWords.h"
#include "profiler/report/Highlight.h"
#include "profiler/report/HtmlParts.h"

#include <fmt/format.h>

namespace tilescope::profiler {

static std::string rowHtml(const ReportAccess &access) {
  const std::string line = access.line > 0 ? std::to_string(access.line) : "";
  if (!access.isCounted)
    return fmt::format("<tr><td class=\"num\">{}</td><td>{}</td><td colspan=\"5\">{}</td></tr>",
                       line, escapeHtml(access.title), escapeHtml(access.reason));
  return fmt::format("<tr><td class=\"num\">{}</td><td>{}</td><td class=\"num\">{} B</td>"
                     "<td class=\"num\">{}</td><td class=\"num\">{}</td>"
                     "<td class=\"num\">{}</td><td>{}</td></tr>",
                     line, escapeHtml(access.title), access.vectorBytes, access.requests,
                     movedText(access), usedText(access), escapeHtml(access.reason));
}

std::string accessesHtml(const ReportKernel &kernel) {
  if (kernel.accesses.empty())
    return "";
  std::string rows;
  for (const ReportAccess &access : kernel.accesses)
    rows += rowHtml(access);
  std::string html = fmt::format(
      "<h3>Memory accesses</h3><p class=\"hint\">Of {}, the most wasteful first. Used is the part "
      "of the bytes fetched that lanes ask for; of shared memory, the least wavefronts as part of "
      "those that it takes.</p><table class=\"grid\"><tr><th>line</th><th>access</th>"
      "<th>a lane</th><th>requests</th><th>moved</th><th>used</th><th>width</th></tr>{}</table>",
      escapeHtml(kernel.accessesOf), rows);
  if (kernel.accessDiagram)
    html += "<div class=\"figures\">" + figureHtml(*kernel.accessDiagram) + "</div>";
  if (kernel.bulkDiagram)
    html += "<div class=\"figures\">" + figureHtml(*kernel.bulkDiagram) + "</div>";
  return html;
}

} // namespace tilescope::profiler
