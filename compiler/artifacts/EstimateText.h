// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Estimate.h"

#include <string>

namespace tilescope::compiler {

/// `452 µs on an H100 SXM, limited by tensor cores`; of none, `not predicted: …` with the reason.
std::string estimateHeadline(const Estimate &estimate);

/// What a measurement beside the prediction says, as a sentence without a full stop: "measured 1.8
/// times the prediction: …". Empty where both agree as well as can be expected, or there is no
/// prediction.
std::string estimateGap(const Estimate &estimate, double measuredUs);

} // namespace tilescope::compiler
