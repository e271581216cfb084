// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Dtype.h"

namespace tilescope::profiler {

/// How far apart, relative to their size, two results of a type may be that were computed in
/// different ways; 0 for integers.
double relativeTolerance(Dtype dtype);

/// The smallest positive number of a floating type with all bits of its mantissa; 0 for integers.
double smallestNormal(Dtype dtype);

} // namespace tilescope::profiler
