// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/slurm/SlurmScript.h"

#include <functional>
#include <string>
#include <string_view>

/// Slurm's own programs, as the user would call them.
namespace tilescope::app {

/// The least index that an array cannot have; Slurm's default where it does not say.
Result<size_t> slurmArrayLimit();

/// Submits an array; returns the number of its job.
Result<std::string> submitArray(const std::string &script, const SlurmArray &array,
                                const SlurmOptions &options);

struct QueuedTask {
  std::string job;
  /// The index into the array.
  size_t index = 0;
  bool isRunning = false;
  double seconds = 0;
  /// `PENDING`, `RUNNING`, `COMPLETING`, …
  std::string state = {};
};

/// The user's tasks in the queue.
Status readQueue(const std::function<void(const QueuedTask &)> &take);
/// A line of `squeue --format "%F %K %T %M"`; nothing when it is none of an array.
std::optional<QueuedTask> parseQueueLine(std::string_view line);

/// Ends tasks of a job.
Status cancelTasks(const std::string &job, const std::string &indices);

} // namespace tilescope::app
