// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CpuTiles.h"

#include "profiler/package/LaunchBlock.h"

#include <algorithm>
#include <charconv>
#include <thread>

namespace tilescope::app {

namespace {
struct TimedTile {
  CpuTile tile;
  /// Multiplications of a thread in 1 ns: measured with a product of 256 × 3072, 768 deep, on two threads of an AMD EPYC
  /// with AVX-512.
  double rate;
};
} // namespace

static constexpr TimedTile kTiles[] = {
    {{32, 64, 32}, 66},
    {{64, 64, 64}, 73},
    {{128, 64, 64}, 78},
    {{128, 128, 64}, 84},
};
/// Below, tiles would be mostly of rows or columns that the matrix does not have.
static constexpr int64_t kLeastExtent = 64;

static int64_t numTiles(int64_t extent, int64_t tile) { return (extent + tile - 1) / tile; }

/// What the thread with most tiles takes, in ns.
static double timeOf(const TimedTile &each, const ProductExtents &product, unsigned numThreads) {
  const CpuTile &tile = each.tile;
  const int64_t tiles =
      product.batch * numTiles(product.rows, tile.rows) * numTiles(product.columns, tile.columns);
  const int64_t depth = numTiles(product.depth, tile.depth) * tile.depth;
  return double(numTiles(tiles, numThreads)) * double(tile.rows * tile.columns * depth) / each.rate;
}

static bool mayStandFor(int64_t tile, int64_t planned, int64_t extent) {
  return planned > 0 && (extent % planned != 0 || extent % tile == 0);
}

static bool mayStandFor(const CpuTile &tile, const CpuTile &planned,
                        const ProductExtents &product) {
  return mayStandFor(tile.rows, planned.rows, product.rows) &&
         mayStandFor(tile.columns, planned.columns, product.columns) &&
         mayStandFor(tile.depth, planned.depth, product.depth);
}

std::optional<CpuTile> cpuTile(const ProductExtents &product, const CpuTile &planned,
                               unsigned numThreads) {
  if (std::min({product.rows, product.columns, product.depth}) < kLeastExtent || product.batch < 1)
    return std::nullopt;
  std::optional<CpuTile> best;
  double least = 0;
  for (const TimedTile &each : kTiles) {
    const double time = timeOf(each, product, std::max(1U, numThreads));
    if (!mayStandFor(each.tile, planned, product) || (best && time >= least))
      continue;
    best = each.tile;
    least = time;
  }
  return best;
}

/// A literal.
static int64_t numberOf(const profiler::LaunchExpression &value) {
  int64_t number = 0;
  std::from_chars(value.text.data(), value.text.data() + value.text.size(), number);
  return number;
}

static int64_t argumentOf(const profiler::LaunchBlock &block, const std::string &name) {
  const auto it = std::ranges::find(block.args, name, &profiler::LaunchArgument::name);
  return it == block.args.end() ? 0 : numberOf(it->value);
}

/// 0 where the block does not have it.
static int64_t constexprOf(const profiler::LaunchBlock &block, const std::string &name) {
  const auto it = std::ranges::find(block.constexprs, name, &profiler::LaunchEntry::name);
  return it == block.constexprs.end() ? 0 : numberOf(it->value);
}

std::map<std::string, std::string> cpuConstexprs(const ModelPlan &plan,
                                                 const ModelPlan::Step &step) {
  if (plan.editedFunctions.contains(step.function))
    return {};
  const profiler::LaunchBlocks found = profiler::parseLaunchBlocks(step.block);
  if (found.blocks.size() != 1)
    return {};
  const profiler::LaunchBlock &block = found.blocks.front();
  const ProductExtents product{block.grid.size() < 2 ? 1 : numberOf(block.grid[1]),
                               argumentOf(block, "M"), argumentOf(block, "N"),
                               argumentOf(block, "K")};
  const CpuTile planned{constexprOf(block, "BLOCK_M"), constexprOf(block, "BLOCK_N"),
                        constexprOf(block, "BLOCK_K")};
  const auto tile = cpuTile(product, planned, std::thread::hardware_concurrency());
  if (!tile)
    return {};
  return {{"BLOCK_M", std::to_string(tile->rows)},
          {"BLOCK_N", std::to_string(tile->columns)},
          {"BLOCK_K", std::to_string(tile->depth)}};
}

} // namespace tilescope::app
