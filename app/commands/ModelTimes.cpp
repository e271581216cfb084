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

/// Without launches.
static std::vector<double> kernelTimes(const compiler::ModelResult &model,
                                       const compiler::estimate::DeviceRates &rates) {
  const double bytesPerUs = rates.dramGbPerS * 1e3;
  const double flopsPerUs =
      rates.multiprocessors * kQuarters * rates.fmaLanes * kFlopsPerFma * rates.clockGhz * 1e3;
  std::vector<double> us;
  for (const compiler::ModelKernel &kernel : model.kernels)
    us.push_back(std::max(static_cast<double>(kernel.bytes) / bytesPerUs,
                          static_cast<double>(kernel.flops) / flopsPerUs));
  return us;
}

std::vector<double> leastTimes(const compiler::ModelResult &model, const std::string &target,
                               const std::string &device) {
  const auto rates = compiler::estimate::deviceRates(target, device);
  return rates ? kernelTimes(model, *rates) : std::vector<double>();
}

ModelTimes modelTimes(const compiler::ModelResult &model, const std::string &target) {
  const auto rates = compiler::estimate::deviceRates(target);
  if (!rates)
    return {};
  ModelTimes times{kernelTimes(model, *rates), std::string(rates->name)};
  for (double &us : times.us)
    us += kLaunchUs;
  return times;
}

} // namespace tilescope::app
