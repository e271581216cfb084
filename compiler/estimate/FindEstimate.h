// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "compiler/artifacts/Estimate.h"
#include "compiler/artifacts/LoopFacts.h"
#include "compiler/estimate/DeviceRates.h"
#include "compiler/estimate/MemoryTraffic.h"

#include <optional>

namespace tilescope::compiler::estimate {

/// What is known of a launch before it runs.
struct EstimateInput {
  /// Compiled to SASS, or to PTX where the machine has no assembler or no disassembler.
  const CompileResult *result = nullptr;
  TrafficInput traffic;
  /// Of the source, with the launch's numbers and their bodies in their ranges: of loops that access no memory
  /// they say how often they go round. May be empty.
  std::vector<LoopFacts> loops;
  /// That go into `EstimateFacts`.
  std::vector<std::string> assumptions;
  /// A driver's name for the device; empty: the usual one of the target.
  std::string device;
};

/// The facts and what follows from them, or the reason why something that is needed is missing.
Estimate findEstimate(const EstimateInput &input);

} // namespace tilescope::compiler::estimate
