// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/TraceRows.h"
#include "profiler/formats/ProtonTrace.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace tilescope::profiler {

using nlohmann::json;

/// Whole nanoseconds.
static int64_t nanoseconds(const TraceData &trace, uint64_t cycles) {
  return std::llround(traceMicroseconds(trace, cycles) * 1000);
}

static void addTrace(const Measurement &measurement, json &events) {
  const TraceData &trace = *measurement.trace;
  for (const TraceRow &row : traceRows(trace)) {
    const TraceWarp &warp = *row.warp;
    const std::string process = measurement.kernel + " Core" + std::to_string(warp.multiprocessor) +
                                " CTA" + std::to_string(warp.program);
    const std::string thread =
        "warp " + std::to_string(warp.warp) + " (line " + std::to_string(row.line) + ")";
    const json facts = {{"Init Time (ns)", nanoseconds(trace, warp.start)},
                        {"Post Final Time (ns)", nanoseconds(trace, warp.start + warp.cycles)},
                        {"Finalization Time (ns)", 0},
                        {"call_stack", json::array()}};
    for (const TraceSpan &span : row.spans)
      events.push_back({{"ph", "X"},
                        {"name", traceEventName(trace, span)},
                        {"cat", measurement.kernel},
                        {"pid", process},
                        {"tid", thread},
                        {"ts", traceMicroseconds(trace, warp.start + span.begin)},
                        {"dur", traceMicroseconds(trace, span.end - span.begin)},
                        {"args", facts}});
  }
}

std::string protonTrace(const ReportData &data) {
  json events = json::array();
  for (const ReportKernel &kernel : data.kernels)
    if (kernel.measurement && kernel.measurement->trace)
      addTrace(*kernel.measurement, events);
  const json document = {{"displayTimeUnit", "ns"}, {"traceEvents", std::move(events)}};
  return document.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

} // namespace tilescope::profiler
