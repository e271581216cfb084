// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilescope::tests {

/// Finds races in shared memory.
///
/// For every byte the last write and the last reads are kept, with the number of barriers passed
/// before them. Two accesses by different threads, one of them a write, need a CTA barrier between
/// them, or a warp barrier when both threads belong to one warp. Atomics do not race with atomics.
class SharedMemoryCheck {
public:
  struct Access {
    int32_t thread;
    bool isWrite;
    bool isAtomic;
  };

  explicit SharedMemoryCheck(size_t sizeBytes) : m_bytes(sizeBytes) {}

  /// Records an access; what is wrong with it, or empty.
  std::string record(size_t offset, size_t size, Access access);
  void ctaBarrier() { ++m_ctaEpoch; }
  void warpBarrier(int32_t warp);

private:
  struct Event {
    int32_t thread = -1;
    int32_t ctaEpoch = -1;
    int32_t warpEpoch = -1;
    bool isAtomic = false;
  };
  /// Two readers are enough: a write conflicts with at least one of two different threads.
  struct Byte {
    Event write, read, otherRead;
  };

  bool conflicts(const Event &earlier, const Access &access) const;
  int32_t warpEpoch(int32_t thread) const;

  std::vector<Byte> m_bytes;
  std::vector<int32_t> m_warpEpochs;
  int32_t m_ctaEpoch = 0;
};

} // namespace tilescope::tests
