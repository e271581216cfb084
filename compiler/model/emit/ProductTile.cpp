// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/emit/ProductTile.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MathExtras.h"

namespace tilescope::model {

namespace {
struct TimedTile {
  ProductTile tile;
  /// What a multiprocessor takes for an element of the depth, in ns, and for the beginning and the end of a tile, in µs:
  /// fitted to times on an H200 of 27 shapes of products from 32 × 1008 × 2048 to 4096 × 4096 × 4096, and of 7
  /// convolutions.
  double perDepth, fixed;
};
} // namespace

// Larger ones first: they need less of the cache, so they win where times are equal.
static constexpr TimedTile kOfTwoBytes[] = {
    {{128, 256, 64, 8, 3}, 8.0, 12.3}, {{128, 128, 64, 8, 3}, 6.5, 2.0},
    {{64, 128, 128, 4, 3}, 2.8, 2.5},  {{64, 128, 64, 4, 3}, 4.1, 1.2},
    {{128, 64, 64, 4, 3}, 4.1, 1.2},   {{64, 64, 64, 4, 4}, 1.9, 1.7},
    {{64, 32, 64, 4, 4}, 2.4, 0.4},    {{32, 32, 64, 4, 3}, 2.4, 0.4},
};
static constexpr TimedTile kOfFourBytes[] = {
    {{64, 64, 32, 4, 2}, 25.5, 0},
    {{32, 64, 32, 4, 3}, 16, 0},
    {{16, 32, 32, 2, 3}, 8, 0},
};

/// The devices that models run on have about as many.
static constexpr int64_t kMultiprocessors = 132;

ProductTile productTile(int64_t batch, int64_t rows, int64_t columns, int64_t depth,
                        int64_t elementBytes) {
  const llvm::ArrayRef<TimedTile> tiles =
      elementBytes == 2 ? llvm::ArrayRef(kOfTwoBytes) : llvm::ArrayRef(kOfFourBytes);
  const auto timeOf = [&](const TimedTile &each) {
    const int64_t numTiles = batch * int64_t(llvm::divideCeil(rows, each.tile.rows)) *
                             int64_t(llvm::divideCeil(columns, each.tile.columns));
    return double(llvm::divideCeil(numTiles, kMultiprocessors)) *
           (double(depth) * each.perDepth / 1000 + each.fixed);
  };
  ProductTile best = tiles.front().tile;
  double least = timeOf(tiles.front());
  for (const TimedTile &each : tiles.drop_front())
    if (timeOf(each) < least) {
      best = each.tile;
      least = timeOf(each);
    }
  // A tile deeper than the product would multiply zeros.
  while (best.depth > 16 && best.depth / 2 >= depth)
    best.depth /= 2;
  return best;
}

} // namespace tilescope::model
