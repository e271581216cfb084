// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/analysis/SweepLog.h"

#include <functional>
#include <string>
#include <string_view>
#include <variant>

/// What one task of a sweep writes, a line of JSON at a time, so that whatever ends it leaves all that
/// it had; a task that runs again adds to it:
///
///     {"task": 3, "tasks": 64, "identity": "…", "job": "1017_3", "node": "gpu07"}
///     {"point": 12, "values": {…}, "status": "measured", …}       as in SweepLog.h
///     {"fault": "there is no GPU"}                                 the task ended with an error
///     {"done": 3, "seconds": 41.5}
///
/// A last line that was cut off is none.
namespace tilescope::profiler {

struct TaskBegin {
  size_t task = 0;
  size_t numTasks = 1;
  std::string identity;
  std::string job = {};
  std::string node = {};
};
struct TaskPoint {
  size_t index = 0;
  SweepPoint point;
};
struct TaskCopy {
  std::string device;
  std::optional<double> copyGbPerS;
};
struct TaskFault {
  std::string message;
};
struct TaskDone {
  double seconds = 0;
};
using TaskLine = std::variant<TaskBegin, TaskPoint, TaskCopy, TaskFault, TaskDone>;

std::string taskBeginLine(const TaskBegin &begin);
std::string taskFaultLine(const std::string &message);
std::string taskDoneLine(size_t task, double seconds);

/// Reads a log line by line; returns the bytes of whole lines. `take` may refuse a line.
Result<size_t> readTaskLog(std::string_view text, const std::function<Status(TaskLine)> &take);

} // namespace tilescope::profiler
