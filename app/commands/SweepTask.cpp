// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/DiagnosticText.h"
#include "app/commands/RunLaunch.h"
#include "app/commands/SlurmFolder.h"
#include "app/commands/SlurmSweep.h"
#include "app/commands/SweepBegin.h"
#include "profiler/data/FileIo.h"
#include "profiler/data/OutputFolder.h"
#include "profiler/sweep/SweepTasks.h"
#include "profiler/sweep/TaskLog.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <unistd.h>

namespace tilescope::app {

using profiler::Sweep;

namespace {
/// The log of this task.
class TaskFile {
public:
  ~TaskFile() {
    if (m_file >= 0)
      close(m_file);
  }
  TaskFile() = default;
  TaskFile(const TaskFile &) = delete;
  TaskFile &operator=(const TaskFile &) = delete;

  /// Opens it, and fills `known` with what an earlier run of the task wrote. A file that cannot be read is put aside.
  Status open(const std::string &path, std::map<size_t, profiler::SweepPoint> &known);
  Status append(const std::string &line);

private:
  std::string m_path;
  int m_file = -1;
};
} // namespace

Status TaskFile::open(const std::string &path, std::map<size_t, profiler::SweepPoint> &known) {
  m_path = path;
  size_t numBytes = 0;
  std::error_code fault;
  if (std::filesystem::exists(path, fault)) {
    const Result<std::string> text = profiler::readTextFile(path);
    const auto take = [&](const profiler::TaskLine &line) -> Status {
      if (const auto *point = std::get_if<profiler::TaskPoint>(&line))
        known[point->index] = point->point;
      return {};
    };
    const Result<size_t> read = text ? profiler::readTaskLog(*text, take) : text.error();
    if (read)
      numBytes = *read;
    else
      std::filesystem::rename(path, path + ".damaged", fault);
  }
  m_file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (m_file < 0 || ftruncate(m_file, static_cast<off_t>(numBytes)) != 0)
    return Error{ErrorCode::Environment, "cannot write `" + path + "`: " + std::strerror(errno),
                 ""};
  return {};
}

Status TaskFile::append(const std::string &line) {
  if (const int fault = profiler::writeAll(m_file, line))
    return Error{ErrorCode::Environment, "cannot write `" + m_path + "`: " + std::strerror(fault),
                 ""};
  return {};
}

static std::string fromEnvironment(const char *name) {
  const char *value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// `1017_3`
static std::string jobName() {
  const std::string array = fromEnvironment("SLURM_ARRAY_JOB_ID");
  return array.empty() ? fromEnvironment("SLURM_JOB_ID")
                       : array + "_" + fromEnvironment("SLURM_ARRAY_TASK_ID");
}

namespace {
/// What a task needs to know before it begins.
struct TaskWork {
  RunSelection run;
  std::vector<SweepGpu> gpus;
  PlannedSweep planned;
  std::string identity;
};
} // namespace

static Result<TaskWork> prepare(const SweepOptions &options) {
  Result<std::vector<SweepGpu>> gpus = sweepGpus(options.where, options.timeLimit);
  if (!gpus)
    return gpus.error();
  if (!modelsOf(*gpus).empty())
    return Error{ErrorCode::Environment, "the GPUs of this node are of several models",
                 "`gres=gpu:MODEL:1` asks for one of them"};
  Result<RunSelection> run =
      toRunSelection(options.selection, runPlaceText(gpus->front().place), options.timeLimit);
  if (!run)
    return run.error();
  Result<PlannedSweep> planned = readSweep(options, run->selection, kMostTaskPoints);
  if (!planned)
    return planned.error();
  if (planned->plan.sweep.axes.empty())
    return Error{ErrorCode::InvalidInput, "the launch of `" + options.file + "` has errors", ""};
  Result<std::string> identity = slurmIdentity(planned->plan, planned->input, options);
  if (!identity)
    return identity.error();
  return TaskWork{std::move(*run), std::move(*gpus), std::move(*planned), std::move(*identity)};
}

/// Measures what is open of the task's points; `numbers`: which of the whole sweep they are.
static Status measureTask(TaskWork &work, const SweepOptions &options,
                          const std::vector<size_t> &numbers, TaskFile &file) {
  SweepRunOptions sweeping =
      sweepRunOptions(options, work.planned.input, work.run.selection, work.gpus);
  // Of a million points, nobody reads them.
  sweeping.predicts = false;
  Sweep &sweep = work.planned.plan.sweep;
  const std::string node = fromEnvironment("SLURMD_NODENAME");
  std::string device;
  SweepHooks hooks;
  hooks.changed = [&](size_t point, const profiler::TimeRounds &rounds) -> Status {
    if (const std::string line = sweep.device.empty() ? "" : profiler::sweepDeviceLine(sweep);
        line != device) {
      if (Status status = file.append(line); !status)
        return status;
      device = line;
    }
    profiler::SweepPoint told = sweep.points[point];
    if (!told.place.empty() && !node.empty())
      told.place = node + "/" + told.place;
    return file.append(profiler::sweepPointLine(numbers[point], told, rounds));
  };
  return runSweep(sweep, sweeping, hooks);
}

/// The task, once its log is open.
static Status perform(const SlurmFolder &folder, const SweepOptions &options, TaskFile &file,
                      const std::map<size_t, profiler::SweepPoint> &known) {
  Result<TaskWork> work = prepare(options);
  if (!work)
    return work.error();
  if (Status status = folder.check(work->identity); !status)
    return status;
  Sweep &sweep = work->planned.plan.sweep;
  const std::vector<size_t> numbers = profiler::taskPoints(sweep, *options.task, folder.numTasks());
  for (const size_t number : numbers) {
    const auto found = known.find(number);
    sweep.points.push_back(found != known.end() ? found->second
                                                : profiler::sweepPointAt(sweep.axes, number));
  }
  return measureTask(*work, options, numbers, file);
}

int runSweepTask(const SweepOptions &options) {
  const auto begin = std::chrono::steady_clock::now();
  const size_t task = *options.task;
  const Result<SlurmFolder> folder = SlurmFolder::open(options.resume);
  if (!folder)
    return reportError(folder.error());
  if (task >= folder->numTasks())
    return reportError({ErrorCode::Usage, "there is no task " + std::to_string(task), ""});
  std::map<size_t, profiler::SweepPoint> known;
  TaskFile file;
  Status status = file.open(folder->taskPath(task), known);
  if (status)
    status = file.append(profiler::taskBeginLine({task, folder->numTasks(), folder->identity(),
                                                  jobName(), fromEnvironment("SLURMD_NODENAME")}));
  if (!status)
    return reportError(status.error());
  status = perform(*folder, options, file, known);
  if (!status) {
    // The command that gathers the results shows why.
    const Status told = file.append(profiler::taskFaultLine(status.error().message));
    return reportError(told ? status.error() : told.error());
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  status = file.append(profiler::taskDoneLine(task, taken.count()));
  return status ? 0 : reportError(status.error());
}

} // namespace tilescope::app
