// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ModelTimes.h"

#include "compiler/estimate/DeviceRates.h"

#include <algorithm>

namespace tilescope::app {

/// Between the kernels of a CUDA graph.
static constexpr double kLaunchUs = 2;
/// Of a multiprocessor.
static constexpr double kQuarters = 4, kFlopsPerFma = 2;

ModelTimes modelTimes(const compiler::ModelResult &model, const std::string &target) {
  const auto rates = compiler::estimate::deviceRates(target);
  if (!rates)
    return {};
  const double bytesPerUs = rates->dramGbPerS * 1e3;
  const double flopsPerUs =
      rates->multiprocessors * kQuarters * rates->fmaLanes * kFlopsPerFma * rates->clockGhz * 1e3;
  ModelTimes times{{}, std::string(rates->name)};
  for (const compiler::ModelKernel &kernel : model.kernels)
    times.us.push_back(kLaunchUs + std::max(static_cast<double>(kernel.bytes) / bytesPerUs,
                                            static_cast<double>(kernel.flops) / flopsPerUs));
  return times;
}

} // namespace tilescope::app
