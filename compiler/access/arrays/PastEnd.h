// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a program does not touch although its block covers it, because a mask turns it off, and what
// it touches outside of an array.
//
// Worked example (asserted by the unit test "the last block of a vector reaches past its end"): 1000
// elements in blocks of 256. Program 3 covers elements 768 to 1023; with a mask `i < 1000`, 24 of
// them are masked, and without it 24 are past the end. The vector is drawn in rows of 64: row 15 has
// room for 24 elements behind the last one, so no row is added.
#pragma once

#include "compiler/access/arrays/ArrayPlaces.h"
#include "compiler/access/arrays/TouchedArrays.h"

namespace tilescope::compiler::access {

/// Of all programs of the trace, cut to a part of the array that leaves it in sight.
PastEnd pastEnd(const TouchedArrays &arrays, size_t array);

/// The blocks of which a mask turns some elements off, in some steps. They may reach beyond the
/// array, and hold the elements that are on, too.
std::vector<ElementBox> maskedBlocks(const TouchedArrays &arrays, size_t array, uint64_t program,
                                     const StepRange &steps);
/// What a program touches behind the last element, as rows that follow the array's.
std::vector<ElementBox> boxesPastEnd(const TouchedArrays &arrays, size_t array, uint64_t program,
                                     const StepRange &steps);

/// Elements of one execution after another: of those accesses of a program to an array of which
/// there are most.
struct OutsideCounts {
  int64_t masked = 0, before = 0, past = 0;
  bool operator==(const OutsideCounts &) const = default;
};
OutsideCounts countOutside(const TouchedArrays &arrays, size_t array, uint64_t program,
                           const StepRange &steps);
/// `24 masked`, `1 before its first element, 24 past its end`; empty when there are none.
std::string outsideText(const OutsideCounts &counts);

} // namespace tilescope::compiler::access
