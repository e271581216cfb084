// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/slurm/SlurmQueue.h"

#include "compiler/support/ChildProcess.h"
#include "compiler/support/Text.h"
#include "profiler/data/Text.h"

#include <charconv>
#include <cstdlib>
#include <sstream>
#include <unistd.h>

namespace tilescope::app {

/// Of a controller that is busy.
static constexpr std::chrono::seconds kPatience{120};
static constexpr size_t kUsualArrayLimit = 1001;

/// Where a program is on the PATH.
static std::string find(const std::string &program) {
  const char *path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const std::string whole = folder + "/" + program;
        !folder.empty() && access(whole.c_str(), X_OK) == 0)
      return whole;
  return {};
}

static std::string oneLine(std::string text) {
  while (text.ends_with('\n'))
    text.pop_back();
  for (char &letter : text)
    if (letter == '\n')
      letter = ';';
  return profiler::printable(text.substr(0, 2000));
}

static Result<std::string> call(const std::string &name,
                                const std::vector<std::string> &arguments) {
  const std::string program = find(name);
  if (program.empty())
    return Error{ErrorCode::Environment, "there is no `" + name + "` on the PATH",
                 "`--slurm` is for a machine from which jobs are submitted to Slurm"};
  const Result<ChildOutput> child = runChild(program, arguments, kPatience);
  if (!child)
    return child.error();
  if (child->timedOut)
    return Error{ErrorCode::Environment, "`" + name + "` has not answered for two minutes",
                 "Slurm's controller may be down"};
  if (child->status != 0)
    return Error{ErrorCode::Environment, "`" + name + "`: " + oneLine(child->standardError), ""};
  return child->standardOutput;
}

Result<size_t> slurmArrayLimit() {
  const Result<std::string> config = call("scontrol", {"show", "config"});
  if (!config)
    return config.error();
  std::istringstream lines(*config);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name, equals;
    size_t value = 0;
    if (words >> name >> equals >> value && name == "MaxArraySize" && value > 0)
      return value;
  }
  return kUsualArrayLimit;
}

Result<std::string> submitArray(const std::string &script, const SlurmArray &array,
                                const SlurmOptions &options) {
  std::string indices = "--array=" + array.indices;
  if (options.numRunning)
    indices += "%" + std::to_string(*options.numRunning);
  const Result<std::string> answer =
      call("sbatch", {"--parsable", indices, script, std::to_string(array.first)});
  if (!answer)
    return answer.error();
  // `1017;cluster`
  std::string job = answer->substr(0, answer->find_first_of(";\n"));
  if (job.empty() || job.find_first_not_of("0123456789") != std::string::npos)
    return Error{ErrorCode::Environment, "`sbatch` names no job: " + oneLine(*answer), ""};
  return job;
}

/// `[days-][hours:]minutes:seconds`
static double secondsOf(std::string_view text) {
  double days = 0, seconds = 0;
  const auto number = [](std::string_view digits) {
    int value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return double(value);
  };
  if (const size_t dash = text.find('-'); dash != std::string_view::npos) {
    days = number(text.substr(0, dash));
    text.remove_prefix(dash + 1);
  }
  for (;;) {
    const size_t colon = text.find(':');
    seconds = seconds * 60 + number(text.substr(0, colon));
    if (colon == std::string_view::npos)
      return days * 86400 + seconds;
    text.remove_prefix(colon + 1);
  }
}

std::optional<QueuedTask> parseQueueLine(std::string_view line) {
  std::istringstream words{std::string(line)};
  QueuedTask task;
  std::string index, time;
  if (!(words >> task.job >> index >> task.state >> time))
    return std::nullopt;
  const auto [end, fault] = std::from_chars(index.data(), index.data() + index.size(), task.index);
  if (fault != std::errc() || end != index.data() + index.size())
    return std::nullopt;
  task.isRunning = task.state == "RUNNING";
  task.seconds = secondsOf(time);
  return task;
}

Status readQueue(const std::function<void(const QueuedTask &)> &take) {
  const Result<std::string> queue =
      call("squeue", {"--me", "--noheader", "--array", "--format=%F %K %T %M"});
  if (!queue)
    return queue.error();
  for (const std::string_view line : splitLines(*queue))
    if (const auto task = parseQueueLine(line))
      take(*task);
  return {};
}

Status cancelTasks(const std::string &job, const std::string &indices) {
  const Result<std::string> answer = call("scancel", {job + "_[" + indices + "]"});
  return answer ? Status() : Status(answer.error());
}

} // namespace tilescope::app
