// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Buffers in tensor memory. An address is `row << 16 | column`, with columns of 32 bits.
// Source: PTX ISA, "Tensorcore 5th generation family instructions".
#pragma once

#include "compiler/conversion/ttg_to_llvm/common/Lowering.h"
#include "compiler/dialects/ttng/ir/Dialect.h"
#include "compiler/layout/TensorMemory.h"

namespace tilescope::compiler {

/// Bytes of shared memory in which the hardware says where a kernel's tensor memory begins.
inline constexpr int64_t kTensorAddressBytes = 16;
inline constexpr int kTensorRowShift = 16;

/// How many columns a buffer takes.
int64_t tensorColumns(ttg::MemDescType type);

/// Where a buffer's elements are, relative to the buffer.
class TensorPlaces {
public:
  explicit TensorPlaces(ttg::MemDescType type);

  /// The address of the word that holds an element.
  int64_t address(int64_t down, int64_t right) const { return place(down, right).first; }
  /// Which element of the word it is.
  int64_t part(int64_t down, int64_t right) const { return place(down, right).second; }

private:
  std::pair<int64_t, int64_t> place(int64_t down, int64_t right) const;

  LinearLayout m_fromTensor;
  int64_t m_columns, m_perWord;
};

/// Emitted when the kernel starts, by all warps: the address of its tensor memory.
mlir::Value allocateTensorMemory(Lowering &lowering, int64_t columns);
/// Before the kernel returns.
void freeTensorMemory(Lowering &lowering, int64_t columns);

/// The matrix unit's operations are ordered with those of other threads by barriers only between
/// these two.
void beginTensorOperations(Lowering &lowering);
void endTensorOperations(Lowering &lowering);

/// Emits what `body` emits for one thread of the group's first warp where `predicate` (of a source
/// value, or null) holds; `body` gets the condition under which instructions execute.
void byElectedThread(Lowering &lowering, mlir::Value predicate,
                     llvm::function_ref<void(mlir::Value isElected)> body);

} // namespace tilescope::compiler
