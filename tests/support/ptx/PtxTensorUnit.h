// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Tensor memory and the matrix unit that writes it (`tcgen05`).
// Source: PTX ISA, "TensorCore 5th Generation Family Instructions".
#pragma once

#include "compiler/ptx/PtxModule.h"
#include "tests/support/ptx/PtxGroupMatrix.h"
#include "tests/support/ptx/SharedMemoryCheck.h"

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::tests {

using namespace compiler;

/// What a kernel has of tensor memory: 128 rows of words of 32 bits. An address is row and column.
struct PtxTensorMemory {
  static constexpr size_t kRows = 128, kColumns = 512;

  std::vector<uint32_t> words;
  /// The columns that the kernel has allocated.
  size_t begin = 0, count = 0;
  bool mayAllocate = true;

  static size_t index(uint64_t address, size_t rowsDown = 0, size_t columnsRight = 0) {
    return ((address >> 16) + rowsDown) % kRows * kColumns +
           ((address & 0xffff) + columnsRight) % kColumns;
  }
  /// Whether [address, address + columns) belongs to the kernel.
  bool holds(uint64_t address, size_t columns) const {
    const size_t column = address & 0xffff;
    return (address >> 16) < kRows && column >= begin && column + columns <= begin + count;
  }
};

/// A factor of a product.
struct PtxTensorFactor {
  std::string type;
  /// Where it is in shared memory; otherwise at `address` in tensor memory.
  std::optional<PtxGroupFactor> shared;
  uint64_t address = 0;
  /// Addresses and places within a word of the scales, where there are any.
  std::optional<uint64_t> scales;
  size_t firstScale = 0;
  /// Bits of an element, and how many of them lie side by side before a gap as wide; 0 for no gaps.
  size_t bits = 16, dense = 0;
};

/// What `tcgen05.mma` does.
struct PtxTensorProduct {
  std::string result;
  size_t rows = 0, columns = 0, depth = 0;
  /// Steps along K for which one scale holds, and the scales' type.
  size_t perScale = 0;
  std::string scaleType;
  PtxTensorFactor left, right;
  uint64_t to = 0;
  bool addsUp = false;

  /// The row of tensor memory below its address in which a row of the result is.
  size_t memoryRow(size_t row) const { return rows == 64 ? row / 16 * 32 + row % 16 : row; }
};

/// What an instruction says by its modifiers and its description; nothing for an unknown form.
std::optional<PtxTensorProduct> tensorProduct(const PtxInstruction &instruction,
                                              uint32_t description);
/// The value of an element of 4, 8, 16 or 32 bits.
double tensorElement(uint32_t bits, std::string_view type);

/// Something that the matrix unit does after everything that the same thread gave it before.
struct PtxTensorOperation {
  size_t thread = 0;
  std::optional<PtxTensorProduct> product;
  /// A copy of 32 rows of 16 bytes, to each quarter of the rows.
  std::optional<std::pair<PtxGroupFactor, uint64_t>> copy;
  /// The barrier that learns that all before is over.
  std::optional<uint64_t> barrier;
  /// The thread's knowledge by then.
  KnownSteps known;
  SharedMemoryCheck::Engine engine{0};
};

/// A load whose registers are not there yet.
struct PtxTensorLoad {
  size_t thread = 0;
  const PtxOperand *to = nullptr;
  uint32_t word = 0;
};

struct PtxTensorUnit {
  PtxTensorMemory memory;
  std::deque<PtxTensorOperation> operations;
  /// By warp: what it started and has not waited for.
  std::map<size_t, std::vector<PtxTensorLoad>> loads;
  std::map<size_t, SharedMemoryCheck::Engine> transfers, issued;
};

} // namespace tilescope::tests
