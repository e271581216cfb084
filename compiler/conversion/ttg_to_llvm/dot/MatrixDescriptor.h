// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// How matrix instructions find a factor in shared memory.
//
// A descriptor is 64 bits: where the piece begins, two strides and the swizzle. The instruction
// reads units of 8 rows by 16 bytes; with swizzle, 8 rows by as many bytes as the swizzle is wide.
// What a row is depends on which way the factor lies:
//
//     along    rows run along K (K is contiguous):  a step along K is 32 bytes of every row;
//              `stride` leads from 8 rows to the next 8
//     across   rows run along M or N, one row for each K:  `stride` leads from 8 K to the next 8,
//              `leading` from one swizzle's width to the next
//
// Without swizzle, `leading` and `stride` change places where the factor lies across.
// Source: PTX ISA, "Asynchronous Warpgroup Level Matrix Shared Memory Layout".
#pragma once

#include "compiler/conversion/ttg_to_llvm/memory/Buffers.h"

namespace tilescope::compiler {

/// What the instruction reads of a factor.
struct MatrixSource {
  mlir::Value buffer;
  /// The dimension that is not K, and how much of it one instruction takes.
  int outerDim = 0;
  int64_t outerSize = 64;
  /// How much of K one instruction takes.
  int64_t depth = 16;
  /// What each bit of the warp's number adds to the coordinate along `outerDim`.
  llvm::SmallVector<uint64_t> warpOffsets;
  /// Whether `tcgen05.mma` reads it, instead of `wgmma`: its descriptors have a version, and 8-bit
  /// factors may lie across.
  bool isForTensorCore = false;
};

class MatrixDescriptor {
public:
  /// Fails, with an error on `op`, where the buffer does not lie as the instruction reads it.
  static mlir::FailureOr<MatrixDescriptor> create(mlir::Operation *op, Lowering &lowering,
                                                  const MatrixSource &source);

  /// The descriptor of the piece that begins at these coordinates.
  mlir::Value at(int64_t outer, int64_t k);
  /// Whether rows run along M or N.
  bool isAcross() const { return m_isAcross; }

private:
  explicit MatrixDescriptor(Builder &builder) : m_builder(&builder) {}

  Builder *m_builder;
  /// Where coordinates land, in bytes.
  llvm::SmallVector<uint64_t> m_outerOffsets, m_depthOffsets;
  bool m_isAcross = false;
  /// The descriptor of the warp's first piece.
  mlir::Value m_base;
  llvm::DenseMap<uint64_t, mlir::Value> m_made;
};

} // namespace tilescope::compiler
