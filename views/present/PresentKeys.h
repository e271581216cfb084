// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QKeyCombination>
#include <QString>

#include <optional>
#include <vector>

namespace tilescope::views {

/// What a presenter can ask for.
enum class PresentCommand {
  Next,
  Previous,
  First,
  Last,
  Spotlight,
  Draw,
  Clear,
  Notes,
  Blank,
  Loop,
  End,
};

/// Keys while the keyboard is in no view: those of clickers, arrows, Space, and letters.
std::optional<PresentCommand> presentCommand(QKeyCombination key);

/// Keys that work wherever the keyboard is: PageUp and PageDown, as clickers send them, and Escape.
std::optional<PresentCommand> clickerCommand(QKeyCombination key);

/// What the notes list: `Page Down, →, Space` and what these do.
std::vector<std::pair<QString, QString>> presentKeyHelp();

} // namespace tilescope::views
