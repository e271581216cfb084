// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/data/OutputFolder.h"
#include "profiler/deploy/DeployPlan.h"

namespace tilescope::profiler {

/// Writes what a program of its own needs to run a model: its plan (`model.plan`), kernels (`kernels/`) and weights
/// (`model.weights`), the sources that run them with NVIDIA's driver alone, an example, and a README.md. Contents of inputs
/// are left out: the program has them. The packages, of which there is one for each set of shapes, were read or have the same
/// bounds.
Status exportModel(DeployPlanMaker &packages, const OutputFolder &folder);

} // namespace tilescope::profiler
