// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/package/LaunchPlan.h"

#include <nlohmann/json.hpp>

/// Launch plans as part of larger JSON documents.
namespace tilescope::profiler {

nlohmann::json planToJson(const LaunchPlan &plan);
/// Throws an exception of the standard library or of nlohmann-json when the object is not a plan.
LaunchPlan planFromJson(const nlohmann::json &object);

} // namespace tilescope::profiler
