// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/runner/Job.h"

namespace tilescope::profiler {

/// The request `model`, whose parameters Job.h lists.
Result<nlohmann::json> modelJob(const nlohmann::json &params, const JobProgress &progress);

} // namespace tilescope::profiler
