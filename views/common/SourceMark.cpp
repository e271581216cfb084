// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/SourceMark.h"

#include <utility>

namespace tilescope::views {

void SourceMark::show(const SourceRange &range) {
  Focus focus;
  if (range.file == 0 && !range.empty())
    focus = {std::nullopt, range.begin, {range}};
  // What another view marks is not taken back.
  if (!focus.empty() || std::exchange(m_isShown, false)) {
    m_isShown = !focus.empty();
    m_focus->setHovered(focus, m_author);
  }
}

} // namespace tilescope::views
