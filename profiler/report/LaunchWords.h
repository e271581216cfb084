// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/report/ReportData.h"

#include <string>

namespace tilescope::profiler {

/// `Left out: rms_fwd, line 24; rms_bwd, line 50.` Empty where nothing is.
std::string launchesLeftOut(const ReportKernel &kernel);

/// `1 launch`, `20 launches`.
std::string launchCount(int64_t count);

} // namespace tilescope::profiler
