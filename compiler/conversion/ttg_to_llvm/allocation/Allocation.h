// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Places in shared memory. Buffers and scratch that are not alive at the same time share bytes:
//
//     live:   a |-----|                 bytes:  0 [ a ][ a ][ a ]
//             b    |------|                       [   ][ b ][ b ]    b starts after a
//             c          |----|                 0 [ c ]              c takes a's place
//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace tilescope::compiler {

/// Something that needs `size` bytes during the half-open interval of time [begin, end).
struct MemoryRequest {
  int64_t size = 0;
  int64_t alignment = 16;
  int64_t begin = 0;
  int64_t end = 0;
  /// Groups of warps run at the same time: what different ones need never shares bytes, whenever it
  /// is alive.
  static constexpr int kEverywhere = -1;
  int group = kEverywhere;

  bool meets(const MemoryRequest &other) const {
    const bool concurrent =
        group != kEverywhere && other.group != kEverywhere && group != other.group;
    return concurrent || (begin < other.end && other.begin < end);
  }
};

struct MemoryPlan {
  /// Per request.
  llvm::SmallVector<int64_t> offsets;
  int64_t total = 0;
};

/// Places every request, largest first, each at the lowest that is free during its life.
MemoryPlan planMemory(llvm::ArrayRef<MemoryRequest> requests);

} // namespace tilescope::compiler
