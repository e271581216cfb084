// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/analysis/OccupancyCliffs.h"

#include <QString>

namespace tilescope::views {

/// `6 programs of 4 warps on a multiprocessor, 24 of 64 warps; registers are the limit: …`
QString occupancySentence(const profiler::SmLimits &limits,
                          const profiler::KernelResources &kernel);

/// The capability of `cuda:90`; 0 for other targets.
int capabilityOf(const std::string &target);

} // namespace tilescope::views
