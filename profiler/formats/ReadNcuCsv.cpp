// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/support/Counted.h"
#include "profiler/formats/CsvTable.h"
#include "profiler/formats/NcuCsv.h"
#include "profiler/formats/NcuLaunch.h"
#include "profiler/formats/NcuUnits.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

namespace tilescope::profiler {

// More than anybody looks at; what a file has beyond them is an error, not lost.
static constexpr size_t kMostLaunches = 10000;

namespace {

/// The columns that say what a row is about; npos: the table lacks it.
struct Columns {
  size_t id, kernel, block, grid, capability, section, metric, unit, value;
};

/// One value of one launch.
struct Cell {
  std::string_view section, metric, unit, value;
};

} // namespace

/// The lines above the head: what ncu and the program print.
static bool isHead(std::string_view line) {
  return (line.starts_with("\"ID\",") || line.starts_with("ID,")) &&
         line.find("Kernel Name") != std::string_view::npos;
}

bool isNcuCsv(std::string_view text) {
  constexpr int kLinesBefore = 10000;
  CsvReader reader(text);
  for (int i = 0; i < kLinesBefore && !reader.atEnd(); ++i, reader.skipLine())
    if (isHead(reader.nextLine()))
      return true;
  return false;
}

static Columns columnsOf(const std::vector<std::string> &head) {
  const auto find = [&](std::string_view name) {
    const auto found = std::ranges::find(head, name);
    return found == head.end() ? std::string::npos : static_cast<size_t>(found - head.begin());
  };
  return {find("ID"),          find("Kernel Name"), find("Block Size"),
          find("Grid Size"),   find("CC"),          find("Section Name"),
          find("Metric Name"), find("Metric Unit"), find("Metric Value")};
}

static Error at(const CsvRow &row, const std::string &why) {
  return {ErrorCode::InvalidInput, "line " + std::to_string(row.line) + ": " + why, ""};
}

/// `(128, 1, 1)`
static std::optional<std::array<int64_t, 3>> extents(std::string_view text) {
  std::array<int64_t, 3> result = {1, 1, 1};
  for (int64_t &extent : result) {
    const size_t digit = text.find_first_of("0123456789");
    if (digit == std::string_view::npos)
      return std::nullopt;
    text.remove_prefix(digit);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), extent);
    if (error != std::errc() || extent > INT32_MAX)
      return std::nullopt;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
  }
  return result;
}

static Measurement beginMeasurement(const CsvRow &row, const Columns &columns) {
  const auto field = [&](size_t column) {
    return column == std::string::npos ? std::string() : row.fields[column];
  };
  Measurement measurement;
  measurement.kernel = field(columns.kernel);
  measurement.launches = 1;
  if (const auto grid = extents(field(columns.grid)))
    measurement.grid = *grid;
  if (const auto block = extents(field(columns.block)))
    measurement.threads = (*block)[0] * (*block)[1] * (*block)[2];
  const std::string capability = field(columns.capability);
  if (const auto version = ncuNumber(capability); version && *version > 0 && *version < 100) {
    measurement.device.name = "GPU of compute capability " + capability;
    measurement.device.computeMajor = static_cast<int32_t>(*version);
    measurement.device.computeMinor =
        static_cast<int32_t>(std::lround((*version - std::floor(*version)) * 10));
  }
  return measurement;
}

/// The labels of the page of details, where they have one meaning, and the metrics behind them.
static std::string_view metricOfLabel(std::string_view section, std::string_view label) {
  struct Label {
    std::string_view section, label, metric;
  };
  static constexpr std::string_view kLight = "GPU Speed Of Light Throughput";
  static constexpr Label kLabels[] = {
      {kLight, "Duration", "gpu__time_duration.sum"},
      {kLight, "DRAM Frequency", "dram__cycles_elapsed.avg.per_second"},
      {kLight, "SM Active Cycles", "sm__cycles_active.avg"},
      {kLight, "Compute (SM) Throughput", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
      {kLight, "Memory Throughput",
       "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"},
      {kLight, "DRAM Throughput", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
      {kLight, "L1/TEX Cache Throughput", "l1tex__throughput.avg.pct_of_peak_sustained_active"},
      {kLight, "L2 Cache Throughput", "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
      {"Scheduler Statistics", "Active Warps Per Scheduler",
       "smsp__warps_active.avg.per_cycle_active"},
      {"Scheduler Statistics", "Eligible Warps Per Scheduler",
       "smsp__warps_eligible.avg.per_cycle_active"},
      {"Instruction Statistics", "Executed Instructions", "smsp__inst_executed.sum"},
      {"Instruction Statistics", "Issued Instructions", "smsp__inst_issued.sum"},
      {"Occupancy", "Achieved Occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active"},
      {"Launch Statistics", "Registers Per Thread", "launch__registers_per_thread"},
      {"Launch Statistics", "Dynamic Shared Memory Per Block",
       "launch__shared_mem_per_block_dynamic"},
      {"Launch Statistics", "Static Shared Memory Per Block",
       "launch__shared_mem_per_block_static"}};
  for (const Label &each : kLabels)
    if (each.section == section && each.label == label)
      return each.metric;
  return label;
}

/// The error says what is wrong with the value.
static std::string addCell(const Cell &cell, NcuLaunch &launch) {
  const std::string_view name = metricOfLabel(cell.section, cell.metric);
  if (name.empty() || cell.value.empty() || cell.value == "n/a")
    return "";
  if (name == "device__attribute_display_name") {
    launch.measurement.device.name = cell.value;
    return "";
  }
  const std::optional<double> value = ncuNumber(cell.value);
  const Metric *metric = ncuMetric(name);
  if (metric && !value)
    return "`" + std::string(cell.value.substr(0, 40)) + "` is not a number of `" +
           std::string(name) + "`; numbers are written like 1,234.5 (LC_ALL=C)";
  if (!value)
    ++launch.numLeftOut;
  else if (metric)
    launch.add(name, *value * ncuUnitFactor(cell.unit, metric->unit));
  else
    launch.add(name, *value * ncuUnitFactor(cell.unit));
  return "";
}

namespace {

/// Takes the rows below the head.
class TableReader {
public:
  explicit TableReader(const CsvRow &head) : m_head(head.fields), m_columns(columnsOf(m_head)) {}

  Status take(const CsvRow &row) {
    if (row.isCut)
      return at(row, "a quote is never closed: the table is cut off");
    if (row.isTooLong)
      return at(row, "the row has more than " + std::to_string(kMostCsvFields) + " fields");
    if (row.fields.size() != m_head.size())
      return at(row, counted(row.fields.size(), "field") + ", where the head of the table has " +
                         std::to_string(m_head.size()));
    const std::string &id = row.fields[m_columns.id];
    // Below the head of a wide table.
    if (id.empty() && m_launches.empty()) {
      m_units = row.fields;
      return {};
    }
    if (!m_places.contains(id)) {
      if (m_launches.size() == kMostLaunches)
        return at(row, "the table has more than " + std::to_string(kMostLaunches) + " launches");
      m_places[id] = m_launches.size();
      NcuLaunch &begun = m_launches.emplace_back();
      begun.measurement = beginMeasurement(row, m_columns);
      if (m_columns.capability != std::string::npos)
        begun.counters.chip = chipOfCapability(row.fields[m_columns.capability]);
    }
    return addValues(row, m_launches[m_places[id]]);
  }

  std::vector<Measurement> end() {
    std::vector<Measurement> measurements;
    for (NcuLaunch &launch : m_launches)
      measurements.push_back(std::move(launch).end("a table of Nsight Compute"));
    return measurements;
  }

private:
  bool isLong() const {
    return m_columns.metric != std::string::npos && m_columns.value != std::string::npos;
  }

  Status addValues(const CsvRow &row, NcuLaunch &launch) const {
    const auto field = [&](size_t column) {
      return column == std::string::npos ? std::string_view()
                                         : std::string_view(row.fields[column]);
    };
    if (isLong()) {
      const Cell cell = {field(m_columns.section), field(m_columns.metric), field(m_columns.unit),
                         field(m_columns.value)};
      const std::string fault = addCell(cell, launch);
      return fault.empty() ? Status() : at(row, fault);
    }
    for (size_t i = 0; i < m_head.size(); ++i) {
      if (m_head[i].find("__") == std::string::npos)
        continue;
      const std::string_view unit = i < m_units.size() ? m_units[i] : std::string_view();
      if (const std::string fault = addCell({"", m_head[i], unit, row.fields[i]}, launch);
          !fault.empty())
        return at(row, fault);
    }
    return {};
  }

  std::vector<std::string> m_head;
  Columns m_columns;
  std::vector<std::string> m_units;
  std::vector<NcuLaunch> m_launches;
  std::map<std::string, size_t> m_places;
};

} // namespace

Result<std::vector<Measurement>> readNcuCsv(std::string_view text) {
  CsvReader reader(text);
  while (!reader.atEnd() && !isHead(reader.nextLine()))
    reader.skipLine();
  if (reader.atEnd())
    return Error{ErrorCode::InvalidInput, "there is no table of Nsight Compute in it",
                 "`ncu --csv --page raw` prints one"};
  const CsvRow head = reader.read();
  if (head.isCut || head.isTooLong)
    return at(head, "the head of the table is cut off, or has no end");
  TableReader table(head);
  while (!reader.atEnd()) {
    const std::string_view line = reader.nextLine();
    // What ncu says between rows.
    if (line.empty() || line.starts_with("==")) {
      reader.skipLine();
      continue;
    }
    if (Status status = table.take(reader.read()); !status)
      return status.error();
  }
  std::vector<Measurement> measurements = table.end();
  if (measurements.empty())
    return Error{ErrorCode::InvalidInput, "the table has no launch", ""};
  return measurements;
}

} // namespace tilescope::profiler
