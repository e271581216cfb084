// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace tilescope::compiler::interpreter {

/// A note of a run for each location of its program, which all threads share; zero where nothing was executed yet.
template <typename Note> class LocationNotes {
public:
  void begin(size_t numLocations) {
    m_notes = std::make_unique<std::atomic<Note>[]>(numLocations);
    m_size = numLocations;
  }
  size_t size() const { return m_size; }

protected:
  std::atomic<Note> &noteAt(uint32_t location) const { return m_notes[location]; }

private:
  std::unique_ptr<std::atomic<Note>[]> m_notes;
  size_t m_size = 0;
};

} // namespace tilescope::compiler::interpreter
