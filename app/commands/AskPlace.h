// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/RunPlace.h"
#include "app/commands/RunnerConversation.h"
#include "profiler/data/Capabilities.h"

namespace tilescope::app {

/// Asks the runner of a place. A machine behind ssh that has no runner of this version gets it first:
/// `hooks.stepped` follows the copy as `copy`, in percent. A connection that is cut is made again, up
/// to three times, which `hooks.console` tells, and `hooks.progress` as `connect`; the request is then
/// answered anew. What there was of a profile is kept, as by `askRunner`.
Result<nlohmann::json> askPlace(const RunPlace &place, const nlohmann::json &request,
                                std::chrono::milliseconds patience, const RunnerHooks &hooks);

/// What a machine can run and measure; the number of the device is not looked at.
Result<profiler::Capabilities> capabilitiesOf(const RunPlace &place, const RunnerHooks &hooks = {},
                                              std::optional<double> timeLimit = std::nullopt);

} // namespace tilescope::app
