// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/StoreMarks.h"

#include <algorithm>
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

/// Notes who stores to `count` elements, and a race where another program has stored there, or this one before, and
/// `isDoubtful` of the element's place in the tile.
template <typename IsDoubtful>
static void noteStores(std::byte *scratch, uint32_t *marks, const int64_t *offsets,
                       const uint8_t *mask, int64_t count, int64_t bytes, IsDoubtful isDoubtful) {
  auto &head = *reinterpret_cast<CheckHead *>(scratch);
  const int shift = std::countr_zero(static_cast<uint64_t>(bytes));
  const uint32_t mine = head.mark, programBits = ~head.executionBits;
  for (int64_t i = 0; i < count; ++i) {
    if (!mask[i])
      continue;
    uint32_t &mark = marks[offsets[i] >> shift];
    const bool isMet = mark != 0 && (mark == mine || ((mark ^ mine) & programBits) != 0);
    if (isMet && isDoubtful(i))
      head.hasRace = 1;
    mark = mine;
  }
}

/// Called by native code in front of a store of `count` elements. Two programs that store to one element at
/// the same moment may miss each other, as in the interpreter.
static void checkStore(std::byte *scratch, uint32_t *marks, const std::byte *memory,
                       const int64_t *offsets, const uint8_t *mask, const std::byte *values,
                       int64_t count, int64_t bytes) {
  const StoredTile tile{offsets, mask, values, memory, static_cast<size_t>(bytes)};
  noteStores(scratch, marks, offsets, mask, count, bytes,
             [&](int64_t i) { return tile.changes(i); });
}

/// The same for an argument that is loaded, too: whoever stores to an element a second time may have read it before, or
/// update it twice, so that equal values are in doubt as well.
static void checkInPlace(std::byte *scratch, uint32_t *marks, const std::byte * /*memory*/,
                         const int64_t *offsets, const uint8_t *mask, const std::byte * /*values*/,
                         int64_t count, int64_t bytes) {
  noteStores(scratch, marks, offsets, mask, count, bytes, [](int64_t) { return true; });
}

/// The same for neighbors, of which `first` is the first one's offset; `wanted`: a bit for each.
template <auto check>
static void checkOfRun(std::byte *scratch, uint32_t *marks, const std::byte *memory, int64_t first,
                       uint64_t wanted, const std::byte *values, int64_t count, int64_t bytes) {
  int64_t offsets[64];
  uint8_t mask[64];
  for (int64_t i = 0; i < count; ++i) {
    offsets[i] = first + i * bytes;
    mask[i] = (wanted >> i & 1) != 0;
  }
  check(scratch, marks, memory, offsets, mask, values, count, bytes);
}

/// Called by native code for a load of `count` elements that are no neighbors.
static void noteRead(const std::byte *scratch, uint32_t *reads, const int64_t *offsets,
                     const uint8_t *mask, int64_t count, int64_t bytes) {
  const auto &head = *reinterpret_cast<const CheckHead *>(scratch);
  const int shift = std::countr_zero(static_cast<uint64_t>(bytes));
  const uint32_t mine = head.mark & ~head.executionBits;
  for (int64_t i = 0; i < count; ++i) {
    if (!mask[i])
      continue;
    uint32_t &read = reads[offsets[i] >> shift];
    read = read == 0 || read == mine ? mine : kReadBySeveral;
  }
}

uint32_t executionBitsOf(uint64_t numPrograms) {
  const int bits = std::max(32 - static_cast<int>(std::bit_width(numPrograms)), 0);
  return static_cast<uint32_t>((uint64_t(1) << bits) - 1);
}

bool changesWhatOthersRead(std::span<const uint32_t> stores, std::span<const uint32_t> reads,
                           uint32_t executionBits) {
  // Without a branch an element, many are looked at together.
  constexpr size_t kTogether = 4096;
  for (size_t begin = 0; begin < stores.size(); begin += kTogether) {
    const size_t end = std::min(begin + kTogether, stores.size());
    uint32_t others = 0;
    for (size_t i = begin; i < end; ++i) {
      const uint32_t isBoth = stores[i] != 0 && reads[i] != 0 ? UINT32_MAX : 0;
      const uint32_t bySeveral = reads[i] & executionBits;
      others |= isBoth & (bySeveral | ((stores[i] ^ reads[i]) & ~executionBits));
    }
    if (others != 0)
      return true;
  }
  return false;
}

void *storeFunction(std::string_view symbol) {
  if (symbol == kNoteRead)
    return reinterpret_cast<void *>(&noteRead);
  if (symbol == kCheckInPlace)
    return reinterpret_cast<void *>(&checkInPlace);
  if (symbol == kCheckStoreOfRun)
    return reinterpret_cast<void *>(&checkOfRun<checkStore>);
  if (symbol == kCheckInPlaceOfRun)
    return reinterpret_cast<void *>(&checkOfRun<checkInPlace>);
  return symbol == kCheckStore ? reinterpret_cast<void *>(&checkStore) : nullptr;
}

} // namespace tilescope::cpu
