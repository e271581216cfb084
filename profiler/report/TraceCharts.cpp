// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/report/TraceCharts.h"

#include "profiler/analysis/TraceFigures.h"
#include "profiler/analysis/TracePicture.h"
#include "profiler/report/Highlight.h"

#include <fmt/format.h>

namespace tilescope::profiler {

static constexpr double kNames = 130, kWidth = 1000, kRow = 15, kHead = 18;
/// Of more bars than a page can draw at once, only those that are wide enough to be seen are drawn.
static constexpr size_t kMostBars = 20000;
static constexpr double kNarrowPx = 0.4;

static std::string kindClass(TraceKind kind) { return "trace-" + std::string(traceKindName(kind)); }

/// Kinds have letters, so that they are told apart without colors, too.
static char letterOf(TraceKind kind) { return traceKindTitle(kind).front(); }

static std::string barSvg(const TraceData &trace, const TracePicture &picture, size_t index) {
  constexpr double kLetterPx = 9;
  const TraceBar &bar = picture.bars()[index];
  const bool isUnderWay = picture.rows()[bar.row].line > 0;
  const TraceKind kind = bar.scope ? bar.scope->kind : TraceKind::Load;
  const double x = kNames + bar.x, y = kHead + picture.top(bar.row);
  std::string svg = fmt::format(
      "<g><title>{}</title><rect class=\"{}{}\" x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" "
      "height=\"{:.1f}\"/>",
      escapeHtml(traceBarText(trace, picture, index)), kindClass(kind),
      isUnderWay ? " under-way" : "", x, y + (isUnderWay ? 4 : 1), std::max(bar.width, 0.5),
      isUnderWay ? kRow - 8 : kRow - 2);
  if (bar.width >= kLetterPx && !isUnderWay)
    svg += fmt::format("<text class=\"cell\" x=\"{:.2f}\" y=\"{:.1f}\" "
                       "text-anchor=\"middle\">{}</text>",
                       x + bar.width / 2, y + kRow - 4.5, letterOf(kind));
  return svg + "</g>";
}

std::string traceChart(const TraceData &trace, int64_t program) {
  const TracePicture picture(trace, program, {kWidth, kRow}, TracePicture::wholeOf(trace, program));
  if (picture.rows().empty())
    return "";
  const double height = kHead + picture.height() + 4;
  std::string svg =
      fmt::format("<svg class=\"chart trace\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
                  "height=\"{1:.0f}\" role=\"img\" aria-label=\"{2}\">",
                  kNames + kWidth + 8, height, escapeHtml(traceProgramText(trace, program)));
  for (const TracePicture::Tick &tick : picture.ticks())
    svg += fmt::format("<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" "
                       "y2=\"{2:.0f}\"/><text class=\"faint\" x=\"{0:.1f}\" y=\"12\" "
                       "text-anchor=\"middle\">{3}</text>",
                       kNames + tick.x, kHead, height, escapeHtml(tick.text));
  for (size_t row = 0; row < picture.rows().size(); ++row)
    svg += fmt::format("<text class=\"faint\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
                       kNames - 6, kHead + picture.top(row) + kRow - 4,
                       picture.rows()[row].line > 0 ? "under way"
                                                    : escapeHtml(picture.rows()[row].name));
  const bool isCrowded = picture.bars().size() > kMostBars;
  for (size_t i = 0; i < picture.bars().size(); ++i)
    if (!isCrowded || picture.bars()[i].width >= kNarrowPx)
      svg += barSvg(trace, picture, i);
  return svg + "</svg>";
}

std::string traceLegend(const TraceData &trace) {
  std::string html = "<p class=\"hint trace\">";
  for (const TraceKindTime &time : traceKindTimes(trace))
    html +=
        fmt::format("<svg class=\"chart\" width=\"14\" height=\"12\" aria-hidden=\"true\"><rect "
                    "class=\"{}\" width=\"14\" height=\"12\"/><text class=\"cell\" x=\"7\" "
                    "y=\"9.5\" text-anchor=\"middle\">{}</text></svg> {} {:.1f} % &nbsp; ",
                    kindClass(time.kind), letterOf(time.kind),
                    escapeHtml(traceKindTitle(time.kind)), time.share * 100);
  if (const auto rest = unscopedShare(trace))
    html += fmt::format("between them {:.1f} %", *rest * 100);
  return html + "</p>";
}

} // namespace tilescope::profiler
