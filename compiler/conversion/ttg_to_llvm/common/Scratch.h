// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What operations need of shared memory for themselves. Allocation and lowering ask the same
// functions, so they cannot disagree.
#pragma once

#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/layout/Encodings.h"
#include "compiler/layout/LinearLayout.h"

namespace tilescope::compiler {

/// Bytes of shared memory that an operation needs while it executes, 0 for most.
int64_t scratchBytes(mlir::Operation *op);
/// Makes an operation need less, at the price of time, where it can; false where not.
bool reduceScratch(mlir::Operation *op);
/// Log2 of the parts in which a conversion goes through shared memory.
int exchangePartBits(ttg::ConvertLayoutOp op);
/// The layouts of a conversion, without registers that hold copies: those of a block's part of the
/// tensor, where every block of the cluster keeps its part.
struct ConversionLayouts {
  LinearLayout from, to;
  bool staysInParts = true;
};
ConversionLayouts layoutsInBlock(ttg::ConvertLayoutOp op);
/// The gaps between elements that an encoding of shared memory leaves.
llvm::SmallVector<PaddingRule> paddingOf(mlir::Attribute encoding);
/// Bytes of a buffer.
int64_t bufferBytes(ttg::MemDescType type);
/// What the start of a buffer must be a multiple of.
int64_t bufferAlignment(ttg::LocalAllocOp op);
inline constexpr int64_t kScratchAlignment = 128;
/// The attribute with the place of a `ttg.global_scratch_alloc`.
inline constexpr llvm::StringLiteral kGlobalScratchOffsetAttr = "ttg.global_scratch_memory_offset";
/// Bytes of the description of a tensor that bulk copies read.
inline constexpr int64_t kTensorMapBytes = 128;
/// Bytes that say what waiting warps are to do next.
inline constexpr int64_t kDispatchBytes = 4;
/// Bytes of each value that a group of warps captures.
inline constexpr int64_t kCaptureBytes = 8;

/// Bytes of one element of this type in shared memory.
int64_t sharedElementBytes(mlir::Type type);

/// How a reduction's warps cooperate: which warp bits step along the axis, and the results' layout.
struct ReduceShape {
  /// Lane and warp bits that step along the axis.
  llvm::SmallVector<int> laneBits, warpBits;
  /// Bits of a block's rank in the cluster that do, those of small steps first.
  llvm::SmallVector<int> blockBits;
  /// The source's layout without the axis, registers without copies: where results are.
  LinearLayout result;
  /// The same within a block's part of the results, of which there are so many.
  LinearLayout part;
  int64_t numResults = 1;
  int numWarpsAlongAxis() const { return 1 << warpBits.size(); }
  /// Whether one thread combines the partial results of a position, and all read what it finds: lanes with different
  /// results would each have to read many, one lane after the other, as results are whole rows of the banks apart.
  bool isCombinedOnce() const {
    static constexpr int kMostRead = 32;
    return result.inSize(Dim::Register) * numWarpsAlongAxis() > kMostRead &&
           llvm::any_of(result.columns(Dim::Lane), [](uint64_t column) { return column != 0; });
  }
};
/// Where the blocks' partial results are in a reduction's scratch memory: behind those of its warps.
int64_t blockPartialsOffset(tt::ReduceOp op, const ReduceShape &shape);
/// Fails where a bit of the layout steps along the axis and another dimension at once.
mlir::FailureOr<ReduceShape> analyseReduce(tt::ReduceOp op);

/// Bytes of the array that holds `count` partial results of one operand. The operands' arrays
/// follow each other, and each is read with accesses of up to 16 bytes.
int64_t partialBytes(int64_t count, mlir::Type type);

/// How a scan walks its axis: register bits, then lane bits, then warp bits, then register bits.
struct ScanShape {
  llvm::SmallVector<int> chunkBits, laneBits, warpBits, repeatBits;
  /// Registers that hold neighbors along other dimensions.
  llvm::SmallVector<int> parallelBits;
  /// Places per warp and register that hold the scan's partial results.
  int64_t slotsPerWarp = 0;
};
/// Fails where the layout walks the axis in another order.
mlir::FailureOr<ScanShape> analyseScan(tt::ScanOp op);

} // namespace tilescope::compiler
