// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Dtype.h"

#include <cstdint>

namespace tilescope::profiler {

/// How far apart, relative to their size, two results of a type may be that were computed in
/// different ways; 0 for integers.
double relativeTolerance(Dtype dtype);

/// In which kernels compute what they store as a type: fp64, and for all others fp32.
Dtype computedIn(Dtype dtype);

/// The share of the size of what an element is computed from by which it may be off: some roundings of
/// the type in which kernels compute, where approximations of functions err by a few.
double termShare(Dtype dtype);

/// The smallest positive number of a floating type with all bits of its mantissa; 0 for integers.
double smallestNormal(Dtype dtype);

} // namespace tilescope::profiler
