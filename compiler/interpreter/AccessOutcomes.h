// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Whether accesses reached any element at all in a run: a mask that is false everywhere leaves no other trace.
#pragma once

#include "compiler/interpreter/LocationNotes.h"

namespace tilescope::compiler::interpreter {

/// By location of the program. All threads of a run share it.
class AccessOutcomes : public LocationNotes<uint32_t> {
public:
  void noteReached(uint32_t location) const {
    std::atomic<uint32_t> &outcome = noteAt(location);
    if (outcome.load(std::memory_order_relaxed) != kReached)
      outcome.store(kReached, std::memory_order_relaxed);
  }
  bool isNew(uint32_t location) const {
    return noteAt(location).load(std::memory_order_relaxed) == kNothing;
  }
  /// All elements were masked off; `area`: the index of the one that the first of them belongs to.
  void noteMaskedOff(uint32_t location, uint32_t area) const {
    uint32_t nothing = kNothing;
    noteAt(location).compare_exchange_strong(nothing, area + 1, std::memory_order_relaxed);
  }

  bool isReached(uint32_t location) const { return noteAt(location) == kReached; }
  /// Whether it was executed, and never reached anything.
  bool isMaskedOff(uint32_t location) const { return !isNew(location) && !isReached(location); }
  uint32_t areaOf(uint32_t location) const { return noteAt(location) - 1; }

private:
  static constexpr uint32_t kNothing = 0, kReached = UINT32_MAX;
};

} // namespace tilescope::compiler::interpreter
