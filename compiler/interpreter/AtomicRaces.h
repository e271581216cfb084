// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Plain loads and stores beside atomic operations of other programs on the same element. An atomic
// operation is whole, but does not make others wait, so a plain access beside it is before or behind
// it by chance:
//
//   tl.atomic_add(sum_ptr, s);  total = tl.load(sum_ptr)     what the others have added by then
//   if pid == 0: tl.store(sum_ptr, 0.0)                      may undo what they have added
//   tl.atomic_add(sum_ptr, s)
//
// As with plain accesses, what comes behind an atomic operation whose result is used is ordered: it
// may have waited for a lock, or have learned that it is the last. Only arguments that a kernel
// accesses in both ways are recorded (`MemoryArea::atomics`).
#pragma once

#include "compiler/interpreter/RaceRecords.h"
#include "compiler/interpreter/Races.h"

namespace tilescope::compiler::interpreter {

struct ElementAtomics {
  /// That changed the element.
  TwoPrograms updates;
  TwoPrograms stores;
};

/// Who has used atomic operations on an element: an operation of `scope="cta"` is atomic for its own
/// program alone, so that beside it those of other programs are as plain accesses, whatever their
/// scope is, unless something else orders them. (What two blocks of one program do, with `num_ctas`
/// above 1, is not recorded.)
struct ElementScopes {
  TwoPrograms all;
  TwoPrograms ofOneBlock;
};

/// An atomic operation of this program has changed nothing, and what it returns is stored: a load in
/// other words. `area` has tables of accesses and atomics. Before the program learns what was
/// released at this element: it would then come behind by chance.
void noteAtomicRead(const Instruction &op, Frame &frame, const MemoryArea &area, int64_t offset,
                    size_t size);

/// An atomic operation of this program on an element of `area`, which has a table of scopes.
void noteScope(const Instruction &op, Frame &frame, const MemoryArea &area, int64_t offset,
               size_t size);

/// An atomic operation of this program, which has not waited for others, has changed an element.
/// `addsUp`: doing it again would change the element again.
void noteUpdate(const Instruction &op, Frame &frame, const MemoryArea &area, int64_t offset,
                size_t size, bool addsUp);

/// Before a row of granules is written to `area`, which has a table of atomics: reports the first
/// race with an atomic operation unless the store `hasReported` one.
void checkUpdates(const Instruction &op, Frame &frame, const MemoryArea &area, Element element,
                  const WrittenRow &row, bool &hasReported);
/// After it was written.
void noteStores(const Instruction &op, Frame &frame, const MemoryArea &area, Element element,
                const WrittenRow &row);

} // namespace tilescope::compiler::interpreter
