// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/MemoryPlan.h"

#include "compiler/interpreter/Operations.h"

#include <algorithm>
#include <map>

namespace tilescope::compiler::interpreter {
namespace {

/// The instructions during which a value is needed, both ends included.
struct Interval {
  uint32_t first = UINT32_MAX;
  uint32_t last = 0;
  bool isPinned = false;

  bool isUsed() const { return first <= last; }
};

void touch(Interval &interval, uint32_t at) {
  interval.first = std::min(interval.first, at);
  interval.last = std::max(interval.last, at);
}

std::vector<Interval> findIntervals(const Program &program) {
  std::vector<Interval> intervals(program.values.size());
  auto end = static_cast<uint32_t>(program.code.size());
  for (uint32_t at = 0; at < end; ++at) {
    const Instruction &op = program.code[at];
    bool exchanges = op.run == runMove;
    for (uint32_t id : op.in) {
      if (id == kNoValue)
        continue;
      // Read before it is written in this order: keep it from the beginning.
      intervals[id].isPinned |= !intervals[id].isUsed() || exchanges;
      touch(intervals[id], at);
    }
    for (uint32_t id = op.out; id < op.out + op.numOut; ++id) {
      intervals[id].isPinned |= exchanges;
      touch(intervals[id], at);
    }
  }
  return intervals;
}

/// Extends what is needed when a loop begins to the loop's end, until nothing changes: loops nest.
void extendOverLoops(const Program &program, std::vector<Interval> &intervals) {
  std::vector<std::pair<uint32_t, uint32_t>> loops;
  for (uint32_t at = 0; at < program.code.size(); ++at) {
    const Instruction &op = program.code[at];
    bool jumps = op.run == runJump || op.run == runJumpUnless || op.run == runLoopTest;
    if (jumps && op.target <= at)
      loops.emplace_back(op.target, at);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [begin, end] : loops)
      for (Interval &interval : intervals)
        if (interval.isUsed() && interval.first < begin && interval.last >= begin &&
            interval.last < end) {
          interval.last = end;
          changed = true;
        }
  }
}

/// Free ranges of memory: start to end.
class FreeList {
public:
  size_t take(size_t size) {
    auto best = m_ranges.end();
    for (auto range = m_ranges.begin(); range != m_ranges.end(); ++range)
      if (range->second - range->first >= size &&
          (best == m_ranges.end() || range->second - range->first < best->second - best->first))
        best = range;
    if (best == m_ranges.end()) {
      size_t start = m_end;
      m_end += size;
      return start;
    }
    auto [start, end] = *best;
    m_ranges.erase(best);
    if (start + size < end)
      m_ranges.emplace(start + size, end);
    return start;
  }

  void giveBack(size_t start, size_t size) {
    size_t end = start + size;
    auto next = m_ranges.lower_bound(start);
    if (next != m_ranges.end() && next->first == end) {
      end = next->second;
      next = m_ranges.erase(next);
    }
    if (next != m_ranges.begin() && std::prev(next)->second == start)
      std::prev(next)->second = end;
    else
      m_ranges.emplace(start, end);
  }

  size_t end() const { return m_end; }

private:
  std::map<size_t, size_t> m_ranges;
  size_t m_end = 0;
};

size_t sizeOf(const ValueInfo &info) {
  constexpr size_t kAlignment = 64;
  size_t size = static_cast<size_t>(info.shape.count) * storageSize(info.element);
  return std::max<size_t>((size + kAlignment - 1) / kAlignment, 1) * kAlignment;
}

} // namespace

void planMemory(Program &program) { planMemory(program, program); }

void planMemory(Program &program, const Program &lifetimes) {
  std::vector<Interval> intervals = findIntervals(lifetimes);
  extendOverLoops(lifetimes, intervals);
  FreeList memory;
  std::vector<uint32_t> order;
  for (uint32_t id = 0; id < intervals.size(); ++id) {
    if (intervals[id].isPinned || !intervals[id].isUsed() || lifetimes.keepsValues)
      program.values[id].offset = memory.take(sizeOf(program.values[id]));
    else
      order.push_back(id);
  }
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return std::pair(intervals[a].first, a) < std::pair(intervals[b].first, b);
  });
  // Values that are needed now, by their last instruction.
  std::multimap<uint32_t, uint32_t> live;
  for (uint32_t id : order) {
    while (!live.empty() && live.begin()->first < intervals[id].first) {
      const ValueInfo &done = program.values[live.begin()->second];
      memory.giveBack(done.offset, sizeOf(done));
      live.erase(live.begin());
    }
    program.values[id].offset = memory.take(sizeOf(program.values[id]));
    live.emplace(intervals[id].last, id);
  }
  program.memorySize = memory.end();
}

} // namespace tilescope::compiler::interpreter
