// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/AtomicRaces.h"

#include "compiler/interpreter/AtomicOrder.h"
#include "compiler/interpreter/ReadRaces.h"

namespace tilescope::compiler::interpreter {

static constexpr const char *kSetBefore = "set % before the launch, or use atomic operations alone";

static constexpr const char *kLostUpdate = "one of the updates may be lost";
static constexpr const char *kWiderScope =
    "`scope=\"cta\"` makes an operation atomic for its own program alone: leave it out";

static void reportStore(Frame &frame, const MemoryArea &area, size_t index, uint64_t store,
                        uint64_t update) {
  reportPair(frame, {area, index, store, "stored", update, "changed by an atomic operation of",
                     kSetBefore});
}

void noteUpdate(const Instruction &op, Frame &frame, const MemoryArea &area, int64_t offset,
                size_t size, bool addsUp) {
  const uint64_t self = recordOf(frame, op) | (addsUp ? kAddsUp : 0);
  forEachGranule(area, offset, size, [&](size_t index) {
    area.atomics[index].updates.add(self, frame);
    if (const uint64_t store = area.atomics[index].stores.other(frame))
      reportStore(frame, area, index, store, self);
    if (area.accesses)
      if (const uint64_t reader = area.accesses[index].readers.other(frame))
        reportUpdatedRead(frame, area, index, reader, self);
  });
}

void noteAtomicRead(const Instruction &op, Frame &frame, const MemoryArea &area, int64_t offset,
                    size_t size) {
  const uint64_t self = recordOf(frame, op);
  forEachGranule(area, offset, size, [&](size_t index) {
    area.accesses[index].readers.add(self, frame);
    if (const uint64_t update = area.atomics[index].updates.other(frame))
      reportUpdatedRead(frame, area, index, self, update);
  });
}

void noteScope(const Instruction &op, Frame &frame, const MemoryArea &area, int64_t offset,
               size_t size) {
  const bool isOfOneBlock = (op.number[1] & kOfOneBlock) != 0;
  const uint64_t self = recordOf(frame, op);
  forEachGranule(area, offset, size, [&](size_t index) {
    ElementScopes &scopes = area.scopes[index];
    scopes.all.add(self, frame);
    if (isOfOneBlock)
      scopes.ofOneBlock.add(self, frame);
    const uint64_t other = (isOfOneBlock ? scopes.all : scopes.ofOneBlock).other(frame);
    if (other != 0)
      reportPair(frame, {area, index, isOfOneBlock ? self : other, "updated",
                         isOfOneBlock ? other : self, "by", kWiderScope, kLostUpdate});
  });
}

void checkUpdates(const Instruction &op, Frame &frame, const MemoryArea &area, Element element,
                  const WrittenRow &row, bool &hasReported) {
  const uint64_t self = recordOf(frame, op);
  forEachWritten(area, element, row, [&](size_t index, bool isChange) {
    const uint64_t update = area.atomics[index].updates.other(frame);
    // A maximum that is stored once more is what it was.
    if (update == 0 || hasReported || (!isChange && (update & kAddsUp) == 0))
      return;
    hasReported = true;
    reportStore(frame, area, index, self, update);
  });
}

void noteStores(const Instruction &op, Frame &frame, const MemoryArea &area, Element element,
                const WrittenRow &row) {
  const uint64_t self = recordOf(frame, op);
  ReleaseClocks *releases = area.isAwaited ? frame.execution().releases.get() : nullptr;
  for (size_t i = 0; i < row.count; ++i)
    forEachGranule(area, row.memory - area.data + row.stride * static_cast<int64_t>(i),
                   memorySize(element), [&](size_t index) {
                     area.atomics[index].stores.add(self, frame);
                     if (releases)
                       ReleaseClocks::Access(*releases, area.data + index * area.granule).forget();
                   });
}

} // namespace tilescope::compiler::interpreter
