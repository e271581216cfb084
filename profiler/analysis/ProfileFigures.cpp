// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/ProfileFigures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <string_view>

namespace tilescope::profiler {

static constexpr double kSectorBytes = 32;

using Value = std::optional<double>;

static Value times(const Value &value, double factor) {
  return value ? Value(*value * factor) : std::nullopt;
}

static Value ratio(const Value &part, const Value &whole) {
  return part && whole && *whole > 0 ? Value(*part / *whole) : std::nullopt;
}

/// What is there of several values, added up.
static Value sum(std::initializer_list<Value> values) {
  Value total;
  for (const Value &value : values)
    if (value)
      total = total.value_or(0) + *value;
  return total;
}

static constexpr double kTransferBytes = 128;

/// Whether more was loaded than L1 can have sent to registers. Of the 32 sectors that lanes far
/// apart fetch, a transfer has at least an eighth; the rest went to shared memory.
static bool loadsPassRegisters(const CounterData &counters) {
  constexpr double kMostSectorBytes = 32 * kSectorBytes;
  const Value loaded = times(metricValue(counters, "global_load_sectors"), kSectorBytes);
  const Value most = times(metricValue(counters, "l1_wavefronts"), kMostSectorBytes);
  return loaded && most && *loaded > *most;
}

/// Of asynchronous copies through L1 and past it; nothing where one of them was not counted.
static Value asyncCopySectors(const CounterData &counters) {
  const Value through = metricValue(counters, "async_copy_sectors"),
              past = metricValue(counters, "async_bypass_sectors");
  return through && past ? Value(*through + *past) : std::nullopt;
}

/// What goes to registers: copies past L1 are among the global loads.
static Value registerLoadSectors(const CounterData &counters) {
  const Value all = metricValue(counters, "global_load_sectors");
  const double past = metricValue(counters, "async_bypass_sectors").value_or(0);
  return all ? Value(std::max(*all - past, 0.0)) : std::nullopt;
}

MemoryFlow memoryFlow(const CounterData &counters) {
  const auto value = [&](std::string_view id) { return metricValue(counters, id); };
  MemoryFlow flow;
  flow.asyncCopyBytes = times(asyncCopySectors(counters), kSectorBytes);
  flow.hasUncountedCopies = !flow.asyncCopyBytes && loadsPassRegisters(counters);
  if (!flow.hasUncountedCopies)
    flow.globalLoadBytes = times(registerLoadSectors(counters), kSectorBytes);
  flow.globalStoreBytes = times(value("global_store_sectors"), kSectorBytes);
  flow.sectorsPerLoad = ratio(value("global_load_sectors"), value("global_load_requests"));
  flow.sectorsPerStore = ratio(value("global_store_sectors"), value("global_store_requests"));
  flow.localBytes =
      times(sum({value("local_load_sectors"), value("local_store_sectors")}), kSectorBytes);
  flow.sharedLoadWavefronts = value("shared_load_wavefronts");
  flow.sharedStoreWavefronts = value("shared_store_wavefronts");
  flow.sharedConflicts = sum({value("shared_load_conflicts"), value("shared_store_conflicts")});
  flow.l1HitRate = ratio(value("global_load_hits"), value("global_load_sectors"));
  flow.l2HitRate = ratio(value("l2_hits_sm"), value("l2_sectors_sm"));
  flow.l2ToL1Bytes = value("l2_to_l1");
  flow.l1ToL2Bytes = value("l1_to_l2");
  flow.bulkLoadBytes = value("bulk_load");
  flow.bulkStoreBytes = value("bulk_store");
  flow.dramReadBytes = value("dram_read");
  flow.dramWriteBytes = value("dram_write");
  return flow;
}

bool MemoryFlow::isEmpty() const {
  return !globalLoadBytes && !hasUncountedCopies && !l2ToL1Bytes && !l2HitRate && !dramReadBytes &&
         !dramWriteBytes;
}

std::vector<WarpState> warpStates(const CounterData &counters) {
  std::vector<WarpState> states;
  double total = 0;
  for (const Metric &metric : metricTable()) {
    if (metric.section != MetricSection::WarpStates ||
        measuredMetric(counters, metric.id) != &metric)
      continue;
    const double cycles = counters.values.at(std::string(metric.name));
    states.push_back({&metric, cycles, 0});
    total += cycles;
  }
  for (WarpState &state : states)
    state.share = total > 0 ? state.cycles / total : 0;
  std::ranges::sort(states, [](const WarpState &a, const WarpState &b) {
    return a.cycles != b.cycles ? a.cycles > b.cycles : a.metric < b.metric;
  });
  return states;
}

namespace {
struct RoofSource {
  const char *name;
  /// Ids of the table; what moved is their sum times `bytesEach`.
  std::array<std::string_view, 2> moved;
  std::string_view peak, clock;
  double bytesEach;
};
struct UnitSource {
  const char *name;
  /// Each counts once, and the last one twice where it is a multiply-add.
  std::array<std::string_view, 3> counted;
  std::string_view peak;
  double operationsEach;
  /// What CUPTI calls the peak of tensor cores is that of sparse factors, twice that of others;
  /// seen on GH100, whose fp64 products have no sparse form.
  double peakShare;
};
} // namespace

static constexpr RoofSource kRoofs[] = {
    {"DRAM", {"dram_read", "dram_write"}, "dram_peak", "dram_clock", 1},
    {"L2", {"l2_to_l1", "l1_to_l2"}, "l2_peak", "l2_clock", 1},
    {"L1", {"l1_wavefronts", ""}, "l1_peak", "l1_clock", kTransferBytes}};

static constexpr UnitSource kUnits[] = {
    {"fp32", {"fp32_add", "fp32_mul", "fp32_fma"}, "fp32_peak", 2, 1},
    {"fp64", {"fp64_add", "fp64_mul", "fp64_fma"}, "fp64_peak", 2, 1},
    {"bf16 tensor", {"tensor_bf16", "", ""}, "tensor_bf16_peak", 1, 0.5},
    {"fp16 tensor", {"tensor_fp16", "", ""}, "tensor_fp16_peak", 1, 0.5},
    {"tf32 tensor", {"tensor_tf32", "", ""}, "tensor_tf32_peak", 1, 0.5},
    {"fp8 tensor", {"tensor_fp8", "", ""}, "tensor_fp8_peak", 1, 0.5},
    {"int8 tensor", {"tensor_int8", "", ""}, "tensor_int8_peak", 1, 0.5},
    {"fp64 tensor", {"tensor_fp64", "", ""}, "tensor_fp64_peak", 1, 1}};

/// Numbers of another machine may be anything; a rate is neither negative nor endless.
static bool isRate(double rate) { return std::isfinite(rate) && rate >= 0; }

static std::optional<RooflineRoof> roofOf(const CounterData &counters, const RoofSource &source,
                                          double seconds) {
  const Value moved =
      sum({metricValue(counters, source.moved[0]), metricValue(counters, source.moved[1])});
  const Value peak = metricValue(counters, source.peak),
              clock = metricValue(counters, source.clock);
  if (!moved || !peak || !clock)
    return std::nullopt;
  // L1 counts its peak in transfers, the others in bytes.
  const double bytes = *moved * source.bytesEach, most = *peak * source.bytesEach * *clock;
  if (!isRate(bytes / seconds) || !isRate(most) || most == 0)
    return std::nullopt;
  // L1's counter is of what it sends to registers.
  if (source.name == std::string_view("L1") &&
      (loadsPassRegisters(counters) || asyncCopySectors(counters).value_or(0) > 0))
    return RooflineRoof{source.name, 0, most, 0,
                        "Asynchronous copies into shared memory pass its counter by."};
  return RooflineRoof{source.name, bytes, most, bytes / seconds};
}

std::string RooflineRoof::text() const {
  return unmeasured.empty()
             ? fmt::format("{:.0f} of {:.0f} GB/s", bytesPerS / 1e9, peakBytesPerS / 1e9)
             : "not measured";
}

static std::optional<RooflineUnits> unitsOf(const CounterData &counters, const UnitSource &source,
                                            double seconds) {
  const Value peak = metricValue(counters, source.peak), clock = metricValue(counters, "sm_clock");
  const Value first = metricValue(counters, source.counted[0]),
              second = metricValue(counters, source.counted[1]),
              third = times(metricValue(counters, source.counted[2]), source.operationsEach);
  const Value operations = sum({first, second, third});
  if (!peak || !clock || !operations)
    return std::nullopt;
  const double most = *peak * source.operationsEach * source.peakShare * *clock;
  if (!isRate(*operations / seconds) || !isRate(most) || most == 0)
    return std::nullopt;
  return RooflineUnits{source.name, *operations, most, *operations / seconds};
}

double MeasuredRoofline::operations() const {
  double total = 0;
  for (const RooflineUnits &each : units)
    total += each.operations;
  return total;
}

std::optional<MeasuredRoofline> measuredRoofline(const CounterData &counters) {
  const Value duration = metricValue(counters, "duration");
  if (!duration || *duration <= 0)
    return std::nullopt;
  const double seconds = *duration * 1e-9;
  MeasuredRoofline roofline;
  const auto consider = [&](const std::string &name, double rate, double peak) {
    if (peak <= 0 || rate / peak <= roofline.boundShare)
      return;
    roofline.bound = name;
    roofline.boundShare = rate / peak;
  };
  for (const RoofSource &source : kRoofs)
    if (auto roof = roofOf(counters, source, seconds)) {
      consider(roof->name, roof->bytesPerS, roof->peakBytesPerS);
      roofline.roofs.push_back(std::move(*roof));
    }
  for (const UnitSource &source : kUnits)
    if (auto units = unitsOf(counters, source, seconds);
        units && (units->operations > 0 || units->name == "fp32")) {
      consider(units->name, units->perS, units->peakPerS);
      roofline.units.push_back(std::move(*units));
    }
  if (roofline.roofs.empty() || roofline.units.empty())
    return std::nullopt;
  return roofline;
}

static void finish(std::vector<SamplePlace> &places, uint64_t total) {
  for (SamplePlace &place : places) {
    place.share = total > 0 ? double(place.samples) / double(total) : 0;
    std::ranges::sort(place.reasons, [](const auto &a, const auto &b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
  }
  std::ranges::sort(places, [](const SamplePlace &a, const SamplePlace &b) {
    return a.samples != b.samples ? a.samples > b.samples : a.place < b.place;
  });
}

std::vector<SamplePlace> hottestLines(const SampleData &samples) {
  std::vector<SamplePlace> places;
  for (const LineSamples &line : samples.lines)
    places.push_back(
        {line.line, line.samples, line.notIssued, 0, {line.reasons.begin(), line.reasons.end()}});
  finish(places, samples.kernelSamples());
  return places;
}

std::vector<SamplePlace> hottestOffsets(const SampleData &samples) {
  std::vector<SamplePlace> places;
  for (const StallSample &stall : samples.stalls) {
    if (places.empty() || places.back().place != stall.offset)
      places.push_back({stall.offset, 0, 0, 0, {}});
    SamplePlace &place = places.back();
    place.samples += stall.samples;
    place.notIssued += stall.notIssued;
    place.reasons.emplace_back(samples.reasons[stall.reason], stall.samples);
  }
  finish(places, samples.kernelSamples());
  return places;
}

std::string stallLabel(const std::string &stall) {
  // Samples call these otherwise than counters do.
  const std::string id = stall == "no_instructions"    ? "stall_no_instruction"
                         : stall == "warpgroup_arrive" ? "stall_gmma"
                                                       : "stall_" + stall;
  for (const Metric &metric : metricTable())
    if (metric.id == id)
      return std::string(metric.label);
  return stall;
}

static std::string_view rungName(ProfileRung rung) {
  switch (rung) {
  case ProfileRung::Counters:
    return "hardware counters";
  case ProfileRung::Samples:
    return "samples";
  case ProfileRung::Executions:
    return "counts by instruction";
  case ProfileRung::DeviceWide:
    return "counters of the whole device";
  case ProfileRung::Trace:
    return "trace";
  case ProfileRung::Times:
    return "times";
  }
  return "";
}

bool isProfiled(const Measurement &measurement) {
  return measurement.counters || measurement.executions || measurement.samples ||
         measurement.deviceWide || measurement.trace || !measurement.refusals.empty();
}

Ladder profileLadder(const Measurement &measurement) {
  Ladder ladder;
  if (const auto &counters = measurement.counters)
    ladder.used =
        "hardware counters (" + std::string(counters->isFull ? "full" : "quick") + " set, " +
        (counters->passes == 1 ? "1 pass" : std::to_string(counters->passes) + " passes") + ", " +
        counters->chip + ")";
  if (measurement.samples)
    ladder.used += ladder.used.empty() ? "samples" : " and samples";
  if (measurement.executions)
    ladder.used += ladder.used.empty() ? "counts by instruction" : " and counts by instruction";
  if (measurement.deviceWide)
    ladder.used +=
        ladder.used.empty() ? "counters of the whole device" : " and counters of the whole device";
  if (measurement.trace)
    ladder.used += ladder.used.empty() ? "a trace" : " and a trace";
  if (ladder.used.empty())
    ladder.used = "times";
  for (const Refusal &refusal : measurement.refusals) {
    std::string text = "no " + std::string(rungName(refusal.rung)) + ": " + refusal.reason;
    if (!refusal.cure.empty())
      text += "; cure: " + refusal.cure;
    ladder.refused.push_back(std::move(text));
  }
  return ladder;
}

std::vector<DeviceWideRow> deviceWideRows(const DeviceWideData &data) {
  std::vector<DeviceWideRow> rows;
  for (const DeviceWideCounter &counter : kDeviceWideCounters)
    if (const auto found = data.values.find(std::string(counter.name)); found != data.values.end())
      rows.push_back({std::string(counter.label),
                      formatMetric(MetricUnit::Percent, found->second * 100),
                      std::string(counter.description)});
  return rows;
}

std::string deviceWideScope(const DeviceWideData &data) {
  char seconds[32];
  std::snprintf(seconds, sizeof(seconds), "%.2f", data.seconds);
  return "the whole device over " + std::string(seconds) + " s, in which the kernel was launched " +
         std::to_string(data.launches) +
         " times in a row, with a warm cache; other programs count, too";
}

static LadderRung rungOf(const Measurement &measurement, ProfileRung rung, const char *name,
                         const char *unasked) {
  const auto refusal = std::ranges::find(measurement.refusals, rung, &Refusal::rung);
  if (refusal != measurement.refusals.end())
    return {name, LadderRung::State::Refused, refusal->reason, refusal->cure};
  return {name, LadderRung::State::NotAsked, unasked, ""};
}

std::vector<LadderRung> ladderRungs(const Measurement &measurement) {
  using State = LadderRung::State;
  LadderRung counters = rungOf(measurement, ProfileRung::Counters, "Counters",
                               "not asked for: profile with counters");
  if (const auto &data = measurement.counters)
    counters = {"Counters", State::Used,
                std::string(data->isFull ? "full" : "quick") + " set, " +
                    (data->passes == 1 ? "1 pass" : std::to_string(data->passes) + " passes") +
                    ", " + data->chip,
                ""};
  LadderRung samples =
      rungOf(measurement, ProfileRung::Samples, "Samples", "not asked for: profile with samples");
  if (const auto &data = measurement.samples)
    samples = {"Samples", State::Used, std::to_string(data->kernelSamples()) + " of the kernel",
               ""};
  LadderRung executions = rungOf(measurement, ProfileRung::Executions, "Executions",
                                 "not asked for: profile with executions");
  if (const auto &data = measurement.executions)
    executions = {"Executions", State::Used,
                  std::to_string(data->instructions.size()) + " instructions", ""};
  LadderRung deviceWide =
      rungOf(measurement, ProfileRung::DeviceWide, "Whole device",
             measurement.counters ? "not needed: counters of the kernel say more"
                                  : "looked at where counters are refused");
  if (const auto &data = measurement.deviceWide)
    deviceWide = {"Whole device", State::Used,
                  std::to_string(data->values.size()) + " counters over " +
                      std::to_string(data->launches) + " launches",
                  ""};
  LadderRung trace =
      rungOf(measurement, ProfileRung::Trace, "Trace", "not asked for: profile with a trace");
  if (const auto &data = measurement.trace)
    trace = {"Trace", State::Used, std::to_string(data->warps.size()) + " warps", ""};
  LadderRung times = rungOf(measurement, ProfileRung::Times, "Times", "not measured");
  if (const auto &time = measurement.timeUs)
    times = {"Times", State::Used, std::to_string(time->n) + " runs", ""};
  LadderRung estimate{"Static estimate", State::NotAsked, "the device's limits are not known", ""};
  if (measurement.occupancy)
    estimate = {"Static estimate", State::Used, "theoretical occupancy", ""};
  if (measurement.prediction)
    estimate = {"Static estimate", State::Used, "predicted time and shares of lines", ""};
  return {std::move(counters), std::move(samples), std::move(executions), std::move(deviceWide),
          std::move(trace),    std::move(times),   std::move(estimate)};
}

} // namespace tilescope::profiler
