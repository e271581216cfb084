// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Estimate.h"
#include "compiler/estimate/DeviceRates.h"

namespace tilescope::compiler::estimate {

/// Numbers that no data sheet has, fitted to measured times (docs/estimate.md).
struct ModelConstants {
  /// Of the memory's rate, what loads and stores reach.
  double dramEfficiency = 0.9;
  /// How much of what is written stays in L2 behind the end of the kernel, as a part of L2.
  double writesKept = 0.3;
  /// Of a kernel without programs.
  double startUs = 1.6;
  /// For a program to begin and end on its multiprocessor.
  double programCycles = 700;
  /// How sharply the largest part decides: a sum at 1, the largest alone at infinity.
  double exponent = 3;
};

/// What each resource alone would take, and together:
///
///     us = start + (dram^p + l2^p + … + latency^p)^(1/p)
Estimate predict(EstimateFacts facts, const DeviceRates &device,
                 const ModelConstants &constants = {});

} // namespace tilescope::compiler::estimate
