// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QWidget>

namespace tilescope::views {

/// Shows a window above the others; keys go to `field`.
inline void bringToFront(QWidget &window, QWidget &field) {
  window.show();
  window.raise();
  window.activateWindow();
  field.setFocus();
}

} // namespace tilescope::views
