// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/TraceFigures.h"

#include "compiler/support/Counted.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

namespace tilescope::profiler {

static uint64_t wholeCycles(const TraceData &trace) {
  uint64_t cycles = 0;
  for (const TraceWarp &warp : trace.warps)
    cycles += warp.cycles;
  return cycles;
}

static double shareOf(uint64_t cycles, uint64_t whole) {
  return whole > 0 ? static_cast<double>(cycles) / static_cast<double>(whole) : 0;
}

/// Calls `take(scope, cycles)` for each span of warps whose end was recorded.
template <typename Take> static void forEachSpan(const TraceData &trace, Take take) {
  std::map<uint32_t, const TraceScope *> scopes;
  for (const TraceScope &scope : trace.table.scopes)
    scopes[scope.id] = &scope;
  for (const TraceWarp &warp : trace.warps)
    for (const TraceSpan &span : warp.spans)
      if (const auto found = scopes.find(span.scope); found != scopes.end() && warp.cycles > 0)
        take(*found->second, span.end - span.begin);
}

std::vector<TraceKindTime> traceKindTimes(const TraceData &trace) {
  std::array<TraceKindTime, kNumTraceKinds> times;
  std::array<bool, kNumTraceKinds> isThere = {};
  forEachSpan(trace, [&](const TraceScope &scope, uint64_t cycles) {
    const auto index = static_cast<size_t>(scope.kind);
    times[index].cycles += cycles;
    isThere[index] = true;
  });
  std::vector<TraceKindTime> result;
  for (size_t i = 0; i < kNumTraceKinds; ++i)
    if (isThere[i])
      result.push_back({static_cast<TraceKind>(i), times[i].cycles,
                        shareOf(times[i].cycles, wholeCycles(trace))});
  std::ranges::stable_sort(result, std::greater(), &TraceKindTime::cycles);
  return result;
}

std::optional<double> unscopedShare(const TraceData &trace) {
  if (lostRecords(trace) > 0 || wholeCycles(trace) == 0)
    return std::nullopt;
  double share = 1;
  for (const TraceKindTime &time : traceKindTimes(trace))
    share -= time.share;
  return std::max(share, 0.0);
}

std::vector<TraceLine> traceLines(const TraceData &trace) {
  std::map<std::pair<std::string, uint32_t>, std::map<TraceKind, uint64_t>> byKind;
  std::map<std::pair<std::string, uint32_t>, TraceLine> lines;
  forEachSpan(trace, [&](const TraceScope &scope, uint64_t cycles) {
    if (!scope.line)
      return;
    const std::pair key(scope.file, *scope.line);
    TraceLine &line = lines[key];
    line.file = scope.file;
    line.line = *scope.line;
    line.cycles += cycles;
    ++line.spans;
    byKind[key][scope.kind] += cycles;
  });
  std::vector<TraceLine> result;
  for (auto &[key, line] : lines) {
    line.share = shareOf(line.cycles, wholeCycles(trace));
    std::vector<std::pair<uint64_t, TraceKind>> kinds;
    for (const auto &[kind, cycles] : byKind[key])
      kinds.emplace_back(cycles, kind);
    std::ranges::stable_sort(kinds, std::greater(), &std::pair<uint64_t, TraceKind>::first);
    for (const auto &[cycles, kind] : kinds)
      line.kinds.push_back(kind);
    result.push_back(std::move(line));
  }
  std::ranges::stable_sort(result, std::greater(), &TraceLine::cycles);
  return result;
}

uint64_t lostRecords(const TraceData &trace) {
  uint64_t lost = 0;
  for (const TraceWarp &warp : trace.warps)
    lost += warp.lost;
  return lost;
}

std::string traceWarpName(const TraceWarp &warp) {
  return "program " + std::to_string(warp.program) + ", warp " + std::to_string(warp.warp);
}

std::string traceScopeName(const TraceScope &scope) {
  return scope.operation +
         (scope.line ? " in line " + std::to_string(*scope.line + 1) : std::string());
}

std::string traceDurationText(const TraceData &trace, uint64_t cycles) {
  std::string text = counted(static_cast<int64_t>(cycles), "cycle");
  if (trace.clockMhz && *trace.clockMhz > 0)
    text += fmt::format(" ({:.2f} µs)", static_cast<double>(cycles) / *trace.clockMhz);
  return text;
}

std::string traceCostText(const TraceData &trace) {
  std::string text = fmt::format(
      "{:.1f} % {} with clock reads ({:.2f} instead of {:.2f} µs)", std::abs(trace.slowdown) * 100,
      trace.slowdown < 0 ? "faster" : "slower", trace.tracedUs, trace.plainUs);
  if (trace.outputsEqual)
    text += *trace.outputsEqual ? "; outputs are equal bit for bit" : "; outputs differ";
  else
    text += "; outputs differ from launch to launch without them, too";
  return text;
}

} // namespace tilescope::profiler
