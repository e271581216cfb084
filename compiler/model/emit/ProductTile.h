// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The tile of a product that a program computes. A multiprocessor that has n tiles takes n times as long as for one,
// so what counts is how many the busiest one has:
//
//   1024 × 768, tiles of 64 × 128:    96 tiles, at most one for each of 132 multiprocessors
//                       32 × 64:     384 tiles, three for the busiest, each half as long
//
// Blocks have powers of 2, so that tiles between them have two parts beside each other:
//
//   4096 × 2304, tiles of 128 × 128:         576 tiles, five for the busiest multiprocessors, four for most
//                       128 × (128 + 64):    384 tiles, three for almost all, each one and a half times as long
//
// The parts are columns of the result, or rows where the transposed product is computed:
//
//   1568 × 3072, tiles of 128 × (128 + 32):    260 tiles, two for each
//                       (128 + 16) × 128:    264 tiles, two for each, smaller ones
#pragma once

#include <cstdint>

namespace tilescope::model {

/// Of a module: its kernels are for GPUs whose bulk copies bring products their factors.
inline constexpr const char *kBulkCopiesAttr = "tm.bulk_copies";

struct ProductTile {
  int64_t rows, columns, depth;
  int64_t warps, stages;
  /// The columns of a second part; 0: there is none.
  int64_t rest = 0;
  /// Whether each number of fp32 is multiplied as the sum of three of bf16, whose products tensor cores add: all bits count.
  bool isInParts = false;
  /// Whether it is a tile of the transposed product: `rows` are columns of the result then, and its parts rows.
  bool isTurned = false;
  /// The columns of a third part; 0: there is none.
  int64_t last = 0;
  /// Whether blocks of its factors come in bulk copies, through descriptors, and not through pointers.
  bool isInBulk = false;

  /// Of all parts.
  int64_t width() const { return columns + rest + last; }
};

/// `batch` products of `rows` × `depth` by `depth` × `columns`.
struct ProductExtents {
  int64_t batch, rows, columns, depth;
  /// Whether the elements of a column of the right factor lie beside each other. Else a narrow part of a tile would be read
  /// in pieces of lines.
  bool hasRightByColumns = false;
  /// Whether more is done with each element of the result than to add to it and to round it.
  bool hasWorkBehind = false;
  /// Whether the elements of a column of the left factor lie beside each other. Else narrow parts of rows are read well.
  bool hasLeftByColumns = false;
  /// Whether bulk copies can bring blocks of the factors: whole matrices, whose rows begin at multiples of 16 bytes.
  bool fitsBulkCopies = false;

  /// Whether the beginning and the end of a tile are most of it.
  bool isSmall() const { return batch * rows * columns * depth < int64_t(1) << 28; }
};

/// Whether bulk copies can read a matrix whose rows, one behind the other, have so many elements.
bool fitsBulkCopies(int64_t rowElements, int64_t elementBytes);

/// The tile that is fastest for products of elements of so many bytes: 2 are multiplied by tensor cores, 4 in parts.
ProductTile productTile(const ProductExtents &product, int64_t elementBytes);
/// The same for a convolution as a product of pixels by filters, which computes where its elements are at each step.
ProductTile convolutionTile(const ProductExtents &product, int64_t elementBytes);

} // namespace tilescope::model
