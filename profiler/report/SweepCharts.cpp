// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/report/SweepCharts.h"

#include "profiler/analysis/SweepWords.h"
#include "profiler/report/Highlight.h"

#include <fmt/format.h>

namespace tilescope::profiler {

/// Of the page's style.
static const char *cssClass(SweepInk ink) {
  switch (ink) {
  case SweepInk::Best:
    return "bar";
  case SweepInk::Winner:
    return "bar2";
  case SweepInk::Other:
    return "bar3";
  case SweepInk::Front:
    return "roof";
  case SweepInk::Grid:
    return "grid";
  case SweepInk::Ceiling:
    return "drop";
  case SweepInk::Name:
    return "name";
  case SweepInk::Faint:
    return "faint";
  case SweepInk::Label:
    return "";
  }
  return "";
}

static std::string classAttribute(SweepInk ink) {
  const std::string name = cssClass(ink);
  return name.empty() ? name : " class=\"" + name + "\"";
}

static std::string lineSvg(const SweepLine &line) {
  // Lines through points have the color of these.
  const bool isPlotted = line.ink == SweepInk::Best || line.ink == SweepInk::Winner;
  std::string spots;
  for (const SweepSpot &spot : line.spots)
    spots += fmt::format("{:.1f},{:.1f} ", spot.x, spot.y);
  return fmt::format("<polyline class=\"{}{}\" points=\"{}\"/>", isPlotted ? "line " : "",
                     cssClass(line.ink), spots);
}

static std::string wordSvg(const SweepWord &word) {
  const char *anchor = word.anchor == SweepWord::Anchor::Start    ? "start"
                       : word.anchor == SweepWord::Anchor::Middle ? "middle"
                                                                  : "end";
  const std::string turn =
      word.isUpright ? fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", word.x, word.y) : "";
  return fmt::format("<text{} x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>",
                     classAttribute(word.ink), word.x, word.y, anchor, turn, escapeHtml(word.text));
}

static std::string markSvg(const Sweep &sweep, const SweepMark &mark) {
  const std::string title =
      "<title>" + escapeHtml(pointText(sweep.points[mark.point])) + "</title>";
  if (mark.radius > 0)
    return fmt::format("<circle{} cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\">{}</circle>",
                       classAttribute(mark.ink), mark.x, mark.y, mark.radius, title);
  constexpr double kBaseLine = 16;
  return fmt::format("<g>{}<rect{} x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
                     "fill-opacity=\"{:.2f}\"/><text x=\"{:.1f}\" y=\"{:.1f}\" "
                     "text-anchor=\"middle\">{}</text></g>",
                     title, classAttribute(mark.ink), mark.x, mark.y, mark.width, mark.height,
                     mark.strength, mark.x + mark.width / 2, mark.y + kBaseLine, mark.number);
}

std::string sweepSvg(const Sweep &sweep, const SweepPicture &picture) {
  std::string svg = fmt::format("<svg class=\"chart\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
                                "width=\"{0:.0f}\" height=\"{1:.0f}\" "
                                "role=\"img\" aria-label=\"{2}\">",
                                picture.width, picture.height, escapeHtml(picture.title));
  for (const SweepLine &line : picture.lines)
    svg += lineSvg(line);
  for (const SweepWord &word : picture.words)
    svg += wordSvg(word);
  for (const SweepSample &sample : picture.samples)
    svg += fmt::format("<circle{} cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>",
                       classAttribute(sample.ink), sample.x, sample.y, sample.radius);
  for (const SweepMark &mark : picture.marks)
    svg += markSvg(sweep, mark);
  return svg + "</svg>";
}

} // namespace tilescope::profiler
