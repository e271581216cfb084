// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QPointer>
#include <QScrollBar>

#include <vector>

class QWidget;

namespace tilescope::app {

/// How far the views of a window are scrolled, over changes of their sizes. A view that becomes so
/// large that it need not scroll goes back to its place when it is small again, unless it was
/// scrolled in between.
class ScrollPlaces {
public:
  /// The sizes are about to change.
  void note(const QWidget &window);
  /// They have changed.
  void apply();

private:
  struct Place {
    QPointer<QScrollBar> bar;
    int wanted = 0;
    /// As far as that could be reached.
    int reached = 0;
  };
  std::vector<Place> m_places;
};

} // namespace tilescope::app
