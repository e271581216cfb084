// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QImage>
#include <QList>

namespace tilescope::views {

/// An image of bytes in its colors, as large as it is seen: `size` pixels, each the nearest one of
/// `indexed`; but bytes of at least `leastKept` are seen however small the image is. Colors are
/// opaque or fully transparent. Null for an empty size.
QImage coloredImage(const QImage &indexed, const QList<QRgb> &colors, int leastKept, QSize size);

} // namespace tilescope::views
