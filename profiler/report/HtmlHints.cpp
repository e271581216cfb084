// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/report/Highlight.h"
#include "profiler/report/HtmlParts.h"

#include <fmt/format.h>

namespace tilescope::profiler {

std::string hintsHtml(const ReportKernel &kernel) {
  if (kernel.hints.empty())
    return "";
  std::string rows;
  for (const ReportHint &hint : kernel.hints) {
    std::string evidence;
    for (const std::string &clause : hint.evidence)
      evidence += "<br><small>" + escapeHtml(clause) + "</small>";
    rows += fmt::format("<tr><td class=\"num\">{}</td><td class=\"num\">{}</td><td>{}{}</td>"
                        "<td>{}</td><td>{}</td></tr>",
                        hint.rank, hint.line > 0 ? std::to_string(hint.line) : "",
                        escapeHtml(hint.text), evidence, escapeHtml(hint.gain),
                        escapeHtml(hint.advice));
  }
  return "<h3>Hints</h3><p class=\"hint\">What costs more than it needs to, from the counts of "
         "this "
         "launch. Rank 1 is certain and expensive, 3 is worth knowing.</p><table class=\"grid\">"
         "<tr><th>rank</th><th>line</th><th>what</th><th>gain</th><th>try</th></tr>" +
         rows + "</table>";
}

} // namespace tilescope::profiler
