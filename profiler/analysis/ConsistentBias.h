// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Errors that all go one way. Each element may be within its tolerance, and the whole be wrong: roundings to
// the nearest number go either way, so that over many elements they cancel out.
//
//     mean over 1024 columns in place of 1000, bf16:    each element 1.2 % too large, of 1.6 % that pass
//                                                       all of 64,000 together: 1.2 % ± 0.001 %
#pragma once

#include "profiler/data/Tensor.h"

#include <optional>

namespace tilescope::profiler {

/// By which share of what is expected all elements together are too large (or too small, negative), where
/// roundings do not explain it; nothing where they may. `epsilon`: the distance from 1 to the next
/// number of the coarsest type that is rounded to. Elements that are no numbers on either side are left
/// out.
std::optional<double> consistentBias(const Tensor &actual, const Tensor &expected, double epsilon);

} // namespace tilescope::profiler
