// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/layout/picture/LayoutPicture.h"
#include "views/layout/DiagramCanvas.h"

#include <memory>

namespace tilescope::views {

using LayoutPicturePointer = std::shared_ptr<const compiler::LayoutPicture>;

/// `warp 1 · lane 13 · register 2`, or where in shared memory.
QString placeText(const compiler::LayoutPicture &picture, uint64_t place);
/// What a lane holds and how often; for shared memory, how much there is.
QString summaryText(const compiler::LayoutPicture &picture);
/// `element [3, 130] — warp 1 · …`: the element that a place holds.
QString heldText(const compiler::LayoutPicture &picture, uint64_t place);
/// The same for an element and its first place; says how many more hold it.
QString elementText(const compiler::LayoutPicture &picture, uint64_t element);

/// The tensor, element by element, in the colors of the owners.
DiagramContent tensorContent(const LayoutPicturePointer &picture);
/// The owners: warps, lanes and registers, or the banks of shared memory.
DiagramContent hardwareContent(const LayoutPicturePointer &picture);

} // namespace tilescope::views
