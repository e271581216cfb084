// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Estimate.h"
#include "compiler/estimate/DeviceRates.h"

namespace tilescope::compiler::estimate {

/// Numbers that no data sheet has, fitted to measured times (docs/estimate.md).
struct ModelConstants {
  /// Of the memory's rate, what loads and stores reach.
  double dramEfficiency = 0.906;
  /// How much of what is written stays in L2 behind the end of the kernel, as a part of L2.
  double writesKept = 0.22;
  /// Of a kernel without programs.
  double startUs = 2.1;
  /// Between the starts of two programs, anywhere on the device.
  double cyclesBetweenPrograms = 1.28;
  /// From one atomic operation on a sector to the next one on it, at L2. As a kernel that counts tokens of
  /// 64 experts took; sums of fp32 seem to take longer.
  double cyclesBetweenAtomics = 13;
  /// How sharply the largest part decides: a sum at 1, the largest alone at infinity.
  double exponent = 3.1;
};

/// What each resource alone would take, and together:
///
///     us = start + (dram^p + l2^p + … + latency^p)^(1/p)
Estimate predict(EstimateFacts facts, const DeviceRates &device,
                 const ModelConstants &constants = {});

} // namespace tilescope::compiler::estimate
