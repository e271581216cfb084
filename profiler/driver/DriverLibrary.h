// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/driver/DynamicLibrary.h"

namespace tilescope::profiler {

/// Opens libcuda: as the loader finds it, else in the folders where distributions, containers and
/// WSL have it. A login over ssh often lacks the `LD_LIBRARY_PATH` of other logins.
Result<DynamicLibrary> openCudaLibrary();

} // namespace tilescope::profiler
