// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/report/ProfileCharts.h"

#include "profiler/analysis/ProfilePictures.h"
#include "profiler/report/Highlight.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace tilescope::profiler {

static std::string openSvg(double width, double height, std::string_view label) {
  return fmt::format("<svg class=\"chart\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
                     "height=\"{1:.0f}\" role=\"img\" aria-label=\"{2}\">",
                     width, height, escapeHtml(label));
}

static std::string barChart(const BarPicture &picture) {
  if (picture.rows.empty())
    return "";
  constexpr double kRow = BarPicture::kRowHeight, kLeft = BarPicture::kBarBegin;
  std::string svg = openSvg(BarPicture::kWidth, picture.height(), picture.summary());
  double y = 0;
  for (const BarRow &row : picture.rows) {
    const double length = row.length * BarPicture::kBarRoom;
    svg += fmt::format("<g><title>{}</title><text x=\"{}\" y=\"{:.0f}\" "
                       "text-anchor=\"end\">{}</text>",
                       escapeHtml(row.description), BarPicture::kNameEnd, y + 16,
                       escapeHtml(row.name));
    svg += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{:.0f}\" width=\"{:.1f}\" "
                       "height=\"{:.0f}\" rx=\"2\"/><text x=\"{:.1f}\" y=\"{:.0f}\">{}</text></g>",
                       row.isFaint ? "bar2" : "bar", kLeft, y + 4, std::max(length, 1.0), kRow - 8,
                       kLeft + length + 6, y + 16, escapeHtml(row.value));
    y += kRow;
  }
  return svg + "</svg>";
}

std::string speedOfLightChart(const CounterData &counters) {
  return barChart(speedOfLightBars(counters));
}

std::string pipeChart(const CounterData &counters) { return barChart(pipeBars(counters)); }

std::string occupancyChart(const Measurement &measurement) {
  return barChart(occupancyBars(measurement));
}

std::string warpStateChart(const CounterData &counters) {
  return barChart(warpStateBars(counters));
}

static std::string gridSvg(const RooflinePicture &picture) {
  std::string svg;
  for (const RooflinePicture::Tick &tick : picture.xTicks)
    svg += fmt::format("<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/>"
                       "<text class=\"faint\" x=\"{0:.1f}\" y=\"{3}\" "
                       "text-anchor=\"middle\">{4}</text>",
                       tick.position, picture.top, picture.bottom, picture.bottom + 16, tick.text);
  for (const RooflinePicture::Tick &tick : picture.yTicks)
    svg += fmt::format("<line class=\"grid\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>"
                       "<text class=\"faint\" x=\"{3}\" y=\"{4:.1f}\" "
                       "text-anchor=\"end\">{5}</text>",
                       picture.left, picture.right, tick.position, picture.left - 6,
                       tick.position + 4, tick.text);
  return svg + fmt::format("<text class=\"faint\" x=\"{0}\" y=\"{1}\" "
                           "text-anchor=\"middle\">operations per byte</text>"
                           "<text class=\"faint\" x=\"12\" y=\"{2}\" "
                           "transform=\"rotate(-90 12 {2})\" text-anchor=\"middle\">TFLOP/s</text>",
                           (picture.left + picture.right) / 2, picture.height - 12,
                           (picture.top + picture.bottom) / 2);
}

static std::string lineSvg(const RooflinePicture &picture, const RooflinePicture::Line &line) {
  std::string svg = fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" "
                                "y2=\"{:.1f}\"><title>{}</title></line>",
                                line.isRoof ? "roof" : "peak", line.x1, line.y1, line.x2, line.y2,
                                escapeHtml(line.description));
  if (!line.isRoof)
    return svg + fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
                             picture.right, line.y1 - 4, escapeHtml(line.name));
  // Along the slope, near its beginning.
  constexpr double kShare = 0.06, kDegrees = 180 / 3.14159265358979;
  const double dx = line.x2 - line.x1, dy = line.y2 - line.y1;
  return svg + fmt::format("<text class=\"faint\" transform=\"translate({:.1f} {:.1f}) "
                           "rotate({:.1f})\" dy=\"-4\">{}</text>",
                           line.x1 + kShare * dx, line.y1 + kShare * dy,
                           std::atan2(dy, dx) * kDegrees, escapeHtml(line.name));
}

std::string measuredRooflineChart(const CounterData &counters) {
  const auto picture = rooflinePicture(counters);
  if (!picture)
    return "";
  std::string svg =
      openSvg(picture->width, picture->height, picture->summary()) + gridSvg(*picture);
  for (const RooflinePicture::Line &line : picture->lines)
    svg += lineSvg(*picture, line);
  for (const RooflinePicture::Point &point : picture->points)
    svg += fmt::format("<circle class=\"point\" cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"5\"><title>{2}"
                       "</title></circle><text x=\"{0:.1f}\" y=\"{3:.1f}\" "
                       "text-anchor=\"middle\">{4}</text>",
                       point.x, point.y, escapeHtml(point.description), point.nameY,
                       escapeHtml(point.name));
  return svg + "</svg>";
}

static std::string boxSvg(const MemoryPicture::Box &box) {
  constexpr double kLine = 16;
  std::string svg = fmt::format("<rect class=\"unit\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" "
                                "rx=\"6\"/>",
                                box.x, box.y, box.width, box.height);
  double y = box.y + box.height / 2 + 4 - kLine / 2 * (static_cast<double>(box.lines.size()) - 1);
  for (const std::string &line : box.lines) {
    svg += fmt::format("<text{} x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">{}</text>",
                       &line == box.lines.data() ? " class=\"name\"" : "", box.x + box.width / 2, y,
                       escapeHtml(line));
    y += kLine;
  }
  return svg;
}

static std::string arrowSvg(const MemoryPicture::Arrow &arrow) {
  constexpr double kHead = 9, kBarb = 3;
  const double half = arrow.thickness / 2, direction = arrow.beginX < arrow.endX ? 1 : -1;
  return fmt::format("<g class=\"{0}\"><title>{1}</title><path d=\"M{2:.1f},{3:.1f} H{4:.1f} "
                     "V{5:.1f} L{6:.1f},{7:.1f} L{4:.1f},{8:.1f} V{9:.1f} H{2:.1f} Z\"/></g>"
                     "<text x=\"{10:.1f}\" y=\"{11:.1f}\" text-anchor=\"middle\">{12}</text>",
                     arrow.isNone ? "flow none" : "flow", escapeHtml(arrow.description),
                     arrow.beginX, arrow.y - half, arrow.endX - direction * kHead,
                     arrow.y - half - kBarb, arrow.endX, arrow.y, arrow.y + half + kBarb,
                     arrow.y + half, (arrow.beginX + arrow.endX) / 2, arrow.y - half - kBarb - 4,
                     escapeHtml(arrow.text));
}

std::string memoryChart(const CounterData &counters) {
  const auto picture = memoryPicture(counters);
  if (!picture)
    return "";
  std::string svg = openSvg(picture->width, picture->height, picture->summary());
  for (const MemoryPicture::Box &box : picture->boxes)
    svg += boxSvg(box);
  for (const MemoryPicture::Arrow &arrow : picture->arrows)
    svg += arrowSvg(arrow);
  return svg + "</svg>";
}

} // namespace tilescope::profiler
