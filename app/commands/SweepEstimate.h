// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Estimate.h"
#include "profiler/analysis/Sweep.h"

#include <string>

namespace tilescope::app {

/// Whether times of a sweep's points are predicted: of very many it would take as long as compiling them.
bool isPredicted(const profiler::Sweep &sweep);

/// Keeps the time that is predicted of a point, for the GPU that is to measure it where its rates are known.
/// `model`: that of the sweep's first GPU; empty: none measures.
void takeEstimate(const compiler::Estimate &estimate, const std::string &model,
                  profiler::Sweep &sweep, profiler::SweepPoint &point);

} // namespace tilescope::app
