// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/TraceRows.h"

namespace tilescope::profiler {

/// Work under way overlaps: each piece goes to the first row that is free.
static std::vector<std::vector<TraceSpan>> packed(const std::vector<TraceSpan> &spans) {
  std::vector<std::vector<TraceSpan>> rows;
  for (const TraceSpan &span : spans) {
    size_t row = 0;
    while (row < rows.size() && rows[row].back().end > span.begin)
      ++row;
    if (row == rows.size())
      rows.emplace_back();
    rows[row].push_back(span);
  }
  return rows;
}

std::vector<TraceRow> traceRows(const TraceData &trace) {
  std::vector<TraceRow> rows;
  for (const TraceWarp &warp : trace.warps) {
    const std::string name = "warp " + std::to_string(warp.warp);
    rows.push_back({&warp, name, 0, warp.spans});
    int line = 0;
    for (std::vector<TraceSpan> &spans : packed(warp.underWay))
      rows.push_back({&warp, name + ", under way", ++line, std::move(spans)});
  }
  return rows;
}

std::string traceEventName(const TraceData &trace, const TraceSpan &span) {
  const TraceScope *scope = trace.table.scope(span.scope);
  if (!scope)
    return "scope " + std::to_string(span.scope);
  return scope->operation + (scope->line ? ", line " + std::to_string(*scope->line + 1) : "");
}

std::string traceEventKind(const TraceData &trace, const TraceSpan &span) {
  const TraceScope *scope = trace.table.scope(span.scope);
  return scope ? std::string(traceKindName(scope->kind)) : "";
}

double traceMicroseconds(const TraceData &trace, uint64_t cycles) {
  constexpr double kCycleAsNanosecond = 1000;
  const double perMicrosecond = trace.clockMhz.value_or(kCycleAsNanosecond);
  return static_cast<double>(cycles) / (perMicrosecond > 0 ? perMicrosecond : kCycleAsNanosecond);
}

} // namespace tilescope::profiler
