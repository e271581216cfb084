// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/layout/picture/CellMap.h"
#include "compiler/layout/picture/LayoutMap.h"

#include <string>

namespace tilescope::compiler {

/// The families into which a picture divides places.
enum class Family {
  Warp,
  Lane,
  Register,
  /// A lane of a warp: warps times lanes of them.
  Thread,
  /// The 32 banks of shared memory.
  Bank,
  /// What one bank holds in one of its rows: 4 bytes of shared memory.
  Word,
  /// A block of threads, of the several that run a program as a cluster.
  Block,
};

inline constexpr int kNumBanks = 32;

/// Bits that an element takes in memory; a condition is a bit in registers, and a byte there.
int memoryBits(const LayoutFacts &facts);
/// The bank that holds the first byte of an element at this offset.
int64_t bankOf(uint64_t offset, int elementBits);

/// The owners of places. A member is a number below `1 << bits`; higher bits are not 0 for places
/// that do not exist, as the owner of an element that no place holds.
struct Members {
  Family family = Family::Warp;
  int bits = 0;
  /// From places, as `LayoutMap::owners` makes them, to members.
  LinearLayout layout;

  uint64_t count() const { return uint64_t(1) << bits; }
  bool exists(uint64_t member) const { return member < count(); }
};

Members membersOf(const LayoutMap &map, Family family, int elementBits);

/// `w3`, `L13`, `r2`, `b31`, `B1`: a lane's letter is large, for a small one looks like a 1, and a
/// block's, for the small one is a bank's.
std::string memberLabel(Family family, uint64_t member);
/// Whose an element is, over two lines: `w0 L13` and `r2`, where there are several blocks `B1 w0`
/// and `L13 r2`, or in shared memory the offset.
/// Nothing for a place that does not exist.
std::string placeLabel(const LayoutMap &map, uint64_t place, bool isShared);

} // namespace tilescope::compiler
