// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/RunLaunch.h"

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace tilescope::app {

using Sizes = std::map<std::string, std::string>;

/// Sizes that a fix is tried with beside those of the launch: all of them changed, or else one. None where arrays come
/// from files.
std::vector<Sizes> otherSizes(compiler::WorkerClient &worker, const LaunchRequest &request,
                              const std::stop_token &stop);

/// All sizes twice as large, of which a kernel that takes whole blocks alone leaves out nothing; nothing where there
/// are none, or arrays come from files.
std::optional<Sizes> doubledSizes(compiler::WorkerClient &worker, const LaunchRequest &request,
                                  const std::stop_token &stop);

} // namespace tilescope::app
