// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/TraceJson.h"

#include "profiler/data/JsonFields.h"

#include <array>
#include <bit>
#include <stdexcept>

namespace tilescope::profiler {

using nlohmann::json;

// More than any trace has: scopes have 16 bits, and a program 32 warps in each of 16 blocks.
static constexpr size_t kMostScopes = 65535, kMostPrograms = 4096, kMostWarps = 512;
static constexpr int32_t kMostRecords = 1 << 20;
static constexpr size_t kMostSpans = size_t(1) << 21;
/// Of the whole scratch, in bytes.
static constexpr int64_t kMostScratch = int64_t(1) << 32;

static const json &bounded(const json &list, size_t most, const char *what) {
  if (!list.is_array() || list.size() > most)
    throw std::out_of_range(std::string(what) + " is no list of at most " + std::to_string(most) +
                            " entries");
  return list;
}

template <typename Way, typename Scope> static void scopeFields(Way way, Scope &scope) {
  way.field("id", scope.id);
  way.field("operation", scope.operation);
  way.field("file", scope.file);
  way.field("queue", scope.queue);
  way.field("starts", scope.starts);
  way.field("leaves", scope.leaves);
}

static json scopeToJson(const TraceScope &scope) {
  json object = {{"kind", traceKindName(scope.kind)}};
  scopeFields(JsonFieldWriter{object}, scope);
  if (scope.line)
    object["line"] = *scope.line + 1;
  if (scope.column)
    object["column"] = *scope.column + 1;
  return object;
}

static std::optional<uint32_t> countedFromOne(const json &object, const char *key) {
  if (!object.contains(key))
    return std::nullopt;
  const auto number = jsonAs<uint32_t>(object.at(key));
  if (number == 0)
    throw std::out_of_range(std::string("`") + key + "` is 0, and counts from 1");
  return number - 1;
}

static TraceScope scopeFromJson(const json &object) {
  TraceScope scope;
  scopeFields(JsonFieldReader{object}, scope);
  const auto kind = traceKindNamed(jsonAs<std::string>(object.at("kind")));
  if (!kind || scope.id == 0 || scope.id > kMostScopes)
    throw std::out_of_range("a scope has no such kind or number");
  scope.kind = *kind;
  scope.line = countedFromOne(object, "line");
  scope.column = countedFromOne(object, "column");
  return scope;
}

json traceTableToJson(const TraceTable &table) {
  json object = {{"version", kTraceVersion},
                 {"scopes", json::array()},
                 {"programs", table.programs},
                 {"warps", table.warps},
                 {"records", table.records}};
  for (const TraceScope &scope : table.scopes)
    object["scopes"].push_back(scopeToJson(scope));
  return object;
}

static void checkTable(const TraceTable &table) {
  for (const int64_t program : table.programs)
    if (program < 0)
      throw std::out_of_range("a program's number is negative");
  for (const int32_t warp : table.warps)
    if (warp < 0 || static_cast<size_t>(warp) >= kMostWarps)
      throw std::out_of_range("there is no such warp");
  if (table.records <= 0 || table.records > kMostRecords ||
      !std::has_single_bit(static_cast<uint32_t>(table.records)))
    throw std::out_of_range("`records` is no power of two up to " + std::to_string(kMostRecords));
  if (table.scratchBytes() > kMostScratch)
    throw std::out_of_range("the trace needs too much memory");
}

TraceTable traceTableFromJson(const json &object) {
  if (const int version = jsonAs<int>(object.at("version")); version < 1 || version > kTraceVersion)
    throw std::out_of_range("the trace has version " + std::to_string(version) +
                            ", and this program reads " + std::to_string(kTraceVersion));
  TraceTable table;
  for (const json &scope : bounded(object.at("scopes"), kMostScopes, "`scopes`"))
    table.scopes.push_back(scopeFromJson(scope));
  table.programs =
      jsonAs<std::vector<int64_t>>(bounded(object.at("programs"), kMostPrograms, "`programs`"));
  table.warps = jsonAs<std::vector<int32_t>>(bounded(object.at("warps"), kMostWarps, "`warps`"));
  table.records = jsonAs<int32_t>(object.at("records"));
  checkTable(table);
  return table;
}

template <typename Way, typename Warp> static void warpFields(Way way, Warp &warp) {
  way.field("program", warp.program);
  way.field("warp", warp.warp);
  way.field("multiprocessor", warp.multiprocessor);
  way.field("start", warp.start);
  way.field("cycles", warp.cycles);
  way.field("records", warp.records);
  way.field("lost", warp.lost);
}

template <typename Way, typename Trace> static void traceFields(Way way, Trace &trace) {
  way.field("plain_us", trace.plainUs);
  way.field("traced_us", trace.tracedUs);
  way.field("slowdown", trace.slowdown);
  way.field("outputs_equal", trace.outputsEqual);
  way.field("clock_mhz", trace.clockMhz);
  way.field("cold_l2", trace.coldL2);
}

static json spansToJson(const std::vector<TraceSpan> &spans) {
  json rows = json::array();
  for (const TraceSpan &span : spans)
    rows.push_back({span.scope, span.begin, span.end});
  return rows;
}

static std::vector<TraceSpan> spansFromJson(const json &rows, const TraceTable &table) {
  std::vector<TraceSpan> spans;
  for (const json &row : bounded(rows, kMostSpans, "spans")) {
    const auto numbers = jsonAs<std::array<uint64_t, 3>>(row);
    if (numbers[0] > kMostScopes || !table.scope(static_cast<uint32_t>(numbers[0])) ||
        numbers[2] < numbers[1])
      throw std::out_of_range("a span has no such scope, or ends before it begins");
    spans.push_back({static_cast<uint32_t>(numbers[0]), numbers[1], numbers[2]});
  }
  return spans;
}

json traceDataToJson(const TraceData &trace) {
  json object = traceTableToJson(trace.table);
  traceFields(JsonFieldWriter{object}, trace);
  object["traced"] = json::array();
  for (const TraceWarp &warp : trace.warps) {
    json row = json::object();
    warpFields(JsonFieldWriter{row}, warp);
    row["spans"] = spansToJson(warp.spans);
    row["under_way"] = spansToJson(warp.underWay);
    object["traced"].push_back(std::move(row));
  }
  return object;
}

TraceData traceDataFromJson(const json &object) {
  TraceData trace;
  trace.table = traceTableFromJson(object);
  traceFields(JsonFieldReader{object}, trace);
  for (const json &row : bounded(object.at("traced"), kMostPrograms * kMostWarps, "`traced`")) {
    TraceWarp warp;
    warpFields(JsonFieldReader{row}, warp);
    warp.spans = spansFromJson(row.at("spans"), trace.table);
    warp.underWay = spansFromJson(row.at("under_way"), trace.table);
    trace.warps.push_back(std::move(warp));
  }
  return trace;
}

} // namespace tilescope::profiler
