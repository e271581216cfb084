// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QColor>
#include <QFont>
#include <QString>

class QPainter;
class QRectF;

namespace tilescope::views {

/// Of what is written into pictures.
QFont labelFont();
/// Black or white, whichever can be read on a color.
QColor inkOn(const QColor &fill);
/// Why there is no picture, in the middle of its room.
void drawEmptyText(QPainter &painter, const QRectF &area, const QString &text);
/// Around what has the keyboard.
void drawFocusEdge(QPainter &painter, const QRectF &area);

} // namespace tilescope::views
