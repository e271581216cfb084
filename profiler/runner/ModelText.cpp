// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/runner/ModelText.h"

#include "compiler/support/Counted.h"
#include "profiler/data/TimeText.h"

#include <algorithm>
#include <fmt/format.h>

namespace tilescope::profiler {

std::string describeSteps(const ModelMeasurement &measurement) {
  // By falling time, then in their order.
  std::vector<std::pair<double, size_t>> order;
  for (size_t i = 0; i < measurement.steps.size(); ++i)
    if (const auto us = measurement.steps[i].us)
      order.emplace_back(-*us, i);
  std::ranges::sort(order);
  std::string text;
  for (const auto &[negativeUs, i] : order)
    text += fmt::format("{:>10}  {} of {}\n", timeText(-negativeUs), measurement.steps[i].kernel,
                        measurement.steps[i].node);
  return text;
}

std::string describeModel(const ModelMeasurement &measurement) {
  const size_t count = measurement.steps.size();
  std::string text = fmt::format("{} launch{} on {}: prepared in {}, the first run took {}\n",
                                 count, count == 1 ? "" : "es", measurement.device.name,
                                 timeText(measurement.prepareUs), timeText(measurement.firstUs));
  double sum = 0;
  for (const StepMeasurement &step : measurement.steps)
    sum += step.us.value_or(0);
  if (const auto &graph = measurement.graphUs)
    text +=
        fmt::format("as one CUDA graph: {} (median of {} runs, {} to {}); its kernels one after "
                    "another: {}; {}\n",
                    timeText(graph->median), graph->n, timeText(graph->min), timeText(graph->max),
                    timeText(sum), counted(measurement.edges, "edge"));
  for (const std::string &note : measurement.notes)
    text += "note: " + note + "\n";
  return text;
}

} // namespace tilescope::profiler
