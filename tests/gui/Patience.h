// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "tests/support/Sanitized.h"

namespace tilescope::tests {

/// How long a test waits for what is sure to come, before it fails.
inline constexpr int kPatienceMs = 120000 * kSlowdown;

} // namespace tilescope::tests
