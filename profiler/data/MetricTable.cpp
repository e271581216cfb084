// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Metric.h"

#include <array>
#include <initializer_list>

namespace tilescope::profiler {

static constexpr uint16_t chips(std::initializer_list<ChipFamily> families) {
  unsigned bits = 0;
  for (const ChipFamily family : families)
    bits |= static_cast<unsigned>(family);
  return static_cast<uint16_t>(bits);
}

// What the rows call sets of chips.
using enum ChipFamily;
static constexpr uint16_t kGh100 = chips({Gh100});
static constexpr uint16_t kGb20x = chips({Gb20x});
static constexpr uint16_t kBeforeHopper = chips({Ga100, Ga10x, Ga10b, Ad10x});
static constexpr uint16_t kBeforeBlackwell = kBeforeHopper | kGh100;
static constexpr uint16_t kDataCenterBlackwell = chips({Gb10x, Gb110, Gb10b});
static constexpr uint16_t kHopperOn = kGh100 | kDataCenterBlackwell | chips({Gb20x, Gb20b});
static constexpr uint16_t kAll = kBeforeHopper | kHopperOn;
static constexpr uint16_t kNotGh100 = kAll & ~kGh100;
/// The others use the memory of the processor.
static constexpr uint16_t kOwnMemory = chips({Ga100, Ga10x, Ad10x, Gh100, Gb10x, Gb110, Gb20x});
static constexpr uint16_t kDramRead = kOwnMemory & ~kGb20x;
static constexpr uint16_t kFp8Plain = chips({Ad10x, Gh100});
static constexpr uint16_t kFp8Wide = chips({Gb110, Gb20x, Gb20b});
static constexpr uint16_t kFp8Mixed = chips({Gb10x, Gb10b});

static constexpr auto kTable = std::to_array<Metric>({
#define METRIC(section, id, name, chips, unit, sum, quick, label, description)                     \
  {MetricSection::section, id,    name,  chips,      MetricUnit::unit,                             \
   MetricSum::sum,         quick, label, description},
#include "profiler/data/Metrics.def"
#undef METRIC
});

std::span<const Metric> metricTable() { return kTable; }

} // namespace tilescope::profiler
