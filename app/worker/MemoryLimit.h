// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <cstdint>

namespace tilescope::app {

/// The share of the bytes that each of `numWorkers` workers may take. Never so little that a worker
/// could not hold the compiler itself.
uint64_t shareOfMemory(uint64_t allBytes, unsigned numWorkers);

/// Limits this process's address space, so that a runaway compilation ends in a report and not in
/// the machine's memory running out. All workers together may take `TILESCOPE_MEMORY_LIMIT_MB`,
/// else three quarters of what the machine has, at least 2 GiB. Does nothing under a sanitizer,
/// whose bookkeeping needs terabytes.
void limitMemory(unsigned numWorkers);

} // namespace tilescope::app
