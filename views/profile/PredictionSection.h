// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/profile/ProfileSections.h"

namespace tilescope::views {

/// What was predicted beside what was measured: the whole time, and the lines with the largest shares.
ProfileSection predictionSection(const profiler::ProfileDocument &profile);

} // namespace tilescope::views
