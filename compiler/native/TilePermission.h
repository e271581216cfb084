// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

namespace tilescope::native {

/// Asks the system, once, to let the threads of this process use the tile registers of AMX. It must be asked: it keeps
/// 8 KiB more of each thread that does. False: it does not let them, or knows nothing of such registers.
bool requestTiles();

} // namespace tilescope::native
