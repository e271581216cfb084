// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/TracePicture.h"

#include "compiler/support/Counted.h"
#include "profiler/analysis/RoundStep.h"
#include "profiler/analysis/TraceFigures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace tilescope::profiler {

/// Cycles that are in sight at the closest.
static constexpr uint64_t kShortestWindow = 32;

TraceWindow TracePicture::wholeOf(const TraceData &trace, int64_t program) {
  TraceWindow whole{UINT64_MAX, 0};
  for (const TraceWarp &warp : trace.warps) {
    if (warp.program != program)
      continue;
    whole.begin = std::min(whole.begin, warp.start);
    uint64_t length = warp.cycles;
    for (const std::vector<TraceSpan> *spans : {&warp.spans, &warp.underWay})
      for (const TraceSpan &span : *spans)
        length = std::max(length, span.end);
    whole.end = std::max(whole.end, warp.start + length);
  }
  if (whole.begin > whole.end)
    return {0, kShortestWindow};
  whole.end = std::max(whole.end, whole.begin + kShortestWindow);
  return whole;
}

TracePicture::TracePicture(const TraceData &trace, int64_t program, const Size &size,
                           const TraceWindow &window)
    : m_size(size), m_window(window) {
  m_window.end = std::max(m_window.end, m_window.begin + 1);
  for (TraceRow &row : traceRows(trace))
    if (row.warp->program == program)
      m_rows.push_back(std::move(row));
  for (const TraceScope &scope : trace.table.scopes) {
    if (scope.id >= m_scopes.size())
      m_scopes.resize(scope.id + 1);
    m_scopes[scope.id] = &scope;
  }
  addBars();
  addTicks(trace);
}

double TracePicture::xOf(uint64_t cycle) const {
  const double from = static_cast<double>(cycle) - static_cast<double>(m_window.begin);
  return from / static_cast<double>(m_window.length()) * m_size.width;
}

uint64_t TracePicture::cycleAt(double x) const {
  const double share = std::clamp(x / std::max(m_size.width, 1.0), 0.0, 1.0);
  return m_window.begin + static_cast<uint64_t>(share * static_cast<double>(m_window.length()));
}

void TracePicture::addBars() {
  for (size_t row = 0; row < m_rows.size(); ++row)
    for (const TraceSpan &span : m_rows[row].spans) {
      const uint64_t start = m_rows[row].warp->start;
      if (start + span.end < m_window.begin || start + span.begin >= m_window.end)
        continue;
      const double left = std::max(xOf(start + span.begin), 0.0),
                   right = std::min(xOf(start + span.end), m_size.width);
      m_bars.push_back({row, span, span.scope < m_scopes.size() ? m_scopes[span.scope] : nullptr,
                        left, right - left});
    }
}

void TracePicture::addTicks(const TraceData &trace) {
  constexpr double kRoomPx = 90;
  const bool isTimed = trace.clockMhz && *trace.clockMhz > 0;
  const double perUnit = isTimed ? *trace.clockMhz : 1;
  const double units = static_cast<double>(m_window.length()) / perUnit;
  const double step = roundStep(std::max(units * kRoomPx / std::max(m_size.width, kRoomPx), 1e-6));
  const double first = std::ceil(static_cast<double>(m_window.begin) / perUnit / step);
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step))));
  for (double number = first;; ++number) {
    const double cycle = number * step * perUnit;
    if (cycle >= static_cast<double>(m_window.end))
      break;
    m_ticks.push_back({(cycle - static_cast<double>(m_window.begin)) /
                           static_cast<double>(m_window.length()) * m_size.width,
                       isTimed ? fmt::format("{:.{}f} µs", number * step, decimals)
                               : fmt::format("{:.0f}", number * step)});
  }
}

int TracePicture::barAt(double x, double y) const {
  constexpr double kReachPx = 2;
  if (y < 0 || y >= height() || m_rows.empty())
    return -1;
  const auto row = static_cast<size_t>(y / m_size.rowHeight);
  int nearest = -1;
  double least = kReachPx;
  for (size_t i = 0; i < m_bars.size(); ++i) {
    const TraceBar &bar = m_bars[i];
    if (bar.row != row)
      continue;
    const double away = std::max({bar.x - x, x - (bar.x + bar.width), 0.0});
    if (away < least || (away == 0 && least == 0)) {
      nearest = static_cast<int>(i);
      least = away;
    }
  }
  return nearest;
}

int TracePicture::beside(int bar, int by) const {
  const int next = bar + by;
  if (bar < 0 || next < 0 || next >= static_cast<int>(m_bars.size()))
    return bar;
  const bool isSameRow =
      m_bars[static_cast<size_t>(next)].row == m_bars[static_cast<size_t>(bar)].row;
  return isSameRow ? next : bar;
}

int TracePicture::acrossRows(int bar, int by) const {
  if (bar < 0 || bar >= static_cast<int>(m_bars.size()))
    return bar;
  const TraceBar &from = m_bars[static_cast<size_t>(bar)];
  const double middle = from.x + from.width / 2;
  // Rows without bars in sight are passed over.
  for (auto row = static_cast<int64_t>(from.row) + by;
       row >= 0 && row < static_cast<int64_t>(m_rows.size()); row += by) {
    int nearest = -1;
    double least = 0;
    for (size_t i = 0; i < m_bars.size(); ++i) {
      if (static_cast<int64_t>(m_bars[i].row) != row)
        continue;
      const double away = std::abs(m_bars[i].x + m_bars[i].width / 2 - middle);
      if (nearest < 0 || away < least) {
        nearest = static_cast<int>(i);
        least = away;
      }
    }
    if (nearest >= 0)
      return nearest;
  }
  return bar;
}

/// A window of a length, as near to a place as the whole lets it be. Rounded, so that what goes there
/// and back ends where it began.
static TraceWindow within(const TraceWindow &whole, double begin, double length) {
  const auto between = [](double value, uint64_t least, uint64_t most) {
    return static_cast<uint64_t>(
        std::llround(std::clamp(value, static_cast<double>(least), static_cast<double>(most))));
  };
  const uint64_t shown = between(length, std::min(kShortestWindow, whole.length()), whole.length());
  const uint64_t from = between(begin, whole.begin, whole.end - shown);
  return {from, from + shown};
}

TraceWindow zoomed(const TraceWindow &window, const TraceWindow &whole, double factor,
                   uint64_t about) {
  const double length = static_cast<double>(window.length()) / std::max(factor, 1e-9);
  const auto shortest = static_cast<double>(std::min(kShortestWindow, whole.length()));
  const double taken = std::clamp(length, shortest, static_cast<double>(whole.length()));
  const double share = (static_cast<double>(about) - static_cast<double>(window.begin)) /
                       static_cast<double>(window.length());
  return within(whole, static_cast<double>(about) - share * taken, taken);
}

TraceWindow panned(const TraceWindow &window, const TraceWindow &whole, double share) {
  const auto length = static_cast<double>(window.length());
  return within(whole, static_cast<double>(window.begin) + share * length, length);
}

std::vector<int64_t> tracedPrograms(const TraceData &trace) {
  std::vector<int64_t> programs;
  for (const TraceWarp &warp : trace.warps)
    programs.push_back(warp.program);
  std::ranges::sort(programs);
  programs.erase(std::ranges::unique(programs).begin(), programs.end());
  return programs;
}

std::string traceProgramText(const TraceData &trace, int64_t program) {
  int64_t numWarps = 0;
  int32_t multiprocessor = 0;
  for (const TraceWarp &warp : trace.warps)
    if (warp.program == program) {
      ++numWarps;
      multiprocessor = warp.multiprocessor;
    }
  return "Program " + std::to_string(program) + " on multiprocessor " +
         std::to_string(multiprocessor) + ": " + counted(numWarps, "warp") + ", " +
         traceDurationText(trace, TracePicture::wholeOf(trace, program).length());
}

std::string traceBarText(const TraceData &trace, const TracePicture &picture, size_t index) {
  const TraceBar &bar = picture.bars()[index];
  const TraceRow &row = picture.rows()[bar.row];
  const std::string name =
      bar.scope ? traceScopeName(*bar.scope) : "scope " + std::to_string(bar.span.scope);
  const std::string kind = bar.scope ? std::string(traceKindName(bar.scope->kind)) + ", " : "";
  const std::string duration = traceDurationText(trace, bar.span.end - bar.span.begin);
  const std::string when = traceDurationText(trace, bar.span.begin) + " after the start of warp " +
                           std::to_string(row.warp->warp);
  if (row.line > 0)
    return name + ": under way for " + duration + ", from " + when + " until it was waited for.";
  return name + ": " + kind + duration + ", " + when + ".";
}

} // namespace tilescope::profiler
