// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Windows of 3 × 3 over small images whose rows no vector fits into. An image is a list of vectors of four pixels that go over the
// ends of rows, so all loads are whole vectors, behind each other from thread to thread, and nothing is read twice but from the
// cache:
//
//   14 × 14, pixels 12 to 15:       pixel 12 | 13   end of row 0, begin of row 1    14 | 15
//   their windows reach from -3 to 30:  vectors at -4, 0, 8, 12, 16, 24, 28; what lies in front of the image is 0
//
// Windows of the first and the last pixel of a row leave out what is a neighbor in the list, and not in the image.
#pragma once

#include "compiler/model/emit/WindowStrips.h"

namespace tilescope::model {

/// Nothing: the images are no such ones, or the operation is not a convolution that keeps their extents.
std::optional<Anchor> emitFlatWindows(const WindowOperation &window);

} // namespace tilescope::model
