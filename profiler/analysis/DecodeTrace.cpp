// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/DecodeTrace.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <string>

namespace tilescope::profiler {

/// Of a word and three clocks.
static constexpr size_t kRecordBytes = 16;

namespace {
struct Header {
  uint32_t magic = 0, multiprocessor = 0;
  uint64_t startNs = 0, startClock = 0, endNs = 0, endClock = 0;
  uint32_t records = 0;
};

/// At a read of the clock.
struct Mark {
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

/// A word of a record: what ends and begins at each of its clocks.
static std::vector<Mark> marksOf(uint32_t word) {
  constexpr uint32_t kBits = 14, kScopes = (1u << kBits) - 1;
  const uint32_t numClocks = (word >> 30) + 1;
  std::vector<Mark> marks{{0, word & kScopes, word >> kBits & kScopes}};
  for (uint32_t i = 1; i < numClocks; ++i) {
    const Mark before = marks.back();
    const bool begins = (word >> (2 * kBits + i - 1) & 1) != 0;
    // A scope that is open ends, and the one that begins has the next number.
    const uint32_t last = before.begun ? before.begun : before.ended;
    marks.push_back({0, before.begun, begins ? last + 1 : 0});
  }
  return marks;
}

/// The marks of the records that are still there, the oldest first. Their clock has 32 bits: it is
/// taken to go on from mark to mark by less than half of what it holds, which is a second.
static Result<std::vector<Mark>> marksOf(const TraceWarp &warp, const Header &header,
                                         std::span<const uint8_t> ring) {
  std::vector<Mark> marks;
  const uint64_t capacity = ring.size() / kRecordBytes;
  auto last = static_cast<uint32_t>(header.startClock);
  uint64_t cycle = 0;
  for (uint64_t i = warp.lost; i < warp.records; ++i) {
    const std::span<const uint8_t> record = ring.subspan(i % capacity * kRecordBytes, kRecordBytes);
    size_t at = sizeof(uint32_t);
    for (Mark mark : marksOf(numberAt<uint32_t>(record, 0))) {
      if (at == kRecordBytes)
        return broken(warp, "a record has four clocks");
      const auto clock = numberAt<uint32_t>(record, at);
      const uint32_t step = clock - last;
      if (step > UINT32_MAX / 2)
        return broken(warp, "its clock runs back");
      cycle += step;
      last = clock;
      at += sizeof(uint32_t);
      mark.cycle = cycle;
      marks.push_back(mark);
    }
  }
  return marks;
}

namespace {
/// Pairs beginnings with ends, and starts of asynchronous work with what waits for it.
class SpanBuilder {
public:
  SpanBuilder(const TraceTable &table, TraceWarp &warp) : m_warp(warp) {
    for (const TraceScope &scope : table.scopes)
      m_scopes[scope.id] = &scope;
  }

  Status add(const Mark &mark);
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

Status SpanBuilder::add(const Mark &mark) {
  for (const uint32_t id : {mark.ended, mark.begun})
    if (id != 0 && !m_scopes.contains(id))
      return broken(m_warp, "it has no scope " + std::to_string(id));
  if (mark.ended != 0)
    // The beginning may be among what newer records have replaced.
    if (const auto begun = m_open.extract(mark.ended))
      end(*m_scopes[mark.ended], begun.mapped(), mark.cycle);
  if (mark.begun != 0)
    m_open[mark.begun] = mark.cycle;
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
  const auto capacity = static_cast<uint64_t>(table.records * kTraceRecordBytes) / kRecordBytes;
  warp.lost = warp.records - std::min(warp.records, capacity);
  if (header.endClock >= header.startClock && header.endClock != 0)
    warp.cycles = header.endClock - header.startClock;
  const auto marks = marksOf(warp, header, part.subspan(kTraceHeaderBytes));
  if (!marks)
    return marks.error();
  SpanBuilder builder(table, warp);
  for (const Mark &mark : *marks)
    if (Status status = builder.add(mark); !status)
      return status.error();
  builder.finish();
  return PlacedWarp{std::move(warp), header};
}

/// Of all warps together: the timer may advance in steps of a microsecond, which many warps average.
static std::optional<double> clockOf(const std::vector<PlacedWarp> &placed) {
  constexpr uint64_t kShortestNs = 16000;
  uint64_t cycles = 0, duration = 0;
  for (const auto &[warp, header] : placed) {
    if (warp.cycles == 0 || header.endNs < header.startNs)
      continue;
    cycles += warp.cycles;
    duration += header.endNs - header.startNs;
  }
  if (duration < kShortestNs)
    return std::nullopt;
  return static_cast<double>(cycles) / static_cast<double>(duration) * 1000;
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
