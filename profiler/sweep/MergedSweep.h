// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/analysis/Sweep.h"

#include <functional>
#include <string_view>
#include <unordered_map>

namespace tilescope::profiler {

/// A result as it is kept while millions are: 72 bytes. Negative or NaN: there is none.
struct MergedPoint {
  float medianUs, minUs, maxUs, gbPerS, tflopPerS, occupancy;
  int32_t registers, spillBytes, sharedBytes, threads, gpu;
  /// Of `MergedSweep::name`.
  uint32_t work = 0, model = 0, place = 0, uuid = 0, reason = 0;
  SweepStatus status = SweepStatus::Open;
};

/// What is known of a task from what it wrote.
struct TaskState {
  uint32_t numDecided = 0;
  /// How often it began.
  uint32_t numBegun = 0;
  /// Of its last run that came to its end; negative: none did.
  float seconds = -1;
  /// The error that its last run ended with, of `MergedSweep::name`.
  uint32_t fault = 0;
};

/// The results of many tasks, merged as their logs are read, one after the other: time grows with the lines, and memory
/// with the points, by less than 100 bytes each. Of a point that was measured again on the same model the last result
/// counts; results of different models are kept beside each other.
class MergedSweep {
public:
  /// `sweep`: file, kernel, axes and sizes; its points are not looked at.
  MergedSweep(Sweep sweep, size_t numTasks, std::string identity);

  /// Adds the log of a task as it is now. A log of another sweep, or a line that is none, is an error.
  Status add(size_t task, std::string_view log);

  const Sweep &sweep() const { return m_sweep; }
  size_t numPoints() const { return m_points.size(); }
  size_t numTasks() const { return m_tasks.size(); }
  const TaskState &task(size_t index) const { return m_tasks[index]; }
  /// Every point of the task is decided: measured, given up or failed.
  bool isDone(size_t task) const;
  const std::string &name(uint32_t id) const { return m_names[id]; }

  /// Every result, in order of points; a point without one is `Open`. A point that several models measured comes
  /// several times.
  void forEach(const std::function<void(size_t index, const MergedPoint &point)> &visit) const;
  SweepPoint point(size_t index, const MergedPoint &merged) const;

private:
  uint32_t idOf(const std::string &name);
  Status take(size_t task, size_t index, const SweepPoint &point);
  MergedPoint compact(const SweepPoint &point);

  Sweep m_sweep;
  std::string m_identity;
  std::vector<MergedPoint> m_points;
  /// Of points that several models measured: those behind the first.
  std::unordered_multimap<size_t, MergedPoint> m_more;
  std::vector<TaskState> m_tasks;
  std::vector<std::string> m_names;
  std::unordered_map<std::string, uint32_t> m_ids;
};

/// A sweep for pictures and tables: all points, if they are at most so many; else the fastest of each work
/// and model, up to that number, and those without which pictures would be wrong: of the works that
/// are drawn the fastest for every pair of values and every number of registers; the winner's; and
/// some that failed for each reason. `Sweep::leftOut` counts the others.
Sweep reducedSweep(const MergedSweep &merged, size_t mostPoints);

/// A line for each result, as `sweepCsv` has them, a piece at a time.
Status writeMergedCsv(const MergedSweep &merged,
                      const std::function<Status(std::string_view)> &write);

} // namespace tilescope::profiler
