// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/SourceRange.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// A layout as plain numbers: the images of the powers of two of every hardware dimension.
///
/// Example: `#ttg.blocked<{sizePerThread=[2], threadsPerWarp=[32], warpsPerCTA=[1], order=[0]}>` on
/// a tensor of 64 elements is `register: [[1]]`, `lane: [[2],[4],[8],[16],[32]]`, `warp: []`. The
/// element held by (register r, lane l, warp w) is the XOR of the bases at the set bits of r, l, w.
struct LayoutBases {
  /// Name of the hardware dimension: `register lane warp block` or, for shared memory, `offset
  /// block`.
  std::string input;
  /// One entry per input bit; each has one component per tensor dimension.
  std::vector<std::vector<int32_t>> bases;
  bool operator==(const LayoutBases &) const = default;
};

/// The layout of one tensor (or shared-memory buffer) value of TTGIR, ready to draw.
struct LayoutFacts {
  /// The name the value has in the printed stage, e.g. `%12`, or `%arg0`.
  std::string value;
  /// Operation that defines it, e.g. `tt.load`.
  std::string op;
  /// The full type as printed.
  std::string type;
  /// The encoding with aliases resolved, e.g. `#ttg.blocked<{…}>`.
  std::string encoding;
  std::vector<int64_t> shape;
  std::string elementType;
  int32_t elementBits = 0;
  std::vector<LayoutBases> layout;
  /// Lives in shared memory (`!ttg.memdesc`).
  bool shared = false;
  /// Line of the TTGIR text that defines it, 0-based.
  uint32_t stageLine = 0;
  /// Where in the source it came from; empty range when unknown.
  SourceRange source;
  bool operator==(const LayoutFacts &) const = default;
};

} // namespace tilescope::compiler
