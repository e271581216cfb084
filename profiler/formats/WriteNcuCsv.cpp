// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Metric.h"
#include "profiler/formats/CsvTable.h"
#include "profiler/formats/NcuCsv.h"
#include "profiler/formats/NcuUnits.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <optional>

namespace tilescope::profiler {

namespace {
struct Column {
  std::string name;
  std::string unit;
  /// Empty: the launch lacks it.
  std::function<std::string(const Measurement &)> value;
};
} // namespace

static std::string capability(const Measurement &measurement) {
  const DeviceInfo &device = measurement.device;
  return device.computeMajor > 0 ? fmt::format("{}.{}", device.computeMajor, device.computeMinor)
                                 : "";
}

/// A name that a spreadsheet would take for a formula is marked as text.
static std::string nameText(const std::string &name) {
  const bool isFormula =
      !name.empty() && std::string_view("=+-@\t\r").find(name[0]) != std::string_view::npos;
  return (isFormula ? "'" : "") + name;
}

static std::string integer(const std::optional<int64_t> &value) {
  return value ? std::to_string(*value) : "";
}

static std::optional<double> valueOf(const Measurement &measurement, const std::string &name) {
  if (measurement.counters)
    if (const auto found = measurement.counters->values.find(name);
        found != measurement.counters->values.end())
      return found->second;
  // Measured without counters, too.
  if (name == "gpu__time_duration.sum" && measurement.timeUs &&
      measurement.timeSource == TimeSource::Cupti)
    return measurement.timeUs->median * 1000;
  return std::nullopt;
}

/// What every table begins with. What only a process of ncu has stays empty.
static std::vector<Column> firstColumns() {
  const auto none = [](const Measurement &) { return std::string(); };
  return {
      {"Process ID", "", none},
      {"Process Name", "", [](const Measurement &) { return std::string("tilescope"); }},
      {"Host Name", "", none},
      {"Kernel Name", "", [](const Measurement &each) { return nameText(each.kernel); }},
      {"Context", "", none},
      {"Stream", "", none},
      {"Block Size", "",
       [](const Measurement &each) {
         return each.threads ? fmt::format("({}, 1, 1)", *each.threads) : "";
       }},
      {"Grid Size", "",
       [](const Measurement &each) { return fmt::format("({})", fmt::join(each.grid, ", ")); }},
      {"Device", "", [](const Measurement &each) { return std::to_string(each.device.ordinal); }},
      {"CC", "", capability},
      {"device__attribute_display_name", "",
       [](const Measurement &each) { return nameText(each.device.name); }},
      {"launch__registers_per_thread", "register/thread",
       [](const Measurement &each) { return integer(each.registers); }},
      {"launch__shared_mem_per_block_dynamic", "byte/block",
       [](const Measurement &each) { return integer(each.sharedBytes); }}};
}

/// Those that a measurement has, in the order of our table.
static std::vector<Column> metricColumns(const std::vector<const Measurement *> &measurements) {
  std::vector<Column> columns;
  for (const Metric &metric : metricTable()) {
    const std::string name(metric.name);
    const auto has = [&](const Measurement *each) { return valueOf(*each, name).has_value(); };
    if (std::ranges::any_of(measurements, has))
      columns.push_back(
          {name, std::string(ncuUnitName(metric.unit)), [name](const Measurement &each) {
             const std::optional<double> value = valueOf(each, name);
             return value ? fmt::format("{}", *value) : "";
           }});
  }
  return columns;
}

std::string ncuCsv(const ReportData &data) {
  std::vector<const Measurement *> measurements;
  for (const ReportKernel &kernel : data.kernels)
    if (kernel.measurement)
      measurements.push_back(&*kernel.measurement);
  std::vector<Column> columns = firstColumns();
  std::ranges::move(metricColumns(measurements), std::back_inserter(columns));
  std::string head = csvQuoted("ID"), units = csvQuoted("");
  for (const Column &column : columns) {
    head += "," + csvQuoted(column.name);
    units += "," + csvQuoted(column.unit);
  }
  std::string text = head + "\n" + units + "\n";
  for (size_t i = 0; i < measurements.size(); ++i) {
    text += csvQuoted(std::to_string(i));
    for (const Column &column : columns)
      text += "," + csvQuoted(column.value(*measurements[i]));
    text += "\n";
  }
  return text;
}

} // namespace tilescope::profiler
