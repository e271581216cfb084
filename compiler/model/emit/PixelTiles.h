// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Programs that go through the pixels of images, a tile of rows and columns each:
//
//   out_height = 6, out_width = 100, tiles of 2 × 64:     tile 0  tile 1     rows 0, 1
//                                                         tile 2  tile 3     rows 2, 3
//                                                         tile 4  tile 5     rows 4, 5
//
// `down` and `right` are the coordinates, and neighbors along `right` are neighbors in memory. So no element divides,
// and a processor loads whole vectors.
#pragma once

#include "compiler/model/emit/Anchor.h"

namespace tilescope::model {

/// Images behind each other.
struct PixelTiles {
  int64_t planes = 1, height = 1, width = 1;
  /// The parameters that hold the extents.
  std::string heightName = "out_height", widthName = "out_width";
  /// Of a tile: a program of 128 threads has 4 pixels in each, unless they have less to do. 0 columns: `tileWidth` says.
  int64_t pixels = 512, columns = 0;
};

/// The columns of a tile: 32, 64 or 128, whichever leaves least of the width's tiles empty, the larger one of two;
/// fewer where the width is smaller.
int64_t tileWidth(int64_t width, int64_t most = 128);

/// The most columns, a power of 2 up to `most`, that leave an eighth of the tiles empty at most; else `tileWidth`. Threads
/// side by side then go along long rows, which memory of GPUs wants.
int64_t wideTile(int64_t width, int64_t most);

/// A grid of so many tiles, an expression, in each plane, and the lines with `plane` and `tile`.
void setPlanes(EmittedKernel &kernel, const std::string &tiles, int64_t planes);
std::string planesText(int64_t planes);

/// Sets the grid and what the anchor says of places, and begins the body with `plane`, `down`, `right` and `mask`.
/// Values have the shape `[BLOCK_Y, BLOCK_X]`.
void walkPixels(Anchor &anchor, const PixelTiles &tiles);

} // namespace tilescope::model
