// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/native/TilePermission.h"

#if defined(__linux__) && defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace tilescope::native {

bool requestTiles() {
#if defined(__linux__) && defined(__x86_64__)
  // ARCH_REQ_XCOMP_PERM of Linux from 5.16 on, and the number of the registers' content.
  constexpr long kRequestPermission = 0x1023, kTileData = 18;
  static const bool isPermitted = syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
  return isPermitted;
#else
  return false;
#endif
}

} // namespace tilescope::native
