// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The memory that a kernel's pointers lead to, at the addresses that it sees.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tilescope::compiler::interpreter {

struct ElementAccesses;
struct ElementAtomics;
struct ElementWarps;
struct ElementScopes;

/// The memory of one pointer argument.
///
/// Kernels see made-up addresses: the first element of area k is at (k + 1) * 2^44 + 2^43, so that
/// the area to which a wrong address belongs is known, however far outside it is.
struct MemoryArea {
  std::byte *data = nullptr;
  uint64_t size = 0;
  std::string name;
  /// Of the argument's tensor; empty: it is not known.
  std::vector<int64_t> shape = {};
  /// Of the argument's own type.
  size_t elementSize = 0;
  /// Bytes of the narrowest access that the kernel makes, or of an element if they are fewer.
  size_t granule = 0;
  /// Per `granule` bytes the program that wrote them last without an atomic, numbered from 1, or
  /// `kWrittenOtherwise`; 0: never written. Null: not recorded.
  uint32_t *writers = nullptr;
  /// The same with the place and the epoch of the store, where programs may wait for others
  /// (RaceRecords.h). Null: not recorded.
  uint64_t *stores = nullptr;
  /// The same for who read and changed them (ReadRaces.h). Null: not recorded.
  ElementAccesses *accesses = nullptr;
  /// The same for plain and atomic operations on the same bytes (AtomicRaces.h).
  ElementAtomics *atomics = nullptr;
  /// The same for the warps that stored and loaded them last (WarpRaces.h).
  ElementWarps *warps = nullptr;
  /// The same for atomic operations of `scope="cta"` and all others, where there are any.
  ElementScopes *scopes = nullptr;
  /// Programs load it, and others may change it.
  bool isShared = false;
  /// A program may wait for what others do to it (ProgramOrder.h).
  bool isAwaited = false;
  /// Programs use what atomic operations return of it, or compare it by them.
  bool isLookedAt = false;
};

/// Written by an atomic, or in parts: the last writer is unknown.
inline constexpr uint32_t kWrittenOtherwise = UINT32_MAX;

/// An element whose last writer is asked for.
struct Watch {
  const MemoryArea *area = nullptr;
  int64_t beginBytes = 0;
  int64_t endBytes = 0;
};

/// A write to a watched element.
struct WatchHit {
  /// Grows with time, over all threads; 0: no write.
  uint64_t order = 0;
  std::array<int32_t, 3> programId{};
  uint32_t location = 0;
};

inline constexpr int kAreaBits = 44;
inline constexpr int64_t areaAddress(size_t index) {
  return (static_cast<int64_t>(index + 1) << kAreaBits) + (int64_t(1) << (kAreaBits - 1));
}

} // namespace tilescope::compiler::interpreter
