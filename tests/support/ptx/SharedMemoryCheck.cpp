// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "tests/support/ptx/SharedMemoryCheck.h"

namespace tilescope::tests {

void SharedMemoryCheck::warpBarrier(int32_t warp) {
  if (m_warpEpochs.size() <= static_cast<size_t>(warp))
    m_warpEpochs.resize(warp + 1, 0);
  ++m_warpEpochs[warp];
}

int32_t SharedMemoryCheck::warpEpoch(int32_t thread) const {
  size_t warp = static_cast<size_t>(thread) / 32;
  return warp < m_warpEpochs.size() ? m_warpEpochs[warp] : 0;
}

bool SharedMemoryCheck::conflicts(const Event &earlier, const Access &access) const {
  if (earlier.thread < 0 || earlier.thread == access.thread || earlier.ctaEpoch != m_ctaEpoch)
    return false;
  if (earlier.isAtomic && access.isAtomic)
    return false;
  bool sameWarp = earlier.thread / 32 == access.thread / 32;
  return !sameWarp || earlier.warpEpoch == warpEpoch(access.thread);
}

std::string SharedMemoryCheck::record(size_t offset, size_t size, Access access) {
  Event event{access.thread, m_ctaEpoch, warpEpoch(access.thread), access.isAtomic};
  for (size_t i = offset; i < offset + size; ++i) {
    Byte &byte = m_bytes[i];
    for (const Event *earlier : {&byte.write, access.isWrite ? &byte.read : nullptr,
                                 access.isWrite ? &byte.otherRead : nullptr})
      if (earlier && conflicts(*earlier, access))
        return "race on byte " + std::to_string(i) + " of shared memory with thread " +
               std::to_string(earlier->thread);
    if (access.isWrite) {
      byte.write = event;
    } else {
      if (byte.read.thread != access.thread)
        byte.otherRead = byte.read;
      byte.read = event;
    }
  }
  return {};
}

} // namespace tilescope::tests
