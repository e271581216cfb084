// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QRect>
#include <QSize>

class QWidget;

namespace tilescope::app {

/// The rectangle, moved and then cut as little as needed to lie within `available`.
///
/// Example: 1600 × 960 at (0, 0) in 1366 × 738 at (0, 30) becomes all of the latter.
QRect fittedInto(QRect rectangle, const QRect &available);

/// `wanted`, or as much of it as the window's screen has room for beside the window's frame.
QSize sizeOnScreen(const QWidget &window, QSize wanted);

/// Pulls a window onto its screen when it does not lie there as a whole.
void keepOnScreen(QWidget &window);

} // namespace tilescope::app
