// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/FocusState.h"

namespace tilescope::views {

void FocusState::setHovered(const Focus &focus, const QObject *author) {
  if (m_hovered == focus)
    return;
  m_hovered = focus;
  Q_EMIT hoveredChanged(m_hovered, author);
}

void FocusState::setSelected(const Focus &focus, const QObject *author) {
  if (m_selected == focus)
    return;
  m_selected = focus;
  Q_EMIT selectedChanged(m_selected, author);
}

} // namespace tilescope::views
