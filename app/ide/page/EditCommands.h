// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

class QWidget;

namespace tilescope::app {

/// The commands of the Edit menu that mean whatever has the keyboard.
enum class EditCommand { Undo, Redo, Cut, Copy, Paste, SelectAll };

/// Does it to an editor, a field, a view of code, or, when there is something to copy, a list.
/// False when it means nothing there.
bool applyEditCommand(EditCommand command, QWidget *target);

} // namespace tilescope::app
