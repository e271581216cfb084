// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/analysis/Sweep.h"

#include <string>
#include <vector>

namespace tilescope::app {

/// An array of jobs that was submitted.
struct SubmittedArray {
  std::string job;
  /// The task that index 0 stands for.
  size_t first = 0;
};

/// The folder of a sweep whose points Slurm's tasks share. It must be one that all nodes see.
///
///     tasks.jsonl              the sweep, the number of tasks, and a line for each array that was submitted
///     job.sh                   what sbatch takes
///     tasks/000/000017.jsonl   what task 17 writes (profiler/sweep/TaskLog.h)
///     points.csv, report.html  what was merged last
class SlurmFolder {
public:
  /// A new one. A folder that holds a sweep already is an error.
  static Result<SlurmFolder> make(const std::string &path, const profiler::Sweep &sweep,
                                  const std::string &identity, size_t numTasks);
  /// One that is there.
  static Result<SlurmFolder> open(const std::string &path);
  /// That it is of this sweep.
  Status check(const std::string &identity) const;

  const std::string &path() const { return m_path; }
  const std::string &identity() const { return m_identity; }
  size_t numTasks() const { return m_numTasks; }
  const profiler::Sweep &sweep() const { return m_sweep; }
  const std::vector<SubmittedArray> &arrays() const { return m_arrays; }
  std::string scriptPath() const { return m_path + "/job.sh"; }
  std::string taskPath(size_t task) const;

  Status add(const SubmittedArray &array);

private:
  std::string m_path;
  std::string m_identity;
  profiler::Sweep m_sweep;
  size_t m_numTasks = 0;
  std::vector<SubmittedArray> m_arrays;
};

} // namespace tilescope::app
