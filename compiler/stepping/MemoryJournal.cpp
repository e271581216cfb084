// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/stepping/MemoryJournal.h"

#include <algorithm>
#include <cstring>

namespace tilescope::compiler::stepping {

using interpreter::MemoryArea;

/// Scattered stores touch many pages, blocks touch whole ones.
static constexpr int64_t kPageBytes = 1024;

void WrittenPages::keep(const MemoryArea &area, int64_t offset, size_t size) {
  const auto end = offset + static_cast<int64_t>(size);
  for (int64_t begin = offset / kPageBytes * kPageBytes; begin < end; begin += kPageBytes) {
    const auto [found, isNew] = m_pages.try_emplace(area.data + begin);
    if (!isNew)
      continue;
    const int64_t last = std::min(begin + kPageBytes, static_cast<int64_t>(area.size));
    Page &page = found->second;
    page.data.assign(area.data + begin, area.data + last);
    m_bytes += page.data.size();
    if (!area.writers)
      continue;
    const auto granule = static_cast<int64_t>(area.granule);
    page.writers = area.writers + begin / granule;
    page.writersBefore.assign(page.writers, area.writers + (last + granule - 1) / granule);
    m_bytes += page.writersBefore.size() * sizeof(uint32_t);
  }
}

void WrittenPages::restore() const {
  for (const auto &[data, page] : m_pages) {
    std::memcpy(data, page.data.data(), page.data.size());
    std::copy(page.writersBefore.begin(), page.writersBefore.end(), page.writers);
  }
}

void WrittenPages::addOlder(WrittenPages older) {
  for (auto &[data, page] : older.m_pages) {
    const size_t bytes = page.data.size() + page.writersBefore.size() * sizeof(uint32_t);
    const auto [found, isNew] = m_pages.insert_or_assign(data, std::move(page));
    m_bytes += isNew ? bytes : 0;
  }
}

} // namespace tilescope::compiler::stepping
