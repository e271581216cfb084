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
    m_filled = std::make_unique<std::atomic<uint32_t>[]>(numLocations);
    m_size = numLocations;
  }
  size_t size() const { return m_size; }

  /// `axes`: bit `d` is set where the mask takes some elements of a line along axis `d`, and leaves others out.
  void note(uint32_t location, uint32_t axes) const {
    const uint32_t bits = axes << 1 | 1;
    if ((m_filled[location].load(std::memory_order_relaxed) & bits) != bits)
      m_filled[location].fetch_or(bits, std::memory_order_relaxed);
  }
  bool isFilled(uint32_t location) const { return m_filled[location] != 0; }
  /// In any of the programs.
  uint32_t axes(uint32_t location) const { return m_filled[location] >> 1; }

private:
  std::unique_ptr<std::atomic<uint32_t>[]> m_filled;
  size_t m_size = 0;
};

} // namespace tilescope::compiler::interpreter
