// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QList>
#include <QRectF>

namespace tilescope::views {

/// Where a label goes in a box: a line of text at its left that none of the places which are taken
/// cuts before `width`; the highest such line. Where there is none, as much of a line as there is:
/// the widest, and of those the highest. Empty where a line does not even fit in height.
QRectF labelLine(const QRectF &box, double width, double height, const QList<QRectF> &taken);

} // namespace tilescope::views
