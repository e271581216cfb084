// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/layout/picture/MoveRuns.h"

#include <QLineF>
#include <QList>

namespace tilescope::views {

/// The curve of an arrow as short straight lines that overlap a little where they meet.
///
/// Qt's raster engine fills the outline of a curve, and hands what it fills to other threads, a few
/// dozen spans at a time, and waits for them: forty long curves take longer than a frame, most of it
/// waiting. A short straight line is drawn at once.
///
/// `dashesPx`: lengths that are drawn and left out by turns; empty: all of it is drawn.
QList<QLineF> arrowLines(const compiler::ArrowShape &arrow, const QList<qreal> &dashesPx);

} // namespace tilescope::views
