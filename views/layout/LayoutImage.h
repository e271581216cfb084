// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/LayoutFacts.h"

#include <QImage>

namespace tilescope::views {

/// The elements of a block in the colors of their owners, as the diagram draws them, for a text that
/// is so wide. Null where there is nothing to draw.
QImage layoutImage(const compiler::LayoutFacts &facts, int widthPx);

} // namespace tilescope::views
