// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cassert>
#include <cstdint>
#include <string>

namespace tilescope::compiler {

/// The coordinates that layouts map between. Values up to `Column` are places in hardware; `Dim0`
/// and what follows are the dimensions of a tensor, outermost first.
enum class Dim : uint8_t {
  /// Index of a value among the registers of one thread.
  Register,
  Lane,
  Warp,
  /// Index of the thread block in its cluster.
  Block,
  /// Place in shared memory, counted in elements.
  Offset,
  /// Place in tensor memory.
  Row,
  Column,
  /// Scratch dimensions for intermediate maps, with no meaning of their own.
  Iteration,
  Segment,
  Bank,
  Vector,
  Dim0,
};

/// Most dimensions a tensor may have: sorting networks view 2^20 elements as a hypercube.
inline constexpr int kMaxTensorRank = 24;

/// Dimension `index` of a tensor.
inline Dim tensorDim(int index) {
  assert(index >= 0 && index < kMaxTensorRank);
  return static_cast<Dim>(static_cast<int>(Dim::Dim0) + index);
}
inline bool isTensorDim(Dim dim) { return dim >= Dim::Dim0; }
/// Index of a tensor dimension; the inverse of `tensorDim`.
inline int tensorDimIndex(Dim dim) {
  assert(isTensorDim(dim));
  return static_cast<int>(dim) - static_cast<int>(Dim::Dim0);
}

/// `register`, `lane`, `warp`, `block`, `offset`, …, `dim0`, `dim1`, …
std::string dimName(Dim dim);

} // namespace tilescope::compiler
