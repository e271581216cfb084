// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/machine/Liveness.h"

#include <algorithm>
#include <bit>

namespace tilescope::compiler::machine {

std::vector<ValueIndex> LiveSets::valuesOf(size_t step) const {
  std::vector<ValueIndex> values;
  for (size_t word = 0; word < m_words; ++word)
    for (uint64_t bits = row(step)[word]; bits != 0; bits &= bits - 1)
      values.push_back(static_cast<ValueIndex>(word * 64) +
                       static_cast<ValueIndex>(std::countr_zero(bits)));
  return values;
}

int LiveSets::count(size_t step, ValueIndex begin, ValueIndex end) const {
  int sum = 0;
  for (size_t word = begin / 64; word * 64 < end; ++word) {
    uint64_t bits = row(step)[word];
    if (word * 64 < begin)
      bits &= ~uint64_t{0} << (begin - word * 64);
    if (word * 64 + 64 > end)
      bits &= ~uint64_t{0} >> (word * 64 + 64 - end);
    sum += std::popcount(bits);
  }
  return sum;
}

namespace {
/// Solves backwards; rows are what is alive before a step.
class Solver {
public:
  Solver(const std::vector<LivenessStep> &steps, size_t numValues)
      : m_steps(steps), m_before(steps.size(), numValues), m_after(m_before.numWords()) {}

  /// In rounds from the end to the start: code is mostly straight, so few are needed.
  void solve() {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = m_steps.size(); i-- > 0;)
        changed = update(i) || changed;
    }
  }

  LiveSets during() {
    LiveSets sets = m_before;
    for (size_t i = 0; i < m_steps.size(); ++i) {
      gatherAfter(i);
      uint64_t *row = sets.row(i);
      for (size_t word = 0; word < m_after.size(); ++word)
        row[word] |= m_after[word];
      for (const ValueIndex value : m_steps[i].writes)
        sets.insert(i, value);
    }
    return sets;
  }

private:
  void gatherAfter(size_t step) {
    std::ranges::fill(m_after, 0);
    for (const uint32_t next : m_steps[step].next)
      for (size_t word = 0; word < m_after.size(); ++word)
        m_after[word] |= m_before.row(next)[word];
  }

  bool update(size_t step) {
    gatherAfter(step);
    const LivenessStep &each = m_steps[step];
    if (!each.isGuarded)
      for (const ValueIndex value : each.writes)
        m_after[value / 64] &= ~(uint64_t{1} << (value % 64));
    for (const ValueIndex value : each.reads)
      m_after[value / 64] |= uint64_t{1} << (value % 64);
    if (std::equal(m_after.begin(), m_after.end(), m_before.row(step)))
      return false;
    std::ranges::copy(m_after, m_before.row(step));
    return true;
  }

  const std::vector<LivenessStep> &m_steps;
  LiveSets m_before;
  std::vector<uint64_t> m_after;
};
} // namespace

/// What may have been written before a step or is written by it.
static LiveSets writtenUpTo(const std::vector<LivenessStep> &steps, size_t numValues) {
  LiveSets sets(steps.size(), numValues);
  for (size_t i = 0; i < steps.size(); ++i)
    for (const ValueIndex value : steps[i].writes)
      sets.insert(i, value);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < steps.size(); ++i)
      for (const uint32_t next : steps[i].next)
        for (size_t word = 0; word < sets.numWords(); ++word) {
          uint64_t &bits = sets.row(next)[word];
          changed = changed || (sets.row(i)[word] & ~bits) != 0;
          bits |= sets.row(i)[word];
        }
  }
  return sets;
}

LiveSets aliveDuring(const std::vector<LivenessStep> &steps, size_t numValues) {
  Solver solver(steps, numValues);
  solver.solve();
  LiveSets sets = solver.during();
  const LiveSets written = writtenUpTo(steps, numValues);
  for (size_t i = 0; i < steps.size(); ++i)
    for (size_t word = 0; word < sets.numWords(); ++word)
      sets.row(i)[word] &= written.row(i)[word];
  return sets;
}

std::vector<std::vector<uint32_t>> predecessorsOf(const std::vector<LivenessStep> &steps) {
  std::vector<std::vector<uint32_t>> before(steps.size());
  for (uint32_t i = 0; i < steps.size(); ++i)
    for (const uint32_t next : steps[i].next)
      before[next].push_back(i);
  return before;
}

std::vector<uint32_t> findAlong(size_t numSteps, const StepEdges &edges, uint32_t start,
                                const std::function<WalkVisit(uint32_t step)> &visit) {
  std::vector<bool> seen(numSteps);
  std::vector<uint32_t> open = edges(start), found;
  while (!open.empty()) {
    const uint32_t at = open.back();
    open.pop_back();
    if (seen[at])
      continue;
    seen[at] = true;
    const WalkVisit visited = visit(at);
    if (visited.isFound)
      found.push_back(at);
    if (visited.goesOn)
      open.insert(open.end(), edges(at).begin(), edges(at).end());
  }
  std::ranges::sort(found);
  return found;
}

std::vector<uint32_t> writersOf(const std::vector<LivenessStep> &steps,
                                const std::vector<std::vector<uint32_t>> &predecessors,
                                uint32_t step, ValueIndex value) {
  const auto edges = [&](uint32_t at) -> const std::vector<uint32_t> & { return predecessors[at]; };
  return findAlong(steps.size(), edges, step, [&](uint32_t at) -> WalkVisit {
    const bool writes = std::ranges::find(steps[at].writes, value) != steps[at].writes.end();
    return {writes, !writes || steps[at].isGuarded};
  });
}

} // namespace tilescope::compiler::machine
