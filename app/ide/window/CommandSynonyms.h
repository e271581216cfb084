// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

namespace tilescope::app {

class ActionTable;

/// Tells the palette by which other words users look for commands.
void addSynonyms(const ActionTable &actions);

} // namespace tilescope::app
