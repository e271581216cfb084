// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/OutsideRecords.h"

#include "compiler/conversion/tt_to_cpu/StoreMarks.h"

#include <algorithm>

using tilescope::compiler::interpreter::OutsideElements;

namespace tilescope::cpu {

/// Of the head, and of blocks.
static constexpr size_t kAlignment = 64;
static_assert(sizeof(CheckHead) <= kAlignment);

size_t outsideBytes(size_t numAccesses) {
  const size_t records = numAccesses * sizeof(OutsideElements);
  return kAlignment + (records + kAlignment - 1) / kAlignment * kAlignment;
}

bool hasOutside(const std::byte *scratch) {
  return *reinterpret_cast<const uint64_t *>(scratch) != 0;
}

const OutsideElements &outsideOf(const std::byte *scratch, size_t access) {
  return reinterpret_cast<const OutsideElements *>(scratch + kAlignment)[access];
}

static void noteElement(std::byte *scratch, int64_t access, int64_t address, uint64_t times) {
  OutsideElements &elements = reinterpret_cast<OutsideElements *>(scratch + kAlignment)[access];
  *reinterpret_cast<uint64_t *>(scratch) += elements.count == 0;
  elements.add(address, times);
}

// Called by native code. A program may be ended while it is in here: nothing is held.

/// `isOutside`: per address, whether it counts. `times`: how many elements each address stands for.
static void noteOutside(std::byte *scratch, int64_t access, const int64_t *addresses,
                        const uint8_t *isOutside, int64_t numAddresses, int64_t times) {
  for (int64_t i = 0; i < numAddresses; ++i)
    if (isOutside[i])
      noteElement(scratch, access, addresses[i], static_cast<uint64_t>(times));
}

/// For `lanes` neighbors of so many bytes, the first at the address `first`, of an argument of `size` bytes from `start`
/// on: notes those that are wanted and outside, and returns those that are wanted and inside, a bit for each.
static uint64_t insideOfRun(std::byte *scratch, int64_t access, int64_t first, int64_t start,
                            int64_t size, uint64_t wanted, int64_t lanes, int64_t bytes) {
  const auto room = static_cast<uint64_t>(std::max<int64_t>(size - (bytes - 1), 0));
  uint64_t inside = wanted;
  for (int64_t i = 0; i < lanes; ++i) {
    const int64_t address = first + i * bytes;
    const uint64_t lane = uint64_t(1) << i;
    if ((wanted & lane) == 0 || static_cast<uint64_t>(address - start) < room)
      continue;
    inside &= ~lane;
    noteElement(scratch, access, address, 1);
  }
  return inside;
}

void *outsideFunction(std::string_view symbol) {
  if (symbol == kInsideOfRun)
    return reinterpret_cast<void *>(&insideOfRun);
  return symbol == kNoteOutside ? reinterpret_cast<void *>(&noteOutside) : nullptr;
}

} // namespace tilescope::cpu
