// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/report/ReportData.h"

#include <string>

namespace tilescope::profiler {

/// What an access moves: `128 sectors`, `8 wavefronts, at least 4`.
std::string movedText(const ReportAccess &access);
/// `50 %` of what it moves; a dash where it moves nothing.
std::string usedText(const ReportAccess &access);

} // namespace tilescope::profiler
