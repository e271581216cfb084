// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Two diagrams side by side, as they are exported.
#pragma once

#include "views/common/PictureExport.h"

#include <utility>

namespace tilescope::views {

class DiagramCanvas;

std::pair<QRectF, QRectF> halves(const QRectF &target);

/// As high as the diagrams are at half the width of the picture, up to a limit; without lines.
ExportedPicture exportedPair(const DiagramCanvas &left, const DiagramCanvas &right);

} // namespace tilescope::views
