// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/SweepEstimate.h"

#include "compiler/estimate/DeviceRates.h"
#include "compiler/estimate/Predict.h"

#include <algorithm>

namespace tilescope::app {

bool isPredicted(const profiler::Sweep &sweep) {
  constexpr size_t kMost = 256;
  return sweep.points.size() <= kMost;
}

void takeEstimate(const compiler::Estimate &estimate, const std::string &model,
                  profiler::Sweep &sweep, profiler::SweepPoint &point) {
  if (!estimate.isKnown())
    return;
  const std::string &device = point.model.empty() ? model : point.model;
  const auto rates = compiler::estimate::deviceRates(estimate.facts.target, device);
  const compiler::Estimate here =
      device.empty() || !rates ? estimate : compiler::estimate::predict(estimate.facts, *rates);
  point.predictedUs = here.us;
  const std::string note =
      "predicted times are the static model's, for the " + here.device + " with a cold L2 cache";
  if (std::ranges::find(sweep.notes, note) == sweep.notes.end())
    sweep.notes.push_back(note);
}

} // namespace tilescope::app
