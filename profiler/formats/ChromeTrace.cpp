// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/formats/ChromeTrace.h"

#include "profiler/analysis/TraceRows.h"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace tilescope::profiler {

using nlohmann::json;

static json nameEvent(const char *what, int process, int thread, const std::string &name) {
  return {
      {"ph", "M"}, {"name", what}, {"pid", process}, {"tid", thread}, {"args", {{"name", name}}}};
}

static void addLaunches(const Measurement &measurement, int process, int thread, json &events) {
  const TimeStats &time = *measurement.timeUs;
  const std::vector<double> durations =
      time.samples.empty() ? std::vector<double>{time.median} : time.samples;
  json facts = {{"grid", measurement.grid}, {"cold_l2", measurement.coldL2}};
  if (measurement.registers)
    facts["registers"] = *measurement.registers;
  if (measurement.sharedBytes)
    facts["shared_bytes"] = *measurement.sharedBytes;
  double begin = 0;
  for (size_t i = 0; i < durations.size(); ++i) {
    if (!std::isfinite(durations[i]) || durations[i] < 0)
      continue;
    json event = {{"ph", "X"},          {"name", measurement.kernel},
                  {"cat", "kernel"},    {"pid", process},
                  {"tid", thread},      {"ts", begin},
                  {"dur", durations[i]}};
    event["args"] = facts;
    event["args"]["launch"] = i + 1;
    events.push_back(std::move(event));
    begin += durations[i];
  }
}

/// Rows of a trace inside a kernel. Processes and rows are numbered behind those that are there.
static void addTrace(const Measurement &measurement, int &lastProcess, int &lastThread,
                     json &events) {
  std::map<int64_t, int> processes;
  for (const TraceRow &row : traceRows(*measurement.trace)) {
    const auto [process, isNew] = processes.try_emplace(row.warp->program, lastProcess + 1);
    if (isNew)
      events.push_back(nameEvent("process_name", ++lastProcess, 0,
                                 measurement.kernel + ", program " +
                                     std::to_string(row.warp->program) + " on multiprocessor " +
                                     std::to_string(row.warp->multiprocessor)));
    events.push_back(nameEvent("thread_name", process->second, ++lastThread, row.name));
    for (const TraceSpan &span : row.spans)
      events.push_back({{"ph", "X"},
                        {"name", traceEventName(*measurement.trace, span)},
                        {"cat", traceEventKind(*measurement.trace, span)},
                        {"pid", process->second},
                        {"tid", lastThread},
                        {"ts", traceMicroseconds(*measurement.trace, row.warp->start + span.begin)},
                        {"dur", traceMicroseconds(*measurement.trace, span.end - span.begin)},
                        {"args", {{"cycles", span.end - span.begin}}}});
  }
}

std::string chromeTrace(const ReportData &data) {
  json events = json::array();
  // By the device's name and number.
  std::map<std::pair<std::string, int32_t>, int> processes;
  int thread = 0, lastProcess = static_cast<int>(data.kernels.size());
  for (const ReportKernel &kernel : data.kernels) {
    const std::optional<Measurement> &measurement = kernel.measurement;
    if (!measurement || !measurement->timeUs)
      continue;
    const DeviceInfo &device = measurement->device;
    const auto [place, isNew] = processes.try_emplace({device.name, device.ordinal},
                                                      static_cast<int>(processes.size()) + 1);
    if (isNew)
      events.push_back(nameEvent("process_name", place->second, 0, device.name));
    events.push_back(nameEvent("thread_name", place->second, ++thread, measurement->kernel));
    addLaunches(*measurement, place->second, thread, events);
    if (measurement->trace)
      addTrace(*measurement, lastProcess, thread, events);
  }
  const json trace = {{"traceEvents", std::move(events)},
                      {"displayTimeUnit", "ns"},
                      {"otherData",
                       {{"generator", data.generator},
                        {"created", data.created},
                        {"note", "launches one behind the other; gaps were not measured"}}}};
  return trace.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

} // namespace tilescope::profiler
