// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/SourceIndex.h"

#include <algorithm>

namespace tilescope::compiler {

void SourceIndex::add(const SourceRange &range) {
  auto [it, isNew] = m_ends.try_emplace({range.file, range.begin}, range.end);
  if (!isNew)
    it->second = std::max(it->second, range.end);
}

std::optional<SourceRange> SourceIndex::startingAt(uint32_t file, Position begin) const {
  const auto it = m_ends.find({file, begin});
  if (it == m_ends.end())
    return std::nullopt;
  return SourceRange{begin, it->second, file};
}

} // namespace tilescope::compiler
