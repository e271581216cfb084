// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <unistd.h>

namespace tilescope::app {

/// How far what works for the window stands behind it when there are more threads than processors.
/// A key must never wait for the compile of the key before it, nor a compile for a run, which takes
/// all processors. A thread that is woken goes ahead of one that stands ten steps behind it at
/// once; five steps may still cost it a scheduler's slice of several milliseconds.
inline constexpr int kCompileNiceness = 10;
inline constexpr int kRunNiceness = 15;

/// Puts the calling thread, and the processes that it will start, behind by as many steps. Linux
/// has a priority for each thread. Between fork and exec it may be called as well.
inline void standBehind(int niceness) { [[maybe_unused]] const int now = nice(niceness); }

} // namespace tilescope::app
