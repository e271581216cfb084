// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "compiler/artifacts/Estimate.h"
#include "compiler/estimate/DeviceRates.h"
#include "compiler/estimate/MemoryTraffic.h"

#include <optional>

namespace tilescope::compiler::estimate {

/// What is known of a launch before it runs.
struct EstimateInput {
  /// Compiled to SASS.
  const CompileResult *result = nullptr;
  TrafficInput traffic;
  /// A driver's name for the device; empty: the usual one of the target.
  std::string device;
};

/// The facts and what follows from them, or the reason why something that is needed is missing.
Estimate findEstimate(const EstimateInput &input);

} // namespace tilescope::compiler::estimate
