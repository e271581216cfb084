// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <functional>

class QStatusBar;

namespace tilescope::views {
class KernelEditor;
} // namespace tilescope::views

namespace tilescope::app {

class ActionTable;

/// Adds the commands that change what a problem or a hint at the cursor is about: one lists the
/// fixes, the other applies the best that was tried, and says in `status` what its trial showed.
/// `editor` returns the one in use, or null.
void addFixCommands(ActionTable &actions, std::function<views::KernelEditor *()> editor,
                    QStatusBar *status);

} // namespace tilescope::app
