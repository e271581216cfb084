// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/ModelComparison.h"

#include <nlohmann/json_fwd.hpp>

namespace tilescope::app {

/// Whether the kernels agree with the model's own operations, or which one is the first to diverge. `plan`: of the
/// form that was tried.
std::string modelVerdictText(const ModelComparison &comparison, const ModelPlan &plan);

/// The same, and each output of the model.
std::string modelComparisonText(const ModelComparison &comparison, const ModelPlan &plan);

/// All that was compared, for scripts; numbers that are not finite are null.
nlohmann::json modelComparisonJson(const std::string &file, const ModelComparison &comparison);

} // namespace tilescope::app
