// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The counts of an access without looking at its elements.
//
// Where every bit of a place (of register, lane or warp) moves the element along one dimension by a
// power of two of its own, the address is a sum over the place's bits:
//
//     element index of a place = XOR of bases = sum of bases         no two bits meet
//     address of a place       = base + sum over its bits of w[bit]  w = step * basis
//
// The addresses of a request are then the sums of subsets of five numbers. Sorted by size they grow
// into runs: a number that is as long as the run so far makes it twice as long; any other repeats
// the runs at its distance. Example: 4-byte elements, w = 4, 8, 16, 256, 512:
//
//     4, 8, 16   one run of 32 bytes          256, 512   four of them, 256 bytes apart
//
// so four sectors if the base is a multiple of 32. A run of `length` bytes touches
// (start mod 32 + length - 1) / 32 + 1 sectors, and runs that are whole sectors apart touch as many
// each. Requests whose start lies at the same place within a line cost the same, so the starts of
// all warps and registers are counted by that place alone, bit by bit, and nothing is visited.
#pragma once

#include "compiler/access/AccessCounter.h"

namespace tilescope::compiler::access {

/// The counts of one execution; nothing where the addresses of a request do not fall into runs that
/// are whole lines apart, or where bits of the layout meet.
std::optional<AccessCounts> countAffine(const AccessPlan &plan, const AffineAddresses &addresses);

} // namespace tilescope::compiler::access
