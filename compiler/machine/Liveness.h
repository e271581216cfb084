// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which values are alive at each step of a program: written before, and read later on some path.
//
//   0: a = …          alive after: a
//   1: b = f(a)                    a b
//   2: c = g(a, b)                 c            a and b are read for the last time
//   3: store c
//
// While a step is executed, what it reads and what it writes both need a place, so step 2 needs
// three: `during` is what is alive before it, after it, or written by it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace tilescope::compiler::machine {

using ValueIndex = uint32_t;

/// A step writes and reads values and goes on to other steps.
struct LivenessStep {
  std::vector<ValueIndex> writes, reads;
  std::vector<uint32_t> next;
  /// What it writes may also stay as it was, so it is needed before.
  bool isGuarded = false;
};

/// For each step a set of values.
class LiveSets {
public:
  LiveSets(size_t numSteps, size_t numValues)
      : m_words((numValues + 63) / 64), m_bits(numSteps * m_words) {}

  bool contains(size_t step, ValueIndex value) const {
    return row(step)[value / 64] >> (value % 64) & 1;
  }
  void insert(size_t step, ValueIndex value) {
    row(step)[value / 64] |= uint64_t{1} << (value % 64);
  }
  size_t numWords() const { return m_words; }
  uint64_t *row(size_t step) { return m_bits.data() + step * m_words; }
  const uint64_t *row(size_t step) const { return m_bits.data() + step * m_words; }
  std::vector<ValueIndex> valuesOf(size_t step) const;
  /// Of the values from `begin` to `end`.
  int count(size_t step, ValueIndex begin, ValueIndex end) const;

private:
  size_t m_words;
  std::vector<uint64_t> m_bits;
};

/// What is alive during each step. What is read and never written needs no place before: a product
/// that does not add to its sum still names it.
LiveSets aliveDuring(const std::vector<LivenessStep> &steps, size_t numValues);

/// For each step those that it may come from.
std::vector<std::vector<uint32_t>> predecessorsOf(const std::vector<LivenessStep> &steps);

/// What a walk does at a step: whether it is one of those that are looked for, and whether the walk
/// goes on behind it.
struct WalkVisit {
  bool isFound = false;
  bool goesOn = true;
};

/// Where the walk may go from a step.
using StepEdges = std::function<const std::vector<uint32_t> &(uint32_t step)>;

/// Walks from `start` along `edges`, comes to each of `numSteps` steps at most once, and returns those
/// that are found, in order. `start` itself counts only if a way leads back.
std::vector<uint32_t> findAlong(size_t numSteps, const StepEdges &edges, uint32_t start,
                                const std::function<WalkVisit(uint32_t step)> &visit);

/// The steps whose write of `value` reaches `step` from before, in order; empty: it comes from
/// outside of the program.
std::vector<uint32_t> writersOf(const std::vector<LivenessStep> &steps,
                                const std::vector<std::vector<uint32_t>> &predecessors,
                                uint32_t step, ValueIndex value);

} // namespace tilescope::compiler::machine
