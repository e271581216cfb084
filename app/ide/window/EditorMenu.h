// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

class QPoint;

namespace tilescope::views {
class KernelEditor;
} // namespace tilescope::views

namespace tilescope::app {

class ActionTable;

/// Shows the menu of an editor at a place of the screen: the commands of the table that do
/// something where its cursor is, with their keys. `hasDefinition`: the name there has one.
void showEditorMenu(views::KernelEditor &editor, const ActionTable &actions, bool hasDefinition,
                    QPoint place);

} // namespace tilescope::app
