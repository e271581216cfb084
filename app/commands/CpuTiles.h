// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Tiles of products on the processor. A plan's are those of a GPU, whose multiprocessors want many small ones. A
// processor's thread reads both factors from its caches, the less often the larger the tile is, and goes through few
// rows and columns that the matrix does not have:
//
//   197 × 3072, 768 deep:    32 × 64, 32 deep    224 × 3072    5.0 ms on two threads
//                            128 × 128, 64 deep  256 × 3072    3.9 ms
#pragma once

#include "app/commands/ModelPlan.h"

#include <cstdint>
#include <optional>

namespace tilescope::app {

struct CpuTile {
  int64_t rows, columns, depth;
  bool operator==(const CpuTile &) const = default;
};

/// Of `batch` products of `rows` × `depth` by `depth` × `columns`.
struct ProductExtents {
  int64_t batch, rows, columns, depth;
};

/// The tile that so many threads are done with first; nothing where a product is so small that the plan's does. A kernel
/// may have no mask along an extent that the plan's tile divides: the tile divides it, too.
std::optional<CpuTile> cpuTile(const ProductExtents &product, const CpuTile &planned,
                               unsigned numThreads);

/// The constexprs with which a step of the plan runs on this processor, in place of those of its launch block; none
/// where it is not a product, or its kernel was edited by hand.
std::map<std::string, std::string> cpuConstexprs(const ModelPlan &plan,
                                                 const ModelPlan::Step &step);

} // namespace tilescope::app
