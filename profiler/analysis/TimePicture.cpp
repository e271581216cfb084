// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/TimePicture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace tilescope::profiler {

static std::string print(const char *format, auto... values) {
  std::array<char, 128> text = {};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

std::string microsecondsText(double us) { return print("%.2f µs", us); }

/// A few late ones would squeeze all others into one bin; they count in the last.
static double lateEnd(const std::vector<double> &sorted) {
  constexpr double kShare = 0.98;
  return sorted[static_cast<size_t>(static_cast<double>(sorted.size() - 1) * kShare)];
}

std::optional<TimePicture> timePicture(const TimeStats &time) {
  constexpr size_t kFewest = 10, kBins = 40;
  constexpr double kTop = 8;
  // Numbers of another machine may be anything.
  std::vector<double> sorted = time.samples;
  std::erase_if(sorted, [](double us) { return !std::isfinite(us); });
  if (sorted.size() < kFewest || !std::isfinite(time.median) || !std::isfinite(time.spread))
    return std::nullopt;
  std::ranges::sort(sorted);
  TimePicture picture;
  picture.width = 500;
  picture.height = 120;
  picture.baseline = 96;
  picture.lowUs = sorted.front();
  picture.highUs = lateEnd(sorted);
  if (picture.highUs <= picture.lowUs)
    picture.highUs = picture.lowUs * 1.01 + 1e-9;
  picture.hasLater = sorted.back() > picture.highUs;
  const double range = picture.highUs - picture.lowUs;
  if (!(range > 0 && std::isfinite(range)))
    return std::nullopt;
  std::vector<int> counts(kBins);
  for (const double sample : sorted)
    ++counts[static_cast<size_t>(
        std::clamp((sample - picture.lowUs) / range * kBins, 0.0, kBins - 1.0))];
  const double most = *std::ranges::max_element(counts), step = picture.width / kBins;
  for (size_t i = 0; i < kBins; ++i) {
    const double begin = picture.lowUs + range * double(i) / kBins;
    const bool isLast = i + 1 == kBins;
    picture.bins.push_back(
        {double(i) * step, step - 1, counts[i] / most * (picture.baseline - kTop), counts[i],
         isLast ? print("%d of %zu runs took %.2f µs or more", counts[i], sorted.size(), begin)
                : print("%d of %zu runs took %.2f to %.2f µs", counts[i], sorted.size(), begin,
                        begin + range / kBins)});
  }
  const auto xOf = [&](double us) {
    return std::clamp((us - picture.lowUs) / range, 0.0, 1.0) * picture.width;
  };
  picture.medianX = xOf(time.median);
  picture.intervalBeginX = xOf(time.median * (1 - time.spread));
  picture.intervalEndX = xOf(time.median * (1 + time.spread));
  return picture;
}

std::string TimePicture::endText() const {
  return microsecondsText(highUs) + (hasLater ? " and more" : "");
}

std::string TimePicture::summary() const {
  return print("distribution of the times, %.2f to %.2f µs", lowUs, highUs);
}

} // namespace tilescope::profiler
