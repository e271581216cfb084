// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Keeps which elements programs touch: what can be said with a few numbers is, and only addresses
// without any order are listed.
#pragma once

#include "compiler/artifacts/TouchTrace.h"
#include "compiler/interpreter/AccessTrace.h"

#include <atomic>
#include <memory>

namespace tilescope::compiler {

/// What is known of the traced operations before the run, and what all threads share.
struct TouchPlan {
  std::array<int32_t, 3> grid{1, 1, 1};
  /// By operation: extents of its block, outermost first, none for a scalar; and of an element.
  std::vector<std::vector<int64_t>> shapes;
  std::vector<int32_t> elementBytes;
  /// By operation: its innermost loop; -1: none.
  std::vector<int> loops;
  /// For loops a and b: one of them is inside the other, or they are the same.
  std::vector<std::vector<bool>> nested;
  /// Room for all runs.
  size_t mostBytes = 0;
  mutable std::atomic<size_t> bytes = 0;
};

/// Elements at a base address and in up to a few directions.
struct Lattice {
  int64_t address = 0;
  std::vector<TouchDim> dims;
  bool operator==(const Lattice &) const = default;
};

/// The elements at these addresses, in any order and possibly twice, as few lattices: pieces
/// without gaps, and equal pieces at equal distances together.
std::vector<Lattice> latticesOf(std::vector<int64_t> addresses, int64_t elementBytes);

/// Observes one thread.
class TouchRecorder : public AccessObserver {
public:
  explicit TouchRecorder(const TouchPlan &plan);

  void note(const TracedAccess &access) override;

  /// By program, then by step.
  const std::vector<TouchRun> &runs() const { return m_runs.runs; }
  /// `TouchTrace::blocks`, in the same order.
  const std::vector<TouchRun> &blocks() const { return m_blocks.runs; }
  /// There was no room for some.
  bool isCut() const { return m_isCut; }

private:
  struct Runs {
    std::vector<TouchRun> runs;
    /// By operation: its last run in this program; -1: none.
    std::vector<int64_t> last;
  };
  void advance(const TracedAccess &access);
  void add(Runs &to, uint32_t access, Lattice lattice, bool mayContinue);

  const TouchPlan &m_plan;
  Runs m_runs, m_blocks;
  /// By operation: whether the present step has it.
  std::vector<bool> m_isInStep;
  int64_t m_program = -1;
  uint32_t m_step = 0;
  /// One that the step is in; -1: none.
  int m_loop = -1;
  bool m_isCut = false;
};

} // namespace tilescope::compiler
