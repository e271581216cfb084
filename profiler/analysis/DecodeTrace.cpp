// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/DecodeTrace.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <string>

namespace tilescope::profiler {

namespace {
struct Header {
  uint32_t magic = 0, multiprocessor = 0;
  uint64_t startNs = 0, startClock = 0, endNs = 0, endClock = 0;
  uint32_t records = 0;
};

struct Record {
  /// Cycles from the warp's start.
  uint64_t cycle = 0;
  uint32_t ended = 0, begun = 0;
};

/// A warp with what is needed to place it beside others.
struct PlacedWarp {
  TraceWarp warp;
  Header header;
};
} // namespace

template <typename Number> static Number numberAt(std::span<const uint8_t> bytes, size_t offset) {
  Number number = 0;
  for (size_t i = sizeof(Number); i-- > 0;)
    number = static_cast<Number>(number << 8) | bytes[offset + i];
  return number;
}

static Header headerAt(std::span<const uint8_t> part) {
  return {numberAt<uint32_t>(part, 0),  numberAt<uint32_t>(part, 4),  numberAt<uint64_t>(part, 8),
          numberAt<uint64_t>(part, 16), numberAt<uint64_t>(part, 24), numberAt<uint64_t>(part, 32),
          numberAt<uint32_t>(part, 40)};
}

static Error broken(const TraceWarp &warp, const std::string &what) {
  return {ErrorCode::InvalidInput,
          "the trace of program " + std::to_string(warp.program) + ", warp " +
              std::to_string(warp.warp) + " is broken: " + what,
          ""};
}

/// The records that are still there, the oldest first. Their clock has 32 bits: it is taken to go
/// on from record to record by less than it holds, which is more than a second.
static Result<std::vector<Record>> recordsOf(const TraceWarp &warp, const Header &header,
                                             std::span<const uint8_t> ring) {
  std::vector<Record> records;
  const uint64_t capacity = ring.size() / kTraceRecordBytes;
  // Of a ring that was overwritten, the time before the first record that is left is not known to
  // wrap; kernels that run for so long are not what rings are for.
  auto last = static_cast<uint32_t>(header.startClock);
  uint64_t cycle = 0;
  for (uint64_t i = warp.lost; i < warp.records; ++i) {
    const size_t at = i % capacity * kTraceRecordBytes;
    const auto clock = numberAt<uint32_t>(ring, at), scopes = numberAt<uint32_t>(ring, at + 4);
    const uint32_t step = clock - last;
    if (step >= UINT32_MAX / 2 + 1)
      return broken(warp, "its clock runs back");
    cycle += step;
    last = clock;
    records.push_back({cycle, scopes >> 16, scopes & 0xffff});
  }
  return records;
}

namespace {
/// Pairs beginnings with ends, and starts of asynchronous work with what waits for it.
class SpanBuilder {
public:
  SpanBuilder(const TraceTable &table, TraceWarp &warp) : m_warp(warp) {
    for (const TraceScope &scope : table.scopes)
      m_scopes[scope.id] = &scope;
  }

  Status add(const Record &record);
  void finish();

private:
  void end(const TraceScope &scope, uint64_t begin, uint64_t cycle);

  TraceWarp &m_warp;
  std::map<uint32_t, const TraceScope *> m_scopes;
  /// Where scopes began that have not ended.
  std::map<uint32_t, uint64_t> m_open;
  /// By queue: the scopes whose work is under way, and since when.
  std::map<uint32_t, std::deque<TraceSpan>> m_queues;
};
} // namespace

void SpanBuilder::end(const TraceScope &scope, uint64_t begin, uint64_t cycle) {
  m_warp.spans.push_back({scope.id, begin, cycle});
  if (scope.queue == 0)
    return;
  std::deque<TraceSpan> &queue = m_queues[scope.queue];
  const auto takeOldest = [&] {
    m_warp.underWay.push_back({queue.front().scope, queue.front().begin, cycle});
    queue.pop_front();
  };
  if (scope.starts > 0)
    queue.insert(queue.end(), scope.starts, {scope.id, cycle, cycle});
  else if (!scope.leaves && !queue.empty())
    takeOldest();
  else if (scope.leaves)
    while (queue.size() > *scope.leaves)
      takeOldest();
}

Status SpanBuilder::add(const Record &record) {
  for (const uint32_t id : {record.ended, record.begun})
    if (id != 0 && !m_scopes.contains(id))
      return broken(m_warp, "it has no scope " + std::to_string(id));
  if (record.ended != 0)
    // The beginning may be among what newer records have replaced.
    if (const auto begun = m_open.extract(record.ended))
      end(*m_scopes[record.ended], begun.mapped(), record.cycle);
  if (record.begun != 0)
    m_open[record.begun] = record.cycle;
  return {};
}

void SpanBuilder::finish() {
  const auto byBegin = [](const TraceSpan &a, const TraceSpan &b) { return a.begin < b.begin; };
  std::ranges::stable_sort(m_warp.spans, byBegin);
  std::ranges::stable_sort(m_warp.underWay, byBegin);
}

static Result<PlacedWarp> decodeWarp(const TraceTable &table, TraceWarp warp,
                                     std::span<const uint8_t> part) {
  const Header header = headerAt(part);
  warp.multiprocessor = static_cast<int32_t>(header.multiprocessor);
  warp.records = header.records;
  warp.lost = warp.records - std::min<uint64_t>(warp.records, uint64_t(table.records));
  if (header.endClock >= header.startClock && header.endClock != 0)
    warp.cycles = header.endClock - header.startClock;
  const auto records = recordsOf(warp, header, part.subspan(kTraceHeaderBytes));
  if (!records)
    return records.error();
  SpanBuilder builder(table, warp);
  for (const Record &record : *records)
    if (Status status = builder.add(record); !status)
      return status.error();
  builder.finish();
  return PlacedWarp{std::move(warp), header};
}

static std::optional<double> clockOf(const std::vector<PlacedWarp> &placed) {
  // The timer may advance in steps of a microsecond.
  constexpr uint64_t kShortestNs = 4000;
  uint64_t longest = 0;
  std::optional<double> clock;
  for (const auto &[warp, header] : placed) {
    const uint64_t duration = header.endNs > header.startNs ? header.endNs - header.startNs : 0;
    if (warp.cycles == 0 || duration < kShortestNs || duration <= longest)
      continue;
    longest = duration;
    clock = static_cast<double>(warp.cycles) / static_cast<double>(duration) * 1000;
  }
  return clock;
}

/// Warps of one multiprocessor are placed by its clock, which is finer than the timer; the first of
/// them by the timer.
static void placeWarps(std::vector<PlacedWarp> &placed, std::optional<double> clockMhz) {
  constexpr double kAssumedMhz = 1500;
  const double cyclesPerNs = clockMhz.value_or(kAssumedMhz) / 1000;
  std::map<uint32_t, const Header *> first;
  uint64_t earliest = UINT64_MAX;
  for (const auto &[warp, header] : placed) {
    const Header *&known = first[header.multiprocessor];
    if (known == nullptr || header.startClock < known->startClock)
      known = &header;
    earliest = std::min(earliest, header.startNs);
  }
  for (auto &[warp, header] : placed) {
    const Header &reference = *first[header.multiprocessor];
    warp.start =
        static_cast<uint64_t>(static_cast<double>(reference.startNs - earliest) * cyclesPerNs) +
        (header.startClock - reference.startClock);
  }
}

Result<DecodedTrace> decodeTrace(const TraceTable &table, std::span<const uint8_t> scratch) {
  if (static_cast<int64_t>(scratch.size()) < table.scratchBytes())
    return Error{ErrorCode::InvalidInput, "the trace is cut off", ""};
  const size_t stride = static_cast<size_t>(kTraceHeaderBytes + table.records * kTraceRecordBytes);
  std::vector<PlacedWarp> placed;
  size_t offset = 0;
  for (const int64_t program : table.programs)
    for (const int32_t warp : table.warps) {
      const std::span<const uint8_t> part = scratch.subspan(offset, stride);
      offset += stride;
      // A program that the grid does not have, or a warp that never got work.
      if (numberAt<uint32_t>(part, 0) != kTraceMagic)
        continue;
      TraceWarp traced;
      traced.program = program;
      traced.warp = warp;
      auto decoded = decodeWarp(table, std::move(traced), part);
      if (!decoded)
        return decoded.error();
      placed.push_back(std::move(*decoded));
    }
  DecodedTrace trace;
  trace.clockMhz = clockOf(placed);
  placeWarps(placed, trace.clockMhz);
  for (PlacedWarp &each : placed)
    trace.warps.push_back(std::move(each.warp));
  return trace;
}

} // namespace tilescope::profiler
