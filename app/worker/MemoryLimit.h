// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstddef>

namespace tilescope::app {

/// Limits this process's address space, so that a runaway compilation ends in a report and not in
/// the machine's memory running out: `TILESCOPE_MEMORY_LIMIT_MB`, else three quarters of what the
/// machine has, at least 2 GiB. Does nothing under a sanitizer, whose bookkeeping needs terabytes.
void limitMemory();

} // namespace tilescope::app
