// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Dtype.h"

#include <cstdint>

namespace tilescope::profiler {

/// How far apart, relative to their size, two results of a type may be that were computed in
/// different ways; 0 for integers.
double relativeTolerance(Dtype dtype);

/// The share of the size of what an element is computed from by which it may be off, beside
/// `relativeTolerance`: some roundings of fp32 and fp64, where approximations of functions err by a
/// few, and one to two of the others; 0 for integers.
double termShare(Dtype dtype);

/// The most extreme of so many roundings over what `termShare` covers: a few of a million normal
/// numbers are five times as large as the typical one. Wide types have room for that anyway.
double extremeOf(Dtype dtype, int64_t numElements);

/// The smallest positive number of a floating type with all bits of its mantissa; 0 for integers.
double smallestNormal(Dtype dtype);

} // namespace tilescope::profiler
