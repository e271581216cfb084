// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/report/Charts.h"

#include "profiler/analysis/Throughput.h"
#include "profiler/analysis/TimePicture.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace tilescope::profiler {

static std::string openSvg(int width, int height, const char *label) {
  return fmt::format("<svg class=\"chart\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
                     "role=\"img\" aria-label=\"{2}\">",
                     width, height, label);
}

std::string bandwidthChart(const Measurement &measurement) {
  if (!measurement.gbPerS)
    return "";
  struct Row {
    const char *name;
    const char *style;
    double value;
  };
  std::vector<Row> rows = {{"this kernel", "bar", *measurement.gbPerS}};
  if (measurement.copyGbPerS)
    rows.push_back({"measured copy", "bar2", *measurement.copyGbPerS});
  if (measurement.peakGbPerS)
    rows.push_back({"device peak", "bar3", *measurement.peakGbPerS});
  double most = 0;
  for (const Row &row : rows)
    most = std::max(most, row.value);
  constexpr int kRow = 28, kLeft = 110, kBars = 300, kWidth = 500;
  std::string svg = openSvg(kWidth, int(rows.size()) * kRow, "memory bandwidth in GB/s");
  for (size_t i = 0; i < rows.size(); ++i) {
    double y = double(i) * kRow, length = most > 0 ? rows[i].value / most * kBars : 0;
    svg += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", kLeft - 8,
                       y + 18, rows[i].name);
    svg += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" "
                       "rx=\"2\"/>",
                       rows[i].style, kLeft, y + 5, std::max(length, 1.0), kRow - 10);
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{:.0f} GB/s</text>", kLeft + length + 6,
                       y + 18, rows[i].value);
  }
  return svg + "</svg>";
}

namespace {
/// Maps powers of ten to pixels.
struct LogAxis {
  double low, high, pixelLow, pixelHigh;
  double operator()(double value) const {
    double share = (std::log10(value) - low) / (high - low);
    return pixelLow + share * (pixelHigh - pixelLow);
  }
};
} // namespace

std::string rooflineChart(const Measurement &measurement) {
  auto point = rooflinePoint(measurement);
  if (!point || point->intensity <= 0 || point->tflopPerS <= 0)
    return "";
  double peak = *measurement.peakFp32TflopPerS, bandwidth = *measurement.peakGbPerS / 1e3;
  double ridge = peak / bandwidth;
  constexpr int kWidth = 500, kHeight = 260, kLeft = 56, kRight = 490, kTop = 12, kBottom = 216;
  LogAxis x{std::floor(std::log10(std::min(point->intensity, ridge)) - 0.3),
            std::ceil(std::log10(std::max(point->intensity, ridge)) + 0.3), kLeft, kRight};
  double least = std::min(point->tflopPerS, bandwidth * std::pow(10, x.low));
  LogAxis y{std::floor(std::log10(least)), std::ceil(std::log10(peak) + 0.1), kBottom, kTop};
  std::string svg = openSvg(kWidth, kHeight, "roofline");
  for (double decade = x.low; decade <= x.high; ++decade) {
    double px = x(std::pow(10, decade));
    svg += fmt::format("<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/>"
                       "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4:g}</text>",
                       px, kTop, kBottom, kBottom + 16, std::pow(10, decade));
  }
  for (double decade = y.low; decade <= y.high; ++decade) {
    double py = y(std::pow(10, decade));
    svg += fmt::format("<line class=\"grid\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>"
                       "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:g}</text>",
                       kLeft, kRight, py, kLeft - 6, py + 4, std::pow(10, decade));
  }
  double start = std::pow(10, x.low);
  svg += fmt::format("<polyline class=\"roof\" points=\"{:.1f},{:.1f} {:.1f},{:.1f} {},{:.1f}\"/>",
                     x(start), y(start * bandwidth), x(ridge), y(peak), kRight, y(peak));
  svg +=
      fmt::format("<line class=\"drop\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" "
                  "y2=\"{2:.1f}\"/><circle class=\"point\" cx=\"{0:.1f}\" cy=\"{2:.1f}\" r=\"5\"/>",
                  x(point->intensity), y(point->attainableTflopPerS), y(point->tflopPerS));
  svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">FLOP per byte</text>",
                     (kLeft + kRight) / 2, kHeight - 8);
  svg += fmt::format("<text x=\"12\" y=\"{0}\" transform=\"rotate(-90 12 {0})\" "
                     "text-anchor=\"middle\">TFLOP/s</text>",
                     (kTop + kBottom) / 2);
  return svg + "</svg>";
}

std::string timeHistogram(const TimeStats &time) {
  const auto picture = timePicture(time);
  if (!picture)
    return "";
  std::string svg = openSvg(static_cast<int>(picture->width), static_cast<int>(picture->height),
                            "distribution of the times");
  for (const TimePicture::Bin &bin : picture->bins)
    svg +=
        fmt::format("<rect class=\"bar\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                    "height=\"{:.1f}\"><title>{}</title></rect>",
                    bin.x, picture->baseline - bin.height, bin.width, bin.height, bin.description);
  svg += fmt::format("<text x=\"0\" y=\"{0}\">{1:.2f} µs</text><text x=\"{2}\" y=\"{0}\" "
                     "text-anchor=\"end\">{3}</text>",
                     picture->baseline + 18, picture->lowUs, picture->width, picture->endText());
  return svg + "</svg>";
}

} // namespace tilescope::profiler
