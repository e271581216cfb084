// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/analysis/SweepPictures.h"

#include <string>

namespace tilescope::profiler {

/// A picture of a sweep as inline SVG. Colors are CSS classes of the page; each point says on hovering
/// what it is.
std::string sweepSvg(const Sweep &sweep, const SweepPicture &picture);

} // namespace tilescope::profiler
