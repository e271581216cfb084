// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/emit/PixelTiles.h"

#include "llvm/Support/MathExtras.h"

namespace tilescope::model {

/// Pixels of a tile: a program of 128 threads has 4 in each.
static constexpr int64_t kTilePixels = 512;

int64_t tileWidth(int64_t width, int64_t most) {
  int64_t best = 16;
  if (width > 16)
    best = 32;
  for (int64_t block = 64; block <= most && width > block / 2; block *= 2)
    if (llvm::alignTo(width, block) <= llvm::alignTo(width, best))
      best = block;
  return best;
}

void walkPixels(Anchor &anchor, const PixelTiles &tiles) {
  const std::string &height = tiles.heightName, &width = tiles.widthName;
  anchor.place = "(plane * " + height + " + down) * " + width + " + right";
  anchor.mask = "mask";
  anchor.coordinates = {{1, tiles.width, "right"},
                        {tiles.width, tiles.height, "down"},
                        {1, tiles.width * tiles.height, "(down * " + width + " + right)"},
                        {tiles.width * tiles.height, tiles.planes, "plane", true}};
  EmittedKernel &kernel = anchor.kernel;
  const int64_t columns = tileWidth(tiles.width);
  kernel.constexprs.emplace_back("BLOCK_Y", blockFor(tiles.height, kTilePixels / columns));
  kernel.constexprs.emplace_back("BLOCK_X", columns);
  kernel.grid = {"\"cdiv(" + height + ", BLOCK_Y) * cdiv(" + width + ", BLOCK_X)\"",
                 std::to_string(tiles.planes)};
  kernel.body = "    plane = tl.program_id(1)\n"
                "    down = tl.program_id(0) // tl.cdiv(" +
                width +
                ", BLOCK_X) * BLOCK_Y + "
                "tl.arange(0, BLOCK_Y)[:, None]\n"
                "    right = tl.program_id(0) % tl.cdiv(" +
                width +
                ", BLOCK_X) * BLOCK_X + "
                "tl.arange(0, BLOCK_X)[None, :]\n"
                "    mask = (down < " +
                height + ") & (right < " + width + ")\n";
}

} // namespace tilescope::model
