// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/model/ArenaPicture.h"

#include <algorithm>

namespace tilescope::views {

ArenaPicture::ArenaPicture(const compiler::ModelResult &model)
    : m_liveBytes(model.kernels.size() + 1) {
  const auto numSteps = static_cast<double>(m_liveBytes.size());
  const auto numBytes = static_cast<double>(std::max<uint64_t>(1, model.arenaBytes));
  m_leastHeight = static_cast<double>(model.leastArenaBytes) / numBytes;
  // Of the differences from step to step; they wrap around.
  std::vector<uint64_t> changes(m_liveBytes.size() + 1);
  for (const compiler::ModelSlot &slot : model.slots) {
    const size_t behind = std::min<size_t>(slot.last + 1, m_liveBytes.size());
    const size_t first = std::min<size_t>(slot.kernel, behind);
    changes[first] += slot.bytes;
    changes[behind] -= slot.bytes;
    m_rects.push_back({static_cast<double>(first) / numSteps,
                       static_cast<double>(slot.offset) / numBytes,
                       static_cast<double>(behind - first) / numSteps,
                       static_cast<double>(slot.bytes) / numBytes});
  }
  uint64_t live = 0;
  for (size_t i = 0; i < m_liveBytes.size(); ++i)
    m_liveBytes[i] = live += changes[i];
}

int ArenaPicture::slotAt(GridPoint point) const {
  const auto found = std::ranges::find_if(m_rects, [&](const GridRect &rect) {
    return point.x >= rect.x && point.x < rect.x + rect.width && point.y >= rect.y &&
           point.y < rect.y + rect.height;
  });
  return found == m_rects.end() ? -1 : static_cast<int>(found - m_rects.begin());
}

} // namespace tilescope::views
