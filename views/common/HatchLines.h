// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QLineF>
#include <QList>
#include <QRectF>

#include <cstdint>

namespace tilescope::views {

/// Adds the lines that fill a rectangle with the pattern of a member, in pixels; eight patterns,
/// the first of which is plain, distinguish members without color. Lines of neighbors with one
/// pattern meet.
void addHatchLines(QList<QLineF> &lines, const QRectF &area, uint64_t member);

} // namespace tilescope::views
