// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operations whose results do not hold what they are given: an integer of 32 bits that wraps around, a number that
// becomes infinite in fp16, a value for which a histogram has no bin. All are as they should be on a GPU, and may be
// meant; who looks for why a result differs wants to know where.
#pragma once

#include "compiler/artifacts/Interpretation.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace tilescope::compiler::interpreter {

struct Program;

/// By location of the program. All threads of a run share it.
class LostNumbers {
public:
  /// Nothing was executed yet.
  void begin(size_t numLocations) {
    m_lost = std::make_unique<std::atomic<NumberLoss>[]>(numLocations);
    m_size = numLocations;
  }
  size_t size() const { return m_size; }
  void note(uint32_t location, NumberLoss loss) const {
    m_lost[location].store(loss, std::memory_order_relaxed);
  }
  NumberLoss at(uint32_t location) const {
    return m_lost[location].load(std::memory_order_relaxed);
  }
  bool has(uint32_t location) const { return at(location) != NumberLoss::None; }

private:
  std::unique_ptr<std::atomic<NumberLoss>[]> m_lost;
  size_t m_size = 0;
};

/// Lets the program's sums, differences and products of 32 bits, what is rounded to fp16, and histograms note what they
/// lose in `Execution::lostNumbers`.
void watchLostNumbers(Program &program);

} // namespace tilescope::compiler::interpreter
