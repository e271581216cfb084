// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// From encodings, which are notation, to linear layouts, which are what they mean. Layouts are
// computed once per type and context.
#pragma once

#include "compiler/dialects/ttg/ir/Encodings.h"
#include "compiler/dialects/ttg/ir/Types.h"
#include "compiler/layout/Encodings.h"
#include "compiler/layout/LinearLayout.h"

#include "mlir/IR/BuiltinTypes.h"

namespace tilescope::ttg {

/// Where the elements of a block live; the block must carry an encoding.
const compiler::LinearLayout &toLinearLayout(mlir::RankedTensorType type);
/// Where the elements of a buffer live: the layout of what was allocated, without the dimensions
/// that indexing removed. For a smaller view, coordinates are relative to the allocation.
const compiler::LinearLayout &toLinearLayout(MemDescType type);
const compiler::LinearLayout &toLinearLayout(llvm::ArrayRef<int64_t> shape,
                                             mlir::Attribute encoding);

/// Dimensions of the layout, fastest first: as the encoding says, or as registers, then lanes walk
/// them.
llvm::SmallVector<unsigned> fastestDims(mlir::RankedTensorType type);
llvm::SmallVector<unsigned> fastestDims(llvm::ArrayRef<int64_t> shape, mlir::Attribute encoding);
/// Per dimension, how many consecutive elements every thread holds.
llvm::SmallVector<unsigned> contiguousPerThread(mlir::RankedTensorType type);
/// How many registers a thread uses for the block, counting copies.
unsigned elementsPerThread(mlir::RankedTensorType type);

/// A blocked encoding with exactly this layout, or none.
BlockedEncodingAttr asBlocked(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> shape,
                              const compiler::LinearLayout &layout, CgaLayoutAttr cga);

/// What has to happen to bring a block from one layout to another.
enum class ConversionKind {
  /// Every thread already holds what it needs, in the same registers.
  None,
  /// Within threads: registers are renamed.
  Registers,
  /// Within warps: by shuffles.
  Lanes,
  /// Through shared memory.
  SharedMemory,
  /// Between the blocks of a cluster.
  Cluster,
};
ConversionKind classifyConversion(mlir::RankedTensorType from, mlir::RankedTensorType to);

} // namespace tilescope::ttg
