// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/emit/ProductTile.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MathExtras.h"

namespace tilescope::model {

namespace {
struct TimedTile {
  ProductTile tile;
  /// What a multiprocessor takes for an element of the depth, in ns, for the beginning and the end of a tile, in µs, and
  /// what a launch takes beside its tiles, in µs.
  double perDepth, fixed, launch = 0;
};
} // namespace

// Larger ones first: they need less of the cache, so they win where times are equal.
/// Fitted to times on an H200, with a bias, of 40 shapes of products from 256 × 4096 × 4096 to 8192 × 1024 × 1024. With the
/// tiles of two parts, a choice takes 1.01 times as long as the fastest of 25 tiles, at most 1.09 times.
static constexpr TimedTile kOfTwoBytes[] = {
    {{128, 256, 64, 8, 3}, 9.9, 5.3},       {{128, 128, 64, 4, 3}, 5.34, 1.86, 0.77},
    {{64, 128, 128, 4, 3}, 3.25, 1.8, 0.5}, {{64, 128, 64, 4, 3}, 3.5, 0.6, 1.5},
    {{64, 64, 64, 4, 4}, 2.1, 0.65, 1.9},   {{64, 32, 128, 4, 4}, 1.6, 1.1, 0.9},
};
static constexpr TimedTile kOfTwoParts[] = {
    {{64, 128, 64, 4, 3, 64}, 4.9, 1.2, 1.4},
    {{64, 128, 64, 4, 3, 32}, 4.2, 1.1, 1.7},
    {{64, 128, 64, 4, 3, 16}, 3.75, 1.2, 1.5},
    {{64, 64, 64, 4, 5, 32}, 2.5, 1.3, 1.5},
};
/// For convolutions and for small products: fitted to times of 7 convolutions and of 27 products, from 32 × 1008 × 2048.
static constexpr TimedTile kOfSmall[] = {
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

/// What the busiest multiprocessor takes.
static double timeOf(const TimedTile &each, const ProductExtents &product) {
  const int64_t numTiles =
      product.batch * int64_t(llvm::divideCeil(product.rows, each.tile.rows)) *
      int64_t(llvm::divideCeil(product.columns, each.tile.columns + each.tile.rest));
  return double(llvm::divideCeil(numTiles, kMultiprocessors)) *
             (double(product.depth) * each.perDepth / 1000 + each.fixed) +
         each.launch;
}

static ProductTile fastest(llvm::ArrayRef<TimedTile> tiles, llvm::ArrayRef<TimedTile> others,
                           const ProductExtents &product) {
  const TimedTile *best = &tiles.front();
  for (const llvm::ArrayRef<TimedTile> each : {tiles, others})
    for (const TimedTile &tile : each)
      if (timeOf(tile, product) < timeOf(*best, product))
        best = &tile;
  ProductTile tile = best->tile;
  // A tile deeper than the product would multiply zeros.
  while (tile.depth > 16 && tile.depth / 2 >= product.depth)
    tile.depth /= 2;
  return tile;
}

ProductTile productTile(const ProductExtents &product, int64_t elementBytes) {
  const llvm::ArrayRef<TimedTile> none;
  if (elementBytes != 2)
    return fastest(kOfFourBytes, none, product);
  if (product.isSmall())
    return fastest(kOfSmall, none, product);
  return fastest(kOfTwoBytes, product.hasRightByColumns ? kOfTwoParts : none, product);
}

ProductTile convolutionTile(const ProductExtents &product, int64_t elementBytes) {
  return fastest(elementBytes == 2 ? llvm::ArrayRef(kOfSmall) : kOfFourBytes, {}, product);
}

} // namespace tilescope::model
