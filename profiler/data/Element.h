// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Dtype.h"

#include <cstddef>
#include <cstdint>

namespace tilescope::profiler {

/// The element at `source` as a double. Exact for every type but 64-bit integers beyond 2^53.
double readElement(Dtype dtype, const std::byte *source);

/// As `readElement` for `count` elements in a row, at the speed of memory. The sign and the payload
/// of NaN may differ.
void readElements(Dtype dtype, const std::byte *source, int64_t count, double *target);

/// Stores `value` at `target`. Floats round to nearest, ties to even, in one step; beyond the range
/// they become infinity, or the largest finite number where the type has no infinity. Integers
/// truncate toward zero and saturate; NaN becomes 0.
void writeElement(Dtype dtype, double value, std::byte *target);

/// The element of an integer type, `U64` reinterpreted as signed.
int64_t readInteger(Dtype dtype, const std::byte *source);
/// Keeps the low bits. For integer types.
void writeInteger(Dtype dtype, int64_t value, std::byte *target);

/// The bits of an element that nothing has written: a NaN with its own payload for floats, the
/// repeated byte 0xA5 for integers, `true` for `I1`. The widest type uses all eight bytes.
uint64_t poisonBits(Dtype dtype);
/// The element's bits, zero-extended.
uint64_t elementBits(Dtype dtype, const std::byte *source);

} // namespace tilescope::profiler
