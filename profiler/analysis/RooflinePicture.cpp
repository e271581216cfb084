// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/ProfileFigures.h"
#include "profiler/analysis/ProfilePictures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

namespace tilescope::profiler {

static std::string print(const char *format, auto... values) {
  std::array<char, 128> text = {};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

namespace {
/// Maps powers of ten to pixels.
struct LogScale {
  double low = 0, high = 1, pixelLow = 0, pixelHigh = 1;
  double operator()(double value) const {
    return pixelLow + (std::log10(value) - low) / (high - low) * (pixelHigh - pixelLow);
  }
};

/// What there is to draw, summed up.
struct Extent {
  double peakPerS = 0;
  double lowestPeakPerS = std::numeric_limits<double>::max();
  double perS = 0;
  double bestBytesPerS = 0;
  double leastIntensity = std::numeric_limits<double>::max();
  double mostIntensity = 0;
};
} // namespace

/// Less than half a percent of what a memory delivers says nothing of the kernel.
static bool isUsed(const RooflineRoof &roof) {
  constexpr double kLeast = 0.005;
  return roof.unmeasured.empty() && roof.bytesPerS >= kLeast * roof.peakBytesPerS;
}

static Extent extentOf(const MeasuredRoofline &roofline) {
  Extent extent;
  for (const RooflineUnits &units : roofline.units) {
    if (units.operations <= 0)
      continue;
    extent.peakPerS = std::max(extent.peakPerS, units.peakPerS);
    extent.lowestPeakPerS = std::min(extent.lowestPeakPerS, units.peakPerS);
    extent.perS += units.perS;
  }
  for (const RooflineRoof &roof : roofline.roofs) {
    const double ridge = extent.peakPerS / roof.peakBytesPerS;
    const double intensity = isUsed(roof) ? roofline.operations() / roof.bytes : ridge;
    extent.bestBytesPerS = std::max(extent.bestBytesPerS, roof.peakBytesPerS);
    extent.leastIntensity = std::min({extent.leastIntensity, ridge, intensity});
    extent.mostIntensity = std::max({extent.mostIntensity, ridge, intensity});
  }
  return extent;
}

/// The powers of ten between the ends of a scale, in units of 10^`scaled`.
static std::vector<RooflinePicture::Tick> ticksOf(const LogScale &scale, double scaled) {
  std::vector<RooflinePicture::Tick> ticks;
  for (double decade = scale.low; decade <= scale.high; ++decade)
    ticks.push_back({scale(std::pow(10, decade)), print("%g", std::pow(10, decade - scaled))});
  return ticks;
}

/// From where the slope comes into the frame to its highest peak.
static RooflinePicture::Line roofLine(const LogScale &x, const LogScale &y,
                                      const RooflineRoof &roof, double peakPerS) {
  const double left = std::max(std::pow(10, x.low), std::pow(10, y.low) / roof.peakBytesPerS);
  const double ridge = peakPerS / roof.peakBytesPerS;
  const std::string took = roof.unmeasured.empty()
                               ? print("the kernel took %.0f GB/s.", roof.bytesPerS / 1e9)
                               : "what the kernel took was not measured. " + roof.unmeasured;
  return {x(left),
          y(left * roof.peakBytesPerS),
          x(ridge),
          y(peakPerS),
          true,
          roof.name,
          print("%s delivers at most %.0f GB/s; ", roof.name.c_str(), roof.peakBytesPerS / 1e9) +
              took};
}

static RooflinePicture::Line peakLine(const LogScale &x, const LogScale &y,
                                      const RooflineUnits &units, double bestBytesPerS) {
  return {x(units.peakPerS / bestBytesPerS),
          y(units.peakPerS),
          x.pixelHigh,
          y(units.peakPerS),
          false,
          print("%s %.0f TFLOP/s", units.name.c_str(), units.peakPerS / 1e12),
          print("%s reaches at most %.1f TFLOP/s; the kernel reached %.3f TFLOP/s.",
                units.name.c_str(), units.peakPerS / 1e12, units.perS / 1e12)};
}

/// From left to right below its point, or where the name before is too near above it, then lower.
static void placeNames(std::vector<RooflinePicture::Point> &points) {
  constexpr double kNameWidth = 40;
  constexpr std::array<double, 3> kOffsets = {19, -10, 33};
  std::ranges::sort(points, {}, &RooflinePicture::Point::x);
  size_t level = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    const bool isNear = i > 0 && points[i].x - points[i - 1].x < kNameWidth;
    level = isNear ? (level + 1) % kOffsets.size() : 0;
    points[i].nameY = points[i].y + kOffsets[level];
  }
}

std::optional<RooflinePicture> rooflinePicture(const CounterData &counters) {
  const auto roofline = measuredRoofline(counters);
  if (!roofline || roofline->operations() <= 0)
    return std::nullopt;
  constexpr double kTera = 12;
  const Extent extent = extentOf(*roofline);
  RooflinePicture picture;
  picture.width = 560;
  picture.height = 310;
  picture.left = 56;
  picture.right = 540;
  picture.top = 18;
  picture.bottom = 262;
  picture.operationsPerS = extent.perS;
  const LogScale x{std::floor(std::log10(extent.leastIntensity) - 0.2),
                   std::ceil(std::log10(extent.mostIntensity) + 0.2), picture.left, picture.right};
  const LogScale y{std::floor(std::log10(std::min(extent.perS, extent.lowestPeakPerS)) - 0.1),
                   std::ceil(std::log10(extent.peakPerS)), picture.bottom, picture.top};
  // No device spans so many powers of ten.
  constexpr double kMostDecades = 40;
  if (!(x.high - x.low < kMostDecades) || !(y.high - y.low < kMostDecades))
    return std::nullopt;
  picture.xTicks = ticksOf(x, 0);
  picture.yTicks = ticksOf(y, kTera);
  for (const RooflineRoof &roof : roofline->roofs) {
    picture.lines.push_back(roofLine(x, y, roof, extent.peakPerS));
    if (!isUsed(roof))
      continue;
    const double intensity = roofline->operations() / roof.bytes;
    picture.points.push_back(
        {x(intensity), y(extent.perS), 0, roof.name,
         print("%.3g operations per byte of %s", intensity, roof.name.c_str())});
  }
  placeNames(picture.points);
  for (const RooflineUnits &units : roofline->units)
    if (units.operations > 0)
      picture.lines.push_back(peakLine(x, y, units, extent.bestBytesPerS));
  return picture;
}

std::string RooflinePicture::summary() const {
  std::string text = print("measured roofline: %.3g TFLOP/s", operationsPerS / 1e12);
  for (const Point &point : points)
    text += ", " + point.description;
  return text;
}

} // namespace tilescope::profiler
