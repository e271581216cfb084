// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Windows that go over large images, where whole vectors fit into their rows. Each thread has a few rows of
// a vector, and loads all that its windows cover before it computes anything, so a memory that is far away is waited for
// once:
//
//   window 3 × 3 of fp16:     row -1     x | x x x x x x x x | x       a vector of 8 pixels, and one pixel on each side
//                             row  0     x | x x x x x x x x | x       4 rows of results need 6 rows of the image
//                             …
//   with channels last:       row -1     xx xx xx xx xx xx             vectors of 2 channels, of 4 pixels and one on each side
//                             …
//
//   stride of 2, of fp16:     row -1     x | x x x x x x x x           4 results from a vector and one pixel beside it
//
// Threads that follow each other go along a row, then to the next rows, then to the next image, so all have work.
#pragma once

#include "compiler/model/emit/WindowStrips.h"

namespace tilescope::model {

/// Nothing: vectors do not fit into the rows, or windows have holes or begin far outside.
std::optional<Anchor> emitWindowVectors(const WindowOperation &window);

} // namespace tilescope::model
