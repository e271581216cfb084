// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Whether accesses reached any element at all in a run: a mask that is false everywhere leaves no other trace.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace tilescope::compiler::interpreter {

/// By location of the program. All threads of a run share it.
class AccessOutcomes {
public:
  /// Nothing was executed yet.
  void begin(size_t numLocations) {
    m_outcomes = std::make_unique<std::atomic<uint32_t>[]>(numLocations);
    m_size = numLocations;
  }
  size_t size() const { return m_size; }

  void noteReached(uint32_t location) const {
    std::atomic<uint32_t> &outcome = m_outcomes[location];
    if (outcome.load(std::memory_order_relaxed) != kReached)
      outcome.store(kReached, std::memory_order_relaxed);
  }
  bool isNew(uint32_t location) const {
    return m_outcomes[location].load(std::memory_order_relaxed) == kNothing;
  }
  /// All elements were masked off; `area`: the index of the one that the first of them belongs to.
  void noteMaskedOff(uint32_t location, uint32_t area) const {
    uint32_t nothing = kNothing;
    m_outcomes[location].compare_exchange_strong(nothing, area + 1, std::memory_order_relaxed);
  }

  bool isReached(uint32_t location) const { return m_outcomes[location] == kReached; }
  /// Whether it was executed, and never reached anything.
  bool isMaskedOff(uint32_t location) const { return !isNew(location) && !isReached(location); }
  uint32_t areaOf(uint32_t location) const { return m_outcomes[location] - 1; }

private:
  static constexpr uint32_t kNothing = 0, kReached = UINT32_MAX;
  std::unique_ptr<std::atomic<uint32_t>[]> m_outcomes;
  size_t m_size = 0;
};

} // namespace tilescope::compiler::interpreter
