// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Named layouts as linear maps. Every function takes plain numbers, so that the dialect's
// attributes, the tests and the pictures construct the very same object.
//
// The general recipe: a *tile* says how the hardware of one thread block covers a small piece of a
// tensor; `fitToShape` repeats it in registers until the piece is covered, cuts what sticks out,
// and puts the thread blocks of a cluster on top. Tensor dimensions come out with the last one
// lowest (row-major).
#pragma once

#include "compiler/layout/LinearLayout.h"

#include <span>
#include <vector>

namespace tilescope::compiler {

using Shape = std::span<const int64_t>;
using Sizes = std::span<const unsigned>;

/// `block` -> tensor dimensions of a cluster with one thread block.
LinearLayout singleBlockCluster(int rank);
/// `block` -> tensor dimensions from the images of the bits of the block index.
LinearLayout clusterLayout(int rank, std::span<const std::vector<int32_t>> bases);
/// The same from how many blocks there are along each dimension, into how many pieces the dimension
/// is split (fewer pieces than blocks: the rest hold copies), and the dimensions in the order of
/// block bits.
LinearLayout clusterLayout(Sizes blocks, Sizes pieces, Sizes order);

/// Repeats or cuts `tile` to the part of `shape` that one block of `cluster` holds, then adds the
/// cluster. Repetitions go to the first input dimension of `tile`, walking its output dimensions in
/// their order.
LinearLayout fitToShape(LinearLayout tile, LinearLayout cluster, Shape shape);

/// Parameters of `#ttg.blocked`; `order` lists dimensions fastest first.
struct BlockedParameters {
  std::vector<unsigned> sizePerThread;
  std::vector<unsigned> threadsPerWarp;
  std::vector<unsigned> warpsPerBlock;
  std::vector<unsigned> order;
  bool operator==(const BlockedParameters &) const = default;
};

/// Spreads lanes, then warps over `shapePerBlock`, fastest dimensions first; the slowest takes the
/// rest.
BlockedParameters defaultBlocked(Shape shapePerBlock, Sizes sizePerThread, Sizes order,
                                 unsigned numWarps, unsigned threadsPerWarp = 32);

LinearLayout blockedLayout(Shape shape, const BlockedParameters &blocked,
                           const LinearLayout &cluster);

/// `parent` is the layout of the shape with a 1 inserted at `dim`; the result lacks that dimension.
LinearLayout slicedLayout(const LinearLayout &parent, int dim);

/// Operand 0 ([.., M, K]) or 1 ([.., K, N]) of a dot whose result is blocked: every thread holds
/// all of K. `cluster` is the result's.
LinearLayout blockedOperandLayout(Shape shape, const BlockedParameters &result, int operand,
                                  const LinearLayout &cluster);

/// Parameters of `#ttg.nvidia_mma`. Version 2: `mma.sync`, instruction [M, N]; version 3: `wgmma`,
/// instruction [M, N, K].
struct MmaParameters {
  int version = 2;
  std::vector<unsigned> warpsPerBlock;
  std::vector<unsigned> instructionShape;
};

/// The accumulator of a matrix instruction.
LinearLayout mmaLayout(Shape shape, const MmaParameters &mma, const LinearLayout &cluster);
/// An operand of a matrix instruction in registers; `kWidth` elements of K sit side by side in a
/// register. `cluster` is the accumulator's.
LinearLayout mmaOperandLayout(Shape shape, const MmaParameters &mma, int operand, unsigned kWidth,
                              const LinearLayout &cluster);

/// Parameters of `#ttg.swizzled_shared`: chunks of `vec` elements are permuted within a row by XOR
/// with the row's phase, which advances every `perPhase` rows and wraps at `maxPhase`.
struct SwizzleParameters {
  unsigned vec = 1;
  unsigned perPhase = 1;
  unsigned maxPhase = 1;
  std::vector<unsigned> order;
  bool operator==(const SwizzleParameters &) const = default;
};

LinearLayout swizzledSharedLayout(Shape shape, const SwizzleParameters &swizzle,
                                  const LinearLayout &cluster);

/// The swizzle with which `mma.sync` operands are read free of bank conflicts.
SwizzleParameters operandSwizzle(Shape shapePerBlock, Sizes order, int operand, unsigned kWidth,
                                 unsigned elementBits, bool transposed = false);

/// Parameters of `#ttg.nvmma_shared`.
struct NvmmaSharedParameters {
  /// 0, 32, 64 or 128.
  unsigned swizzleBytes = 128;
  /// The contiguous dimension is the first instead of the last.
  bool transposed = false;
  unsigned elementBits = 16;
};

LinearLayout nvmmaSharedLayout(Shape shape, const NvmmaSharedParameters &nvmma,
                               const LinearLayout &cluster);

/// The layout of `#ttg.padded_shared` before padding: elements one after the other, `order` fastest
/// first.
LinearLayout unpaddedSharedLayout(Shape shape, Sizes order, const LinearLayout &cluster);

/// A gap of `padding` elements after every `interval` elements.
struct PaddingRule {
  unsigned interval = 1;
  unsigned padding = 0;
};
/// Where element offset `offset` lands once the gaps are inserted.
int64_t paddedOffset(int64_t offset, std::span<const PaddingRule> rules);

/// Repeats or cuts a layout given by its bases to another shape; the register bits that get cut are
/// dropped. Repetition follows the order in which the layout's own registers walk the dimensions.
LinearLayout refitLinear(const LinearLayout &layout, Shape shape);

/// Dimensions of a distributed or shared layout of rank `rank`, fastest first, as its first input
/// dimension walks them; dimensions it does not touch follow, last first.
std::vector<unsigned> registerOrder(const LinearLayout &layout, int rank);

} // namespace tilescope::compiler
