// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What is said of accesses outside of the arguments' memory, by whatever executes the kernel: addresses
// are those of MemoryArea.h.
#pragma once

#include "compiler/interpreter/Execution.h"

namespace tilescope::compiler::interpreter {

enum class AccessKind { Load, Store, Atomic };

/// What an access does to each element.
struct AccessedElement {
  AccessKind kind = AccessKind::Load;
  size_t sizeBytes = 0;
  bool operator==(const AccessedElement &) const = default;
};

/// The elements that one access of one program accesses outside.
struct OutsideElements {
  uint64_t count = 0;
  int64_t first = 0;
  /// As far as they belong to the area of the first.
  int64_t lowest = 0;
  int64_t highest = 0;

  /// `times`: how many elements have this address.
  void add(int64_t address, uint64_t times = 1);
};

/// The area that an address belongs to and the offset in it; null area if it belongs to none.
struct Place {
  const MemoryArea *area = nullptr;
  int64_t offset = 0;
};
Place findPlace(const Execution &execution, int64_t address);

/// An element of an argument as messages name it, `x_ptr[0, 32]` (without backticks), from its
/// number in an argument of `extent` elements; by this number where no shape of so many is known.
/// One outside of the tensor is in rows before or behind it.
std::string elementName(const MemoryArea &area, int64_t number, int64_t extent);

/// The finding about elements, of which there is at least one. It has no place in the source yet.
InterpreterFinding outsideFinding(const Execution &execution,
                                  const std::array<int32_t, 3> &programId,
                                  const AccessedElement &access, const OutsideElements &elements);

/// Makes one finding of two about the same program and argument: what rounds of a loop, or the copies
/// of one that was unrolled, access outside. False: they are about others.
bool joinOutside(const Execution &execution, InterpreterFinding &earlier,
                 const InterpreterFinding &finding);

/// Whether the same was found at another copy of the same place, in a loop that was unrolled: it is a
/// part of that finding then.
bool joinsCopy(const Execution &execution, const InterpreterFinding &finding,
               std::vector<InterpreterFinding> &findings);

} // namespace tilescope::compiler::interpreter
