// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/emit/PixelTiles.h"

#include "llvm/Support/MathExtras.h"

namespace tilescope::model {

int64_t tileWidth(int64_t width, int64_t most) {
  int64_t best = 16;
  if (width > 16)
    best = 32;
  for (int64_t block = 64; block <= most && width > block / 2; block *= 2)
    if (llvm::alignTo(width, block) <= llvm::alignTo(width, best))
      best = block;
  return best;
}

int64_t wideTile(int64_t width, int64_t most) {
  for (int64_t block = most; block >= 64; block /= 2)
    if (7 * int64_t(llvm::alignTo(uint64_t(width), uint64_t(block))) <= 8 * width)
      return block;
  return tileWidth(width, most);
}

/// A grid's second axis has no more.
static constexpr int64_t kMostOfSecondAxis = 65535;

void setPlanes(EmittedKernel &kernel, const std::string &tiles, int64_t planes) {
  kernel.grid = {"\"" + tiles + "\"", std::to_string(planes)};
  if (planes > kMostOfSecondAxis)
    std::swap(kernel.grid[0], kernel.grid[1]);
}

std::string planesText(int64_t planes) {
  return planes > kMostOfSecondAxis ? "    plane = tl.program_id(0)\n    tile = tl.program_id(1)\n"
                                    : "    plane = tl.program_id(1)\n    tile = tl.program_id(0)\n";
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
  const int64_t columns = tiles.columns > 0 ? tiles.columns : tileWidth(tiles.width);
  kernel.constexprs.emplace_back("BLOCK_Y", blockFor(tiles.height, tiles.pixels / columns));
  kernel.constexprs.emplace_back("BLOCK_X", columns);
  setPlanes(kernel, "cdiv(" + height + ", BLOCK_Y) * cdiv(" + width + ", BLOCK_X)", tiles.planes);
  kernel.body = planesText(tiles.planes) + "    down = tile // tl.cdiv(" + width +
                ", BLOCK_X) * BLOCK_Y + "
                "tl.arange(0, BLOCK_Y)[:, None]\n"
                "    right = tile % tl.cdiv(" +
                width +
                ", BLOCK_X) * BLOCK_X + "
                "tl.arange(0, BLOCK_X)[None, :]\n"
                "    mask = (down < " +
                height + ") & (right < " + width + ")\n";
}

} // namespace tilescope::model
