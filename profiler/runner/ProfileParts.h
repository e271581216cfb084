// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/runner/JobProcess.h"

/// A profile is made of several jobs, each in a process of its own: CUPTI's parts exclude each
/// other, and what ends one leaves the results of the others.
namespace tilescope::profiler {

/// As `runInChild`; a `run` that asks for counters or samples then goes on with a child for each,
/// and has their results in its own. A part that cannot be had is among the result's `refusals`;
/// where that are counters, those of the whole device are looked at in their place.
Result<nlohmann::json> runWithParts(const ChildCommand &command, const nlohmann::json &request,
                                    const ChildLimits &limits, const ChildHooks &hooks);

} // namespace tilescope::profiler
