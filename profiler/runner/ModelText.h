// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/ModelMeasurement.h"

namespace tilescope::profiler {

/// A model's run on a device as lines of text for users: `85 launches on NVIDIA H200: …`.
std::string describeModel(const ModelMeasurement &measurement);
/// What each launch took, the longest first; empty: it was not measured.
std::string describeSteps(const ModelMeasurement &measurement);

} // namespace tilescope::profiler
