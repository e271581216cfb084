// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/package/ModelPackage.h"

#include <string>
#include <utility>
#include <vector>

namespace tilescope::profiler {

/// A model as the sources in `runtime/` read it; the form is described in `runtime/tilescope_plan.h`.
struct DeployPlan {
  /// `model.plan`
  std::string text;
  /// `model.weights`
  std::string weights;
  /// In the folder `kernels`, by name.
  std::vector<std::pair<std::string, std::string>> kernels;
};

/// An error: a launch does not fit its kernel.
Result<DeployPlan> deployPlan(const ModelPackage &package);

} // namespace tilescope::profiler
