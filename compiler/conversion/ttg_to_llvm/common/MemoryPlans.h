// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What decides which instructions an access becomes. The lowering asks these functions, and so does
// who counts accesses without lowering them: they cannot disagree.
#pragma once

#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/layout/LinearLayout.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace tilescope::compiler {

/// Bits of the thread's number that are zero in exactly one of the threads that hold copies of the
/// same elements.
uint32_t copyMask(const LinearLayout &layout, int numThreads);

/// Where registers, lanes and warps are in a buffer with this layout, in elements.
LinearLayout placesInShared(const LinearLayout &shared, const LinearLayout &registers);
/// Register bits that move the element by 1, 2, 4, … places, and by nothing else: those of the
/// elements that one access of at most `limit` elements moves.
llvm::SmallVector<int> vectorRegisterBits(const LinearLayout &places, int limit);

/// How a layout's bits become the rows of the matrices that `ldmatrix` reads, and places within
/// them.
struct MatrixForm {
  bool isTransposed = false;
  /// Places of the bits that walk along a row, and of those that number the 8 rows.
  llvm::SmallVector<uint64_t> along, rows;
  /// Of the words of 32 bits that a thread holds, one for each matrix.
  llvm::SmallVector<uint64_t> words;
  /// Log2 of the matrices that one instruction reads.
  size_t countBits = 0;
};
/// Nothing where `ldmatrix` does not fit. `bytes`: of an element.
std::optional<MatrixForm> findMatrixForm(const LinearLayout &places, int bytes);

/// Whether the GPU has an instruction that adds reals of this type atomically (PTX ISA, `atom`);
/// without one, LLVM makes a loop.
bool hasAtomicAdd(mlir::Type element, int capability);
/// How many elements an atomic operation takes at once, of those that an access may take.
int atomicWidth(tt::AtomicRMWOp op, mlir::Type element, int capability, int accessWidth);

} // namespace tilescope::compiler
