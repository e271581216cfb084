// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/SlurmFolder.h"
#include "app/slurm/SlurmOptions.h"
#include "profiler/sweep/MergedSweep.h"

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace tilescope::app {

/// How far the tasks of a sweep are.
struct TaskOverview {
  size_t numTasks = 0;
  size_t numDone = 0;
  size_t numRunning = 0;
  size_t numWaiting = 0;
  /// Neither done nor in the queue; known only when the queue is.
  std::vector<size_t> lost = {};
  /// Running for much longer than others took.
  std::vector<size_t> slow = {};
  /// Seconds: beyond which a task is slow, and the median of those that are done; nothing: not known.
  std::optional<double> slowSeconds = std::nullopt;
  std::optional<double> medianSeconds = std::nullopt;
  bool isQueueKnown = false;
  bool isResubmitted = false;
  /// Not done, as the logs say.
  std::vector<size_t> open = {};
  /// Of slow tasks, by job: their indices.
  std::map<std::string, std::string> slowByJob = {};

  /// Those that are lost or slow, in order.
  std::vector<size_t> toResubmit() const;
};

/// What the logs say.
TaskOverview overviewOf(const profiler::MergedSweep &merged);

/// What the queue says: which of the open tasks run, wait, are slow or lost.
Status addQueue(const SlurmFolder &folder, const SlurmOptions &options,
                const profiler::MergedSweep &merged, TaskOverview &overview);

/// Ends the slow ones, before they are submitted again.
Status cancelSlow(const TaskOverview &overview);

std::string overviewText(const TaskOverview &overview, const profiler::MergedSweep &merged);
nlohmann::json overviewJson(const TaskOverview &overview);

} // namespace tilescope::app
