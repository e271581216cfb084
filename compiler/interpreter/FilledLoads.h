// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which loads put their `other` in the place of elements that their mask leaves out, in a run.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace tilescope::compiler::interpreter {

/// By location of the program. All threads of a run share it.
class FilledLoads {
public:
  /// Nothing was executed yet.
  void begin(size_t numLocations) {
    m_filled = std::make_unique<std::atomic<bool>[]>(numLocations);
    m_size = numLocations;
  }
  size_t size() const { return m_size; }

  void note(uint32_t location) const {
    if (!m_filled[location].load(std::memory_order_relaxed))
      m_filled[location].store(true, std::memory_order_relaxed);
  }
  bool isFilled(uint32_t location) const { return m_filled[location]; }

private:
  std::unique_ptr<std::atomic<bool>[]> m_filled;
  size_t m_size = 0;
};

} // namespace tilescope::compiler::interpreter
