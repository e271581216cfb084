// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/SourceRange.h"

#include <QPointer>
#include <QString>

#include <optional>
#include <vector>

namespace tilescope::app {

class EditorPage;

/// A place in an open file; the path finds a file that was closed since.
struct NavigationPlace {
  QPointer<EditorPage> page;
  QString path;
  Position position;
};

/// The places that jumps left, as a browser keeps its pages: Back returns to the last one, and
/// Forward undoes a Back until the next jump.
class NavigationHistory {
public:
  /// A jump leaves this place.
  void leave(NavigationPlace place);
  /// The place to go to from `current`; nothing at the end of the history.
  std::optional<NavigationPlace> back(NavigationPlace current);
  std::optional<NavigationPlace> forward(NavigationPlace current);

private:
  std::vector<NavigationPlace> m_back;
  std::vector<NavigationPlace> m_forward;
};

} // namespace tilescope::app
