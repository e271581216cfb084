// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace tilescope::app {

/// How long the threads of a process that still exist have waited for a processor, summed; nothing
/// where the system does not say.
std::optional<std::chrono::milliseconds> processorWait(int64_t process);

} // namespace tilescope::app
