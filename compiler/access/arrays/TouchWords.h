// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a window and a report say of programs and arrays, in the same words.
#pragma once

#include "compiler/access/arrays/ReuseDistance.h"
#include "compiler/access/arrays/WaveTraffic.h"

#include <string>

namespace tilescope::compiler::access {

/// `a_ptr [512, 512]`.
std::string arrayTitle(const TouchedArrays &arrays, size_t array);
/// `a_ptr[3, 17]`.
std::string elementText(const TouchedArrays &arrays, size_t array, const ArrayElement &element);
/// `rows 64 to 127, columns 0 to 31`; of a vector `elements 0 to 1023`; of more dimensions with
/// their slices.
std::string boxText(const ArrayShape &shape, const ElementBox &box);
/// Which slices: `[1, 3]`.
std::string sliceText(const ArrayShape &shape, int64_t slice);
/// What a program does with an array in some steps: `reads rows 64 to 127, columns 0 to 31`;
/// `reads elements 768 to 999; 24 masked`; `does not touch it`, or `not in this iteration`.
std::string touchText(const TouchedArrays &arrays, size_t array, uint64_t program,
                      const StepRange &steps);
/// What a program touches in all: `reads 128 KiB, writes 16 KiB`.
std::string programTotals(const TouchedArrays &arrays, uint64_t program, const StepRange &steps);
/// Of an element: `read by 8 programs`; `read by 1 to 8 programs, 3.5 on average`.
std::string countsText(const TouchCounts &counts, TouchKind kind);
/// `132 programs read 264 MiB; 36.1 MiB of it is different: each byte is read 7.3 times`.
std::string waveText(const WaveTraffic &traffic);
/// `All 8 waves fetch 289 MiB of the 2.1 GiB that their programs read; 64 MiB would be the least`.
std::string wavesText(const WavesTraffic &traffic);
/// `A cache of 50 MiB fetches 96 MiB of the 289 MiB that waves read`.
std::string reuseText(const ReuseDistance &reuse);
/// `up to 36 MiB read between two uses`.
std::string distanceText(const TouchCounts &distances);

} // namespace tilescope::compiler::access
