// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Dtype.h"
#include "profiler/package/EvaluateLaunch.h"
#include "profiler/package/LaunchPlan.h"

#include <optional>
#include <string>

namespace tilescope::profiler {

/// Triton's specialization of a host value that is not a compile-time value.
std::optional<PlanScalar> scalarOf(const LaunchValue &value);

/// A value as an argument of a given type; nothing when the type cannot hold its kind.
std::optional<PlanScalar> convertScalar(const PlanScalar &scalar, Dtype dtype,
                                        const std::string &type);

} // namespace tilescope::profiler
