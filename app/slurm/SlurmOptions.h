// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilescope::app {

/// `partition=gpu,gres=gpu:h100:1,array=64,time=30,running=16,slow=600`
struct SlurmOptions {
  /// Tasks that share the points; nothing: one for every 16 points, at most 256.
  std::optional<size_t> numTasks = std::nullopt;
  /// Tasks that run at once; nothing: as many as there is room for.
  std::optional<size_t> numRunning = std::nullopt;
  /// Seconds beyond which a running task is slow; nothing: five times the median of those that are
  /// done, and at least a minute.
  std::optional<double> slowSeconds = std::nullopt;
  /// For `sbatch`, by name: `partition`, `gres`, `time`, `account`, …
  std::vector<std::pair<std::string, std::string>> batch = {};
};

Result<SlurmOptions> parseSlurmOptions(const std::string &text);

} // namespace tilescope::app
