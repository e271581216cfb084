// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/sweep/TaskLog.h"

#include "profiler/data/BoundedJson.h"
#include "profiler/data/JsonFields.h"

namespace tilescope::profiler {

using nlohmann::json;

static std::string toLine(const json &object) {
  return object.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string taskBeginLine(const TaskBegin &begin) {
  return toLine({{"task", begin.task},
                 {"tasks", begin.numTasks},
                 {"identity", begin.identity},
                 {"job", begin.job},
                 {"node", begin.node}});
}

std::string taskFaultLine(const std::string &message) { return toLine({{"fault", message}}); }

std::string taskDoneLine(size_t task, double seconds) {
  return toLine({{"done", task}, {"seconds", seconds}});
}

static TaskLine readLine(const json &object) {
  if (object.contains("task"))
    return TaskBegin{jsonAs<size_t>(object.at("task")), jsonAs<size_t>(object.at("tasks")),
                     jsonAs<std::string>(object.at("identity")),
                     jsonOr<std::string>(object, "job", ""),
                     jsonOr<std::string>(object, "node", "")};
  if (object.contains("fault"))
    return TaskFault{jsonAs<std::string>(object.at("fault"))};
  if (object.contains("done"))
    return TaskDone{jsonOr(object, "seconds", 0.0)};
  if (object.contains("device")) {
    TaskCopy copy{jsonAs<std::string>(object.at("device")), std::nullopt};
    JsonFieldReader{object}.field("copy_gb_per_s", copy.copyGbPerS);
    return copy;
  }
  TaskPoint point{jsonAs<size_t>(object.at("point")), sweepPointFromJson(object)};
  return point;
}

Result<size_t> readTaskLog(std::string_view text, const std::function<Status(TaskLine)> &take) {
  size_t begin = 0;
  for (size_t number = 1;; ++number) {
    const size_t end = text.find('\n', begin);
    if (end == std::string_view::npos)
      return begin;
    Result<TaskLine> line = readJson(text.substr(begin, end - begin), "a line of a task", readLine);
    Status status = line ? take(std::move(*line)) : Status(line.error());
    if (!status)
      return Error{status.error().code,
                   "line " + std::to_string(number) + ": " + status.error().message,
                   status.error().hint};
    begin = end + 1;
  }
}

} // namespace tilescope::profiler
