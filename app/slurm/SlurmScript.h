// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/slurm/SlurmOptions.h"

#include <span>
#include <string>
#include <vector>

namespace tilescope::app {

/// What a task of an array runs.
struct SlurmJob {
  /// Of the array, as the queue shows it.
  std::string name;
  /// The folder in which the command runs.
  std::string folder;
  /// The program and its arguments; the number of the task follows them.
  std::vector<std::string> command;
};

/// The script that `sbatch` takes. Its argument is the number of the task that the array's index 0 stands
/// for, so that one script serves arrays for any tasks.
std::string slurmScript(const SlurmJob &job, const SlurmOptions &options);

/// One `sbatch`: tasks first + 0, first + 1, …
struct SlurmArray {
  size_t first = 0;
  /// `0-63,70`: indices into the array.
  std::string indices;
  size_t numTasks = 0;
};

/// The arrays that run some tasks, given in ascending order. Slurm's indices are below `arrayLimit`
/// (its `MaxArraySize`).
std::vector<SlurmArray> slurmArrays(std::span<const size_t> tasks, size_t arrayLimit);

} // namespace tilescope::app
