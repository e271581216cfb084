// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/emit/ProductTile.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MathExtras.h"

#include <initializer_list>

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
/// Fitted to times on an H200, with a bias, of 42 shapes of products from 128 × 3072 × 768 to 4096 × 4096 × 4096, each with
/// a weight that is in the cache and one that is not. Where a multiprocessor has one tile, more stages of it are under way,
/// as loads come from farther; where it has several, they hide each other's loads.
static constexpr TimedTile kOfTwoBytes[] = {
    {{128, 256, 64, 8, 3}, 10.24, 5.41},      {{128, 128, 64, 4, 3}, 5.91, 0.83, 2.01},
    {{128, 128, 64, 4, 4}, 5.17, 2.81, 0.25}, {{64, 128, 128, 4, 4}, 3.12, 2.69, 0.61},
    {{64, 128, 64, 4, 3}, 3.93, 0, 2.84},     {{64, 128, 64, 4, 6}, 3.37, 2.13, 0.66},
    {{64, 64, 64, 4, 6}, 2.29, 0.85, 1.29},   {{64, 64, 128, 4, 6}, 2.2, 1.5, 0.8},
    {{64, 32, 128, 4, 6}, 1.83, 1.71, 0.5},
};
/// Their products are one instruction (`JoinedProducts.h`). Fitted to times of 40 shapes beside those of the tiles above, on
/// the same device: a choice takes 1.007 times as long as the fastest of 62, at most 1.05 times.
static constexpr TimedTile kOfTwoParts[] = {
    {{128, 128, 64, 8, 3, 64}, 7.97, 1.71, 2.84}, {{128, 128, 32, 4, 5, 64}, 9.08, 0.17, 4.11},
    {{128, 128, 64, 4, 3, 32}, 6.94, 0.75, 3.47}, {{128, 128, 64, 4, 3, 16}, 6.73, 0.37, 3.99},
    {{64, 256, 64, 4, 5, 32}, 5.75, 2.73, 2.54},  {{128, 64, 64, 4, 4, 32}, 4.47, 1.32, 1.7},
    {{128, 64, 64, 4, 4, 16}, 4.03, 1.0, 2.01},   {{128, 64, 64, 4, 6, 16}, 3.79, 2.59, 0.81},
    {{64, 64, 64, 4, 6, 32}, 2.27, 2.53, 0.55},
};
/// The same of the transposed product, whose parts are rows. Where as many tiles are needed they are faster, all else being
/// equal: 8192 × 3072 × 768 takes 0.97 times as long. 128 × (128 + 32) and narrower ones are not.
static constexpr TimedTile kTurned[] = {
    {{128, 128, 64, 8, 3, 64, false, true}, 7.97, 1.71, 2.84},
    {{128, 128, 32, 4, 5, 64, false, true}, 9.08, 0.17, 4.11},
    {{128, 128, 64, 4, 3, 16, false, true}, 6.73, 0.37, 3.99},
};
/// In bulk copies, of both factors by their depth, and turned save for two. A step of few columns is longer so, as one thread
/// starts all copies of it, so narrow tiles are not among them. Fitted to times of 20 shapes beside those of the tiles above, on
/// another device of the same kind, and measured in the same run: no shape's choice is slower than without them, and the five
/// that gain most take 0.91 to 0.93 times as long.
static constexpr TimedTile kInBulk[] = {
    {{128, 256, 64, 8, 4, 0, false, true, 0, true}, 10.45, 2.48, 2.43},
    {{128, 128, 64, 8, 5, 64, false, true, 32, true}, 9.20, 1.97, 2.68},
    {{128, 128, 64, 8, 5, 64, false, true, 16, true}, 8.35, 2.22, 2.45},
    {{128, 128, 64, 8, 5, 64, false, true, 0, true}, 7.06, 2.39, 3.82},
    {{128, 128, 64, 4, 3, 16, false, true, 0, true}, 5.91, 1.17, 2.57},
    {{128, 128, 64, 8, 5, 16, false, false, 0, true}, 5.75, 2.44, 2.21},
    {{128, 64, 64, 4, 4, 32, false, false, 0, true}, 4.30, 0.96, 1.99},
    {{64, 128, 64, 4, 6, 64, false, true, 16, true}, 4.39, 1.15, 2.45},
    {{64, 128, 64, 4, 8, 16, false, true, 0, true}, 3.36, 1.20, 2.50},
    // For one tile on each multiprocessor: 1024 × 1024 × 3072 takes 0.89 times as long, and 896 × 1024 × 2048 0.90 times.
    {{64, 128, 128, 4, 4, 0, false, true, 0, true}, 2.20, 3.20},
};
/// Of shorter ones nothing is known.
static constexpr int64_t kLeastDepthInBulk = 512;
/// The same of a right factor by its rows: two shapes take 0.96 times as long.
static constexpr TimedTile kInBulkByRows[] = {
    {{64, 64, 128, 4, 6, 0, false, false, 0, true}, 2.12, 1.42, 0.80},
};
/// For small products: fitted to times of 27, from 32 × 1008 × 2048.
static constexpr TimedTile kOfSmall[] = {
    {{128, 256, 64, 8, 3}, 8.0, 12.3}, {{128, 128, 64, 8, 3}, 6.5, 2.0},
    {{64, 128, 128, 4, 3}, 2.8, 2.5},  {{64, 128, 64, 4, 3}, 4.1, 1.2},
    {{128, 64, 64, 4, 3}, 4.1, 1.2},   {{64, 64, 64, 4, 6}, 1.9, 1.7},
    {{64, 32, 128, 4, 4}, 2.2, 0.4},   {{32, 32, 64, 4, 3}, 2.4, 0.4},
};
/// For convolutions: fitted to times of 7.
static constexpr TimedTile kOfConvolutions[] = {
    {{128, 256, 64, 8, 3}, 8.0, 12.3}, {{128, 128, 64, 8, 3}, 6.5, 2.0},
    {{64, 128, 128, 4, 3}, 2.8, 2.5},  {{64, 128, 64, 4, 3}, 4.1, 1.2},
    {{128, 64, 64, 4, 3}, 4.1, 1.2},   {{64, 64, 64, 4, 4}, 1.9, 1.7},
    {{64, 32, 64, 4, 4}, 2.4, 0.4},    {{32, 32, 64, 4, 3}, 2.4, 0.4},
};
/// Without tensor cores: they do not multiply numbers of so many bits.
static constexpr TimedTile kWhole[] = {
    {{64, 64, 32, 4, 2}, 31.1, 0, 6.4},
    {{32, 64, 32, 4, 3}, 16.3, 0, 6.7},
    {{16, 32, 32, 2, 3}, 4.5, 0, 6.4},
};
/// Of fp32 in parts, fitted to times of the same 42 shapes on the same device: 0.65 times as long as whole numbers take, and
/// 0.3 times with the right factor by its columns, which those read with conflicts.
static constexpr TimedTile kInParts[] = {
    {{64, 64, 32, 4, 3, 0, true}, 16.7, 0, 9.7},
    {{64, 32, 64, 4, 3, 0, true}, 12.6, 0, 7.6},
};

/// The devices that models run on have about as many.
static constexpr int64_t kMultiprocessors = 132;

/// Whether what comes behind the product would take long: few programs do it one after the other, and their sums, more than
/// those of 128 × 128, leave few registers for it. It is hidden behind products of a long depth, and where two programs of a
/// multiprocessor have all of the product.
static bool delaysWork(const ProductTile &tile, const ProductExtents &product, int64_t numTiles) {
  constexpr int64_t kManySums = 128 * 128, kLongDepth = 2048, kHalfOfShared = 113 << 10;
  const int64_t columns = tile.width();
  if (!product.hasWorkBehind || tile.rows * columns <= kManySums || product.depth >= kLongDepth)
    return false;
  const bool areTwo =
      tile.warps == 4 && (tile.rows + columns) * tile.depth * tile.stages * 2 <= kHalfOfShared;
  return !areTwo || numTiles > 2 * kMultiprocessors;
}

static int64_t numTiles(const ProductTile &tile, const ProductExtents &product) {
  const int64_t rows = tile.isTurned ? product.columns : product.rows;
  const int64_t columns = tile.isTurned ? product.rows : product.columns;
  return product.batch * int64_t(llvm::divideCeil(rows, tile.rows)) *
         int64_t(llvm::divideCeil(columns, tile.width()));
}

/// What the busiest multiprocessor takes.
static double timeOf(const TimedTile &each, const ProductExtents &product) {
  // The largest products wait for power, of which two parts need more: 2048 × 8192 × 2048 with 144 columns takes 1.1 times
  // as long as with 128.
  static constexpr double kLargest = double(int64_t(1) << 35), kMorePower = 1.04;
  const bool waitsForPower =
      double(product.batch * product.rows * product.columns) * double(product.depth) >= kLargest;
  return (each.tile.rest != 0 && waitsForPower ? kMorePower : 1) *
         (double(llvm::divideCeil(numTiles(each.tile, product), kMultiprocessors)) *
              (double(product.depth) * each.perDepth / 1000 + each.fixed) +
          each.launch);
}

/// The first of those that are equally fast.
static ProductTile fastest(std::initializer_list<llvm::ArrayRef<TimedTile>> lists,
                           const ProductExtents &product) {
  const TimedTile *best = nullptr;
  for (const llvm::ArrayRef<TimedTile> tiles : lists)
    for (const TimedTile &tile : tiles)
      if (!delaysWork(tile.tile, product, numTiles(tile.tile, product)) &&
          (!best || timeOf(tile, product) < timeOf(*best, product)))
        best = &tile;
  ProductTile tile = best->tile;
  // A tile deeper than the product would multiply zeros.
  while (tile.depth > 16 && tile.depth / 2 >= product.depth)
    tile.depth /= 2;
  return tile;
}

bool fitsBulkCopies(int64_t rowElements, int64_t elementBytes) {
  constexpr int64_t kAlignment = 16;
  return rowElements * elementBytes % kAlignment == 0;
}

ProductTile productTile(const ProductExtents &product, int64_t elementBytes) {
  if (elementBytes == 4)
    return product.hasRightByColumns ? fastest({kInParts}, product)
                                     : fastest({kInParts, kWhole}, product);
  if (elementBytes != 2)
    return fastest({kWhole}, product);
  if (product.isSmall())
    return fastest({kOfSmall}, product);
  // Of the same time, those that are for any device.
  const bool fitsBulk =
      product.fitsBulkCopies && !product.hasLeftByColumns && product.depth >= kLeastDepthInBulk;
  if (!product.hasRightByColumns)
    return fitsBulk ? fastest({kOfTwoBytes, kInBulkByRows}, product)
                    : fastest({kOfTwoBytes}, product);
  if (fitsBulk)
    return fastest({kOfTwoBytes, kTurned, kOfTwoParts, kInBulk}, product);
  return product.hasLeftByColumns ? fastest({kOfTwoBytes, kOfTwoParts}, product)
                                  : fastest({kOfTwoBytes, kTurned, kOfTwoParts}, product);
}

ProductTile convolutionTile(const ProductExtents &product, int64_t elementBytes) {
  return elementBytes == 2 ? fastest({kOfConvolutions}, product) : fastest({kWhole}, product);
}

} // namespace tilescope::model
