// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Moving registers to and from shared memory along a layout.
#pragma once

#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/conversion/ttg_to_llvm/common/Lowering.h"
#include "compiler/layout/Encodings.h"

namespace tilescope::compiler {

/// A region of shared memory and what is in it.
struct SharedRegion {
  mlir::Value base;
  /// `offset` in elements to the tensor's dimensions; a bijection.
  LinearLayout layout;
  /// Gaps between elements.
  llvm::SmallVector<PaddingRule> padding;
  /// Added (by XOR) to the coordinates, one per dimension; empty for none.
  llvm::SmallVector<mlir::Value> offsets;
};

/// Writes what the registers of `registers` hold; each element once.
void storeToShared(Lowering &lowering, const SharedRegion &region, const LinearLayout &registers,
                   mlir::ValueRange values);
/// Stores elements in storage form side by side, where `condition` (may be null) holds: without a
/// branch, into which LLVM would move the last steps of their computation, so that all that these
/// need would stay in registers until there.
void storeElements(Builder &b, mlir::Value condition, llvm::ArrayRef<mlir::Value> elements,
                   mlir::Value pointer);
/// Reads `count` neighbors of type `storage` with one instruction.
llvm::SmallVector<mlir::Value> loadStored(Builder &b, mlir::Value pointer, mlir::Type storage,
                                          size_t count);
/// Reads all registers.
Values loadFromShared(Lowering &lowering, const SharedRegion &region, const LinearLayout &registers,
                      mlir::Type element);

/// Where registers, lanes and warps are in the region, in elements.
LinearLayout offsetsInShared(const SharedRegion &region, const LinearLayout &registers);
/// The part of an element's offset that its register's number decides.
uint64_t registerOffset(const LinearLayout &toOffset, int index);

/// The address of the element at these coordinates, i32 each.
mlir::Value elementAddress(Builder &b, const SharedRegion &region,
                           llvm::ArrayRef<mlir::Value> coordinates, int elementBytes);

/// A thread's addresses in a region. Places that differ in bits which no thread sets share their
/// arithmetic.
class SharedAddresses {
public:
  /// `threadOffsets`: what each bit of the thread's number adds (by XOR), in elements.
  SharedAddresses(Lowering &lowering, const SharedRegion &region,
                  llvm::ArrayRef<uint64_t> threadOffsets, int elementBytes);
  /// The address at the thread's offset XOR `offset`, in elements.
  mlir::Value at(uint64_t offset);

private:
  Builder &m_builder;
  const SharedRegion &m_region;
  int m_elementBytes, m_scale;
  mlir::Value m_thread;
  /// Bits of the offset that differ between threads.
  uint64_t m_reached = 0;
  llvm::DenseMap<uint64_t, mlir::Value> m_pointers;
};

/// Where each of some accesses of `vectorElements` elements begins.
struct SharedAccesses {
  int vectorElements = 1;
  /// Per access: its registers in the order of memory, and the address.
  llvm::SmallVector<std::pair<llvm::SmallVector<int>, mlir::Value>> accesses;
};
/// The accesses with which `registers` reach all their elements; at most `maxBytes` each.
SharedAccesses planSharedAccesses(Lowering &lowering, const SharedRegion &region,
                                  const LinearLayout &registers, mlir::Type storage,
                                  int maxBytes = 16);

} // namespace tilescope::compiler
