// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// `wgmma.mma_async`: what its text and its descriptors mean.
// Source: PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions".
#pragma once

#include "compiler/ptx/PtxModule.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::tests {

using namespace compiler;

constexpr size_t kGroupRows = 64;

/// One form of the instruction: 64 rows, `columns` columns, `depth` steps along K.
struct PtxGroupForm {
  size_t columns = 0, depth = 0;
  std::string result, left, right;
};

/// What the modifiers say; nothing for an unknown form.
std::optional<PtxGroupForm> groupForm(const PtxInstruction &instruction);

/// A factor in shared memory, as its descriptor says.
struct PtxGroupFactor {
  uint64_t descriptor = 0;
  /// Rows run along M or N instead of K.
  bool isTransposed = false;
  size_t elementBytes = 2;
  /// Where the shared memory begins that the descriptor counts from.
  size_t base = 0;

  /// Where the element at `outer` along M or N and `k` along K begins.
  uint64_t addressOf(size_t outer, size_t k) const;
};

/// Value of element `index` of a register that holds several of the named type.
double matrixElement(uint32_t word, int index, std::string_view type);
int matrixElementBits(std::string_view type);
/// The bits of a sum, as the result's type holds it.
uint32_t matrixSum(double sum, std::string_view type);

} // namespace tilescope::tests
