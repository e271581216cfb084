// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/ProfilePictures.h"

#include "profiler/analysis/ProfileFigures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace tilescope::profiler {

static std::string print(const char *format, auto... values) {
  std::array<char, 96> text = {};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

std::string BarPicture::summary() const {
  std::string text = title;
  for (const BarRow &row : rows)
    text += (&row == rows.data() ? ": " : ", ") + row.name + " " + row.value;
  return text;
}

static BarRow percentBar(const Metric &metric, double percent) {
  return {std::string(metric.label), std::string(metric.description),
          formatMetric(metric.unit, percent), std::clamp(percent / 100, 0.0, 1.0)};
}

/// The percentages of a section, as far as they were measured.
static BarPicture percentBars(const CounterData &counters, MetricSection section,
                              const char *title) {
  BarPicture picture;
  picture.title = title;
  for (const Metric &metric : metricTable())
    if (metric.section == section && metric.unit == MetricUnit::Percent &&
        measuredMetric(counters, metric.id) == &metric)
      picture.rows.push_back(percentBar(metric, counters.values.at(std::string(metric.name))));
  return picture;
}

BarPicture speedOfLightBars(const CounterData &counters) {
  return percentBars(counters, MetricSection::Overview, "share of the peak");
}

BarPicture pipeBars(const CounterData &counters) {
  return percentBars(counters, MetricSection::Compute, "how busy pipes are");
}

BarPicture occupancyBars(const Measurement &measurement) {
  BarPicture picture;
  if (measurement.counters)
    picture = percentBars(*measurement.counters, MetricSection::Occupancy, "");
  picture.title = "resident warps, of those that a multiprocessor can hold";
  if (const auto &occupancy = measurement.occupancy)
    picture.rows.insert(picture.rows.begin(),
                        {"Theoretical",
                         print("%d of %d warps fit on a multiprocessor.", occupancy->warpsPerSm,
                               occupancy->maxWarpsPerSm),
                         formatMetric(MetricUnit::Percent, occupancy->fraction * 100),
                         std::clamp(occupancy->fraction, 0.0, 1.0), true});
  return picture;
}

BarPicture warpStateBars(const CounterData &counters) {
  BarPicture picture;
  picture.title = "cycles of a warp per instruction";
  const std::vector<WarpState> states = warpStates(counters);
  for (const WarpState &state : states) {
    if (state.cycles <= 0)
      continue;
    const bool isReady =
        state.metric->id == "stall_selected" || state.metric->id == "stall_not_selected";
    picture.rows.push_back({std::string(state.metric->label),
                            std::string(state.metric->description),
                            print("%.2f (%.1f %%)", state.cycles, state.share * 100),
                            state.cycles / states.front().cycles, isReady});
  }
  return picture;
}

namespace {
using Box = MemoryPicture::Box;
constexpr double kWidth = 920, kHeight = 304;
const Box kRegisters = {8, 24, 110, 256}, kL1 = {278, 24, 150, 112}, kShared = {278, 168, 150, 112},
          kL2 = {588, 24, 110, 256}, kDram = {818, 24, 94, 256};

/// Between two boxes along a line of the picture.
struct Flow {
  const Box &from, &to;
  double y;
  std::string text;
  std::optional<double> bytes;
  const char *description;
};
} // namespace

static std::string bytesText(const char *what, const std::optional<double> &bytes) {
  return bytes ? std::string(what) + " " + formatMetric(MetricUnit::Bytes, *bytes) : "";
}

/// `load 268 MB, 4.0 sectors`.
static std::string accessText(const char *what, const std::optional<double> &bytes,
                              const std::optional<double> &sectors) {
  return bytesText(what, bytes) + (sectors ? print(", %.1f sectors", *sectors) : "");
}

/// The most that wavefronts can have moved.
static std::optional<double> wavefrontBytes(const std::optional<double> &wavefronts) {
  constexpr double kBytes = 128;
  return wavefronts ? std::optional(*wavefronts * kBytes) : std::nullopt;
}

static std::string wavefrontText(const char *what, const std::optional<double> &wavefronts) {
  return wavefronts ? std::string(what) + " " + formatMetric(MetricUnit::Wavefronts, *wavefronts) +
                          " wavefronts"
                    : "";
}

/// Where copies are known to be, and were not counted.
static Flow uncounted(const Box &from, const Box &to, double y, const char *what) {
  constexpr const char *kWhy =
      "Asynchronous copies (cp.async) were not told from loads to registers.";
  return {from, to, y, std::string(what) + ": not measured", 0.0, kWhy};
}

static Flow loadsOf(const MemoryFlow &flow, const char *description) {
  if (flow.hasUncountedCopies)
    return uncounted(kL1, kRegisters, 58, "load");
  return {kL1,
          kRegisters,
          58,
          accessText("load", flow.globalLoadBytes, flow.sectorsPerLoad),
          flow.globalLoadBytes,
          description};
}

static Flow copiesOf(const MemoryFlow &flow) {
  if (flow.hasUncountedCopies)
    return uncounted(kL2, kShared, 225, "cp.async");
  return {kL2,
          kShared,
          225,
          bytesText("cp.async", flow.asyncCopyBytes),
          flow.asyncCopyBytes,
          "What asynchronous copies moved into shared memory, in sectors of 32 bytes."};
}

static std::vector<Flow> flowsOf(const MemoryFlow &flow) {
  constexpr const char *kSectors = "Sectors of 32 bytes; how many a request needs.";
  constexpr const char *kWavefronts = "Passes through shared memory of up to 128 bytes.";
  return {loadsOf(flow, kSectors),
          {kRegisters, kL1, 104, accessText("store", flow.globalStoreBytes, flow.sectorsPerStore),
           flow.globalStoreBytes, kSectors},
          {kShared, kRegisters, 202, wavefrontText("load", flow.sharedLoadWavefronts),
           wavefrontBytes(flow.sharedLoadWavefronts), kWavefronts},
          {kRegisters, kShared, 248, wavefrontText("store", flow.sharedStoreWavefronts),
           wavefrontBytes(flow.sharedStoreWavefronts), kWavefronts},
          {kL2, kL1, 58, bytesText("read", flow.l2ToL1Bytes), flow.l2ToL1Bytes,
           "From L2 to the multiprocessors, bulk copies included."},
          {kL1, kL2, 104, bytesText("write", flow.l1ToL2Bytes), flow.l1ToL2Bytes,
           "From the multiprocessors to L2, bulk copies included."},
          {kL2, kShared, 192, bytesText("of it bulk", flow.bulkLoadBytes), flow.bulkLoadBytes,
           "What bulk copies moved into shared memory."},
          copiesOf(flow),
          {kShared, kL2, 258, bytesText("of it bulk", flow.bulkStoreBytes), flow.bulkStoreBytes,
           "What bulk copies moved out of shared memory."},
          {kDram, kL2, 110, bytesText("read", flow.dramReadBytes), flow.dramReadBytes,
           "Read from device memory."},
          {kL2, kDram, 206, bytesText("write", flow.dramWriteBytes), flow.dramWriteBytes,
           "Written to device memory."}};
}

/// What was not measured has a dash.
static std::string hitText(const std::optional<double> &rate) {
  return rate ? print("hit rate %.1f %%", *rate * 100) : "hit rate —";
}

static std::vector<Box> boxesOf(const MemoryFlow &flow) {
  const auto named = [](Box box, std::vector<std::string> lines) {
    box.lines = std::move(lines);
    return box;
  };
  std::vector<std::string> registers = {"Registers"};
  if (flow.localBytes && *flow.localBytes > 0)
    registers.push_back(formatMetric(MetricUnit::Bytes, *flow.localBytes) + " spilled");
  std::vector<std::string> shared = {"Shared memory"};
  if (flow.sharedConflicts)
    shared.push_back(formatMetric(MetricUnit::Wavefronts, *flow.sharedConflicts) + " conflicts");
  return {named(kRegisters, std::move(registers)),
          named(kL1, {"L1 cache", hitText(flow.l1HitRate)}), named(kShared, std::move(shared)),
          named(kL2, {"L2 cache", hitText(flow.l2HitRate)}), named(kDram, {"DRAM"})};
}

std::optional<MemoryPicture> memoryPicture(const CounterData &counters) {
  constexpr double kWidest = 12, kGap = 4;
  const MemoryFlow flow = memoryFlow(counters);
  if (flow.isEmpty())
    return std::nullopt;
  const std::vector<Flow> flows = flowsOf(flow);
  double most = 0;
  for (const Flow &each : flows)
    most = std::max(most, each.bytes.value_or(0));
  MemoryPicture picture;
  picture.width = kWidth;
  picture.height = kHeight;
  picture.boxes = boxesOf(flow);
  for (const Flow &each : flows) {
    if (!each.bytes || *each.bytes < 0)
      continue;
    const bool isRight = each.from.x < each.to.x;
    const double share = most > 0 ? std::sqrt(*each.bytes / most) : 0;
    picture.arrows.push_back({isRight ? each.from.x + each.from.width + kGap : each.from.x - kGap,
                              isRight ? each.to.x - kGap : each.to.x + each.to.width + kGap, each.y,
                              std::max(kWidest * share, 1.0), *each.bytes <= 0, each.text,
                              each.description});
  }
  return picture;
}

std::string MemoryPicture::summary() const {
  std::string text = "memory traffic of a launch";
  for (const Arrow &arrow : arrows)
    text += ", " + arrow.text;
  return text;
}

} // namespace tilescope::profiler
