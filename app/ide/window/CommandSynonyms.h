// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

namespace tilescope::app {

class ActionTable;

/// Lists for the palette the other words by which users look for commands.
void addSynonyms(const ActionTable &actions);

} // namespace tilescope::app
