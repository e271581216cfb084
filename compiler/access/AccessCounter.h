// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/access/AccessPlan.h"

#include <map>
#include <optional>
#include <span>

namespace tilescope::compiler::access {

/// Addresses as a sum over the block's dimensions: `base` + sum of `step[d]` * index[d].
struct AffineAddresses {
  int64_t base = 0;
  /// Per dimension, outermost first; fewer than the block has: 0.
  std::span<const int64_t> step;
};

/// What one access to global memory costs, execution by execution.
class AccessCounter {
public:
  explicit AccessCounter(const AccessPlan &plan) : m_plan(plan), m_instructions(plan) {}

  /// One execution: the address of every element of the block, and which elements are on (null:
  /// all).
  void add(std::span<const int64_t> addresses, const uint8_t *mask);
  /// One execution without a mask. The distance of all addresses from a line is what counts: the
  /// answer for it is kept.
  void addAffine(const AffineAddresses &addresses);

  const AccessPlan &plan() const { return m_plan; }
  const AccessCounts &counts() const { return m_counts; }
  uint64_t executions() const { return m_executions; }

private:
  AccessPlan m_plan;
  WarpInstructions m_instructions;
  AccessCounts m_counts;
  uint64_t m_executions = 0;
  /// By the base within a line, and the steps.
  std::map<std::vector<int64_t>, AccessCounts> m_known;
};

} // namespace tilescope::compiler::access
