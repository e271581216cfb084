// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/EstimateText.h"

#include <cstdio>

namespace tilescope::compiler {

static std::string numberText(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), value < 10 ? "%.1f" : "%.0f", value);
  return text;
}

std::string estimateHeadline(const Estimate &estimate) {
  if (!estimate.isKnown())
    return "not predicted: " + estimate.reason;
  const std::string name = estimate.parts.empty() ? std::string(bottleneckName(estimate.bottleneck))
                                                  : estimate.parts.front().name;
  std::string text =
      numberText(estimate.us) + " µs on the " + estimate.device + ", limited by " + name;
  if (estimate.facts.confidence == EstimateConfidence::Ptx)
    text += " (from PTX, so less certain)";
  return text;
}

std::string estimateGap(const Estimate &estimate, double measuredUs) {
  if (!estimate.isKnown() || estimate.us <= 0 || measuredUs <= 0)
    return {};
  const double ratio = measuredUs / estimate.us;
  if (ratio > kEstimateGap)
    return "measured " + numberText(ratio) +
           " times the prediction: something costs time that the "
           "model does not know, such as lower clocks, other work on the device, or caches that "
           "keep less";
  if (ratio < 1 / kEstimateGap)
    return "predicted " + numberText(1 / ratio) +
           " times what was measured: the caches keep more "
           "than the model grants, or the launch does less than was counted";
  return {};
}

} // namespace tilescope::compiler
