// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/BoundedJson.h"
#include "profiler/data/ProfileJson.h"

#include <algorithm>
#include <stdexcept>

namespace tilescope::profiler {

using nlohmann::json;

// More than any kernel has.
static constexpr size_t kMostPlaces = size_t(1) << 20;
static constexpr size_t kColumns = 8;

static json valueOrNull(const std::optional<uint64_t> &value) {
  return value ? json(*value) : json();
}

/// Place, instructions of warps, threads, of these on, sectors, the fewest of these, wavefronts, the
/// fewest of these; null: it accesses no such memory.
static json rowOf(uint32_t place, const ExecutionCounts &counts) {
  return {place,
          counts.executed,
          counts.threads,
          counts.threadsOn,
          valueOrNull(counts.sectors),
          valueOrNull(counts.idealSectors),
          valueOrNull(counts.wavefronts),
          valueOrNull(counts.idealWavefronts)};
}

json executionDataToJson(const ExecutionData &executions) {
  json object = {{"instructions", json::array()}};
  for (const InstructionExecutions &each : executions.instructions)
    object["instructions"].push_back(rowOf(each.offset, each.counts));
  if (!executions.lines.empty())
    object["lines"] = json::array();
  for (const LineExecutions &each : executions.lines)
    object["lines"].push_back(rowOf(each.line + 1, each.counts));
  return object;
}

static std::optional<uint64_t> valueAt(const json &row, size_t column) {
  return row.at(column).is_null() ? std::nullopt : std::optional(jsonAs<uint64_t>(row.at(column)));
}

static std::pair<uint32_t, ExecutionCounts> fromRow(const json &row) {
  if (row.size() != kColumns)
    throw std::out_of_range("counts of an instruction are not eight values");
  ExecutionCounts counts;
  counts.executed = jsonAs<uint64_t>(row.at(1));
  counts.threads = jsonAs<uint64_t>(row.at(2));
  counts.threadsOn = jsonAs<uint64_t>(row.at(3));
  counts.sectors = valueAt(row, 4);
  counts.idealSectors = valueAt(row, 5);
  counts.wavefronts = valueAt(row, 6);
  counts.idealWavefronts = valueAt(row, 7);
  return {jsonAs<uint32_t>(row.at(0)), counts};
}

static const json &places(const json &object, const char *key) {
  const json &list = object.at(key);
  if (list.size() > kMostPlaces)
    throw std::out_of_range("`" + std::string(key) + "` has too many entries");
  return list;
}

ExecutionData executionDataFromJson(const json &object) {
  ExecutionData executions;
  for (const json &row : places(object, "instructions")) {
    const auto [offset, counts] = fromRow(row);
    executions.instructions.push_back({offset, counts});
  }
  if (object.contains("lines"))
    for (const json &row : places(object, "lines")) {
      const auto [line, counts] = fromRow(row);
      executions.lines.push_back({std::max(line, 1u) - 1, counts});
    }
  return executions;
}

} // namespace tilescope::profiler
