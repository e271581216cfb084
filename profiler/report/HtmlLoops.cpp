// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/report/Highlight.h"
#include "profiler/report/HtmlParts.h"

#include <fmt/format.h>

namespace tilescope::profiler {

std::string loopsHtml(const ReportKernel &kernel) {
  if (kernel.loops.empty())
    return "";
  std::string rows, figures;
  for (const ReportLoop &loop : kernel.loops) {
    rows += fmt::format("<tr><td class=\"num\">{}</td><td>{}</td><td>{}</td></tr>",
                        loop.line > 0 ? std::to_string(loop.line) : "", escapeHtml(loop.title),
                        escapeHtml(loop.text));
    if (loop.diagram)
      figures += figureHtml(*loop.diagram);
  }
  return fmt::format("<h3>Loops</h3><table class=\"grid\"><tr><th>line</th><th>pipeline</th>"
                     "<th>what runs beside what</th></tr>{}</table><div class=\"figures\">{}</div>",
                     rows, figures);
}

} // namespace tilescope::profiler
