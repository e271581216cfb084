// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

namespace tilescope::tests {

/// Memory of the window's process and of its workers, in MiB.
struct ProcessMemory {
  /// Of the machine's memory.
  double window = 0;
  /// What the window has allocated and not returned. The rest of its memory is code, pictures, and
  /// what the allocator keeps.
  double windowInUse = 0;
  double compiler = 0;
  double run = 0;
};

/// `compilerId` is the process that compiles; all other child processes carry out runs.
ProcessMemory processMemory(long long compilerId);

} // namespace tilescope::tests
