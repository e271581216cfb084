// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Operations whose results their types do not hold: an integer of 32 bits that wraps around, a number that becomes
// infinite in fp16. Both are as they should be on a GPU, and may be meant; who looks for why a result differs wants to
// know where.
#pragma once

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
    m_lost = std::make_unique<std::atomic<Loss>[]>(numLocations);
    m_size = numLocations;
  }
  size_t size() const { return m_size; }
  void noteWrapped(uint32_t location) const { note(location, Loss::Wrapped); }
  void noteInfinite(uint32_t location) const { note(location, Loss::Infinite); }
  bool has(uint32_t location) const { return at(location) != Loss::None; }
  bool isInfinite(uint32_t location) const { return at(location) == Loss::Infinite; }

private:
  enum class Loss : uint8_t { None, Wrapped, Infinite };
  void note(uint32_t location, Loss loss) const {
    m_lost[location].store(loss, std::memory_order_relaxed);
  }
  Loss at(uint32_t location) const { return m_lost[location].load(std::memory_order_relaxed); }

  std::unique_ptr<std::atomic<Loss>[]> m_lost;
  size_t m_size = 0;
};

/// Lets the program's sums, differences and products of 32 bits, and what is rounded to fp16, note what they lose in
/// `Execution::lostNumbers`.
void watchLostNumbers(Program &program);

} // namespace tilescope::compiler::interpreter
