// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

class QWidget;

namespace tilescope::views {

/// Lets Tab go from `first` through what is in `part`, in its present order. Widgets that are made
/// late, or move from one window to another, otherwise come after everything in the window.
/// Returns the last one: `first` where `part` has none.
QWidget *orderTabs(QWidget *first, QWidget *part);

} // namespace tilescope::views
