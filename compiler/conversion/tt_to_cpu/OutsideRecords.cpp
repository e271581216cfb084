// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/OutsideRecords.h"

#include "compiler/conversion/tt_to_cpu/StoreMarks.h"

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

/// Called by native code. `isOutside`: per address, whether it counts. `times`: how many elements each
/// address stands for. A program may be ended while it is in here: nothing is held.
static void noteOutside(std::byte *scratch, int64_t access, const int64_t *addresses,
                        const uint8_t *isOutside, int64_t numAddresses, int64_t times) {
  OutsideElements &elements = reinterpret_cast<OutsideElements *>(scratch + kAlignment)[access];
  *reinterpret_cast<uint64_t *>(scratch) += elements.count == 0;
  for (int64_t i = 0; i < numAddresses; ++i)
    if (isOutside[i])
      elements.add(addresses[i], static_cast<uint64_t>(times));
}

void *outsideFunction(std::string_view symbol) {
  return symbol == kNoteOutside ? reinterpret_cast<void *>(&noteOutside) : nullptr;
}

} // namespace tilescope::cpu
