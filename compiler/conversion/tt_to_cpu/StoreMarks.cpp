// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/StoreMarks.h"

#include <bit>
#include <cstring>

namespace tilescope::cpu {

namespace {
/// A tile of a store. `offsets` are bytes from the start of the argument.
struct StoredTile {
  const int64_t *offsets;
  const uint8_t *mask;
  const std::byte *values;
  const std::byte *memory;
  size_t bytes;

  /// What the tile has put at the place of an element before it; else what lies there.
  const std::byte *before(int64_t index) const {
    for (int64_t i = index - 1; i >= 0; --i)
      if (mask[i] && offsets[i] == offsets[index])
        return values + static_cast<size_t>(i) * bytes;
    return memory + offsets[index];
  }
  bool changes(int64_t index) const {
    return std::memcmp(values + static_cast<size_t>(index) * bytes, before(index), bytes) != 0;
  }
};
} // namespace

/// Called by native code in front of a store of `count` elements. Two programs that store to one element at
/// the same moment may miss each other, as in the interpreter.
static void checkStore(std::byte *scratch, uint32_t *marks, const std::byte *memory,
                       const int64_t *offsets, const uint8_t *mask, const std::byte *values,
                       int64_t count, int64_t bytes) {
  auto &head = *reinterpret_cast<CheckHead *>(scratch);
  const StoredTile tile{offsets, mask, values, memory, static_cast<size_t>(bytes)};
  const int shift = std::countr_zero(static_cast<uint64_t>(bytes));
  const uint32_t mine = head.mark, programBits = ~head.executionBits;
  for (int64_t i = 0; i < count; ++i) {
    if (!mask[i])
      continue;
    uint32_t &mark = marks[offsets[i] >> shift];
    const bool isMet = mark != 0 && (mark == mine || ((mark ^ mine) & programBits) != 0);
    if (isMet && tile.changes(i))
      head.hasRace = 1;
    mark = mine;
  }
}

void *storeFunction(std::string_view symbol) {
  return symbol == kCheckStore ? reinterpret_cast<void *>(&checkStore) : nullptr;
}

} // namespace tilescope::cpu
