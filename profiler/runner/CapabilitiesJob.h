// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Capabilities.h"

namespace tilescope::profiler {

/// What this machine can do. A library that is missing is part of the answer.
Capabilities capabilitiesHere();

} // namespace tilescope::profiler
