// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Dtype.h"

namespace tilescope::profiler {

/// How far apart, relative to their size, two results of a type may be that were computed in
/// different ways; 0 for integers.
double relativeTolerance(Dtype dtype);

/// The share of the size of what an element is computed from by which it may be off, beside
/// `relativeTolerance`: some roundings of fp32 and fp64, where approximations of functions err by a
/// few, and one to two of the others; 0 for integers.
double termShare(Dtype dtype);

/// The smallest positive number of a floating type with all bits of its mantissa; 0 for integers.
double smallestNormal(Dtype dtype);

} // namespace tilescope::profiler
