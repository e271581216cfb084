// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/SlurmSweep.h"

#include "app/commands/DiagnosticText.h"
#include "app/commands/RunLaunch.h"
#include "app/commands/SlurmFolder.h"
#include "app/commands/SlurmTasks.h"
#include "app/commands/SweepBegin.h"
#include "app/commands/SweepFinish.h"
#include "app/report/BuildReport.h"
#include "app/slurm/SlurmQueue.h"
#include "compiler/support/Counted.h"
#include "profiler/data/FileIo.h"
#include "profiler/data/OutputFolder.h"
#include "profiler/data/Text.h"
#include "profiler/report/SweepReport.h"
#include "profiler/sweep/MergedSweep.h"
#include "profiler/sweep/SweepTasks.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <numeric>

namespace tilescope::app {

using nlohmann::json;
using profiler::MergedSweep;

static constexpr const char *kGenerator = "Tilescope " TILESCOPE_VERSION;
static constexpr size_t kPointsPerTask = 16;
static constexpr size_t kUsualTasks = 256;
/// Points that a report draws and lists.
static constexpr size_t kMostShown = 10'000;

Result<std::string> slurmIdentity(const SweepPlan &plan, const InputFile &input,
                                  const SweepOptions &options) {
  // The target that a node works out for itself is not part of it.
  Result<compiler::Selection> stated = toSelection(options.selection);
  if (!stated)
    return stated.error();
  return sweepIdentity(plan, input, *stated, "slurm");
}

/// The words of the command line that a task repeats.
static std::vector<std::string> taskCommand(const SweepOptions &options,
                                            const std::string &folder) {
  std::error_code fault;
  const std::string program = std::filesystem::read_symlink("/proc/self/exe", fault).string();
  std::vector<std::string> words{program, "sweep", options.file};
  const auto add = [&](const char *name, const std::string &value) {
    if (!value.empty())
      words.insert(words.end(), {name, value});
  };
  const auto addAll = [&](const char *name, const std::vector<std::string> &values) {
    for (const std::string &value : values)
      add(name, value);
  };
  add("--kernel", options.selection.kernel);
  add("--launch", options.selection.launch);
  add("--target", options.selection.target);
  addAll("--signature", options.selection.signature);
  addAll("--constexpr", options.selection.constexprs);
  addAll("--option", options.selection.options);
  addAll("--set", options.selection.sizes);
  addAll("--import-path", options.selection.importPaths);
  addAll("--over", options.over);
  if (options.where.empty())
    add("--on", "cuda");
  addAll("--on", options.where);
  if (options.jobs != 0)
    add("--jobs", std::to_string(options.jobs));
  if (options.timeLimit)
    add("--time-limit", std::to_string(*options.timeLimit));
  if (options.warmL2)
    words.emplace_back("--warm-l2");
  words.insert(words.end(), {"--resume", folder, "--task"});
  return words;
}

/// Submits tasks, in as many arrays as it takes; each is noted as soon as it is there.
static Status submit(SlurmFolder &folder, const std::vector<size_t> &tasks,
                     const SlurmOptions &options) {
  const Result<size_t> limit = slurmArrayLimit();
  if (!limit)
    return limit.error();
  for (const SlurmArray &array : slurmArrays(tasks, *limit)) {
    const Result<std::string> job = submitArray(folder.scriptPath(), array, options);
    if (!job)
      return job.error();
    if (Status status = folder.add({*job, array.first}); !status)
      return status;
  }
  return {};
}

static Status writeScript(const SlurmFolder &folder, const SweepOptions &options,
                          const SlurmOptions &slurm) {
  std::error_code fault;
  const SlurmJob job{folder.sweep().kernel, std::filesystem::current_path(fault).string(),
                     taskCommand(options, folder.path())};
  return profiler::writeFile(folder.scriptPath(), slurmScript(job, slurm));
}

static int begin(const SweepPlan &plan, const SweepOptions &options, const SlurmOptions &slurm,
                 const std::string &identity) {
  const size_t numPoints = profiler::numTaskPoints(plan.sweep, kMostTaskPoints);
  const size_t usual = std::min((numPoints + kPointsPerTask - 1) / kPointsPerTask, kUsualTasks);
  const size_t numTasks = std::min(slurm.numTasks.value_or(usual), numPoints);
  Result<SlurmFolder> folder = SlurmFolder::make(options.output, plan.sweep, identity, numTasks);
  if (!folder)
    return reportError(folder.error(), options.json);
  if (Status status = writeScript(*folder, options, slurm); !status)
    return reportError(status.error(), options.json);
  std::vector<size_t> tasks(numTasks);
  std::iota(tasks.begin(), tasks.end(), size_t(0));
  const Status status = submit(*folder, tasks, slurm);
  if (!status)
    return reportError(
        {status.error().code, status.error().message,
         folder->arrays().empty()
             ? status.error().hint
             : "`--resume " + options.output + " --resubmit` submits the tasks that are missing"},
        options.json);
  json jobs = json::array();
  for (const SubmittedArray &array : folder->arrays())
    jobs.push_back(array.job);
  if (options.json)
    printJson(
        {{"ok", true}, {"points", numPoints}, {"tasks", {{"total", numTasks}}}, {"jobs", jobs}});
  else
    std::printf("submitted %s for %s as %s\n`--resume %s` gathers what they have\n",
                counted(numTasks, "task").c_str(), counted(numPoints, "point").c_str(),
                jobs.size() == 1 ? ("job " + folder->arrays().front().job).c_str()
                                 : counted(jobs.size(), "job").c_str(),
                profiler::printable(options.output).c_str());
  return 0;
}

/// Reads what all tasks wrote, one file after the other.
static MergedSweep merge(const SlurmFolder &folder, std::vector<std::string> &damaged) {
  MergedSweep merged(folder.sweep(), folder.numTasks(), folder.identity());
  for (size_t task = 0; task < folder.numTasks(); ++task) {
    const std::string path = folder.taskPath(task);
    std::error_code fault;
    if (!std::filesystem::exists(path, fault))
      continue;
    const Result<std::string> text = profiler::readTextFile(path);
    const Status status = text ? merged.add(task, *text) : Status(text.error());
    if (!status)
      damaged.push_back("`" + path + "`: " + status.error().message);
  }
  return merged;
}

static Status writeReports(const SlurmFolder &folder, const MergedSweep &merged,
                           const profiler::Sweep &shown) {
  const std::string path = folder.path() + "/points.csv", fresh = path + ".new";
  std::FILE *file = std::fopen(fresh.c_str(), "wb");
  bool isWritten = file != nullptr;
  if (isWritten) {
    const Status status = profiler::writeMergedCsv(merged, [&](std::string_view piece) -> Status {
      isWritten = isWritten && std::fwrite(piece.data(), 1, piece.size(), file) == piece.size();
      return {};
    });
    isWritten = std::fclose(file) == 0 && isWritten && static_cast<bool>(status);
  }
  if (!isWritten || std::rename(fresh.c_str(), path.c_str()) != 0)
    return Error{ErrorCode::Environment, "cannot write `" + path + "`", "the disk may be full"};
  const Result<profiler::OutputFolder> output = profiler::OutputFolder::open(folder.path());
  if (!output)
    return output.error();
  return output->write("report.html", profiler::sweepHtml(shown, kGenerator, reportTime()));
}

static int gather(SweepPlan &plan, const SweepOptions &options, const SlurmOptions &slurm,
                  const InputFile &input, SlurmFolder &folder) {
  std::vector<std::string> damaged;
  const MergedSweep merged = merge(folder, damaged);
  TaskOverview overview = overviewOf(merged);
  Status queue = addQueue(folder, slurm, merged, overview);
  std::optional<Error> fault;
  if (!queue)
    fault = queue.error();
  if (options.resubmit && !fault) {
    if (Status status = cancelSlow(overview); !status)
      fault = status.error();
    else if (status = writeScript(folder, options, slurm); !status)
      fault = status.error();
    else if (status = submit(folder, overview.toResubmit(), slurm); !status)
      fault = status.error();
    else
      overview.isResubmitted = true;
  }
  plan.sweep = profiler::reducedSweep(merged, kMostShown);
  plan.sweep.notes.insert(plan.sweep.notes.end(), damaged.begin(), damaged.end());
  SweepEnd end;
  end.writeReports = [&] { return writeReports(folder, merged, plan.sweep); };
  end.reportPath = folder.path() + "/report.html";
  end.head = overviewText(overview, merged);
  end.more = {{"tasks", overviewJson(overview)}};
  const int status = finishSweep(plan, options, input, end);
  return fault ? reportError(*fault) : status;
}

int runSlurmSweep(const SweepOptions &options) {
  const Result<SlurmOptions> slurm = parseSlurmOptions(options.slurm);
  if (!slurm)
    return reportError(slurm.error(), options.json);
  if (options.output.empty() && options.resume.empty())
    return reportError({ErrorCode::Usage, "`--slurm` needs a folder that all nodes see",
                        "`-o DIR` submits the tasks, `--resume DIR` gathers what they have"},
                       options.json);
  const Result<compiler::Selection> selection = toSelection(options.selection);
  if (!selection)
    return reportError(selection.error(), options.json);
  Result<PlannedSweep> planned = readSweep(options, *selection, kMostTaskPoints);
  if (const std::optional<int> status = reportNoSweep(planned, options.json))
    return *status;
  const InputFile &input = planned->input;
  SweepPlan &plan = planned->plan;
  const Result<std::string> identity = slurmIdentity(plan, input, options);
  if (!identity)
    return reportError(identity.error(), options.json);
  if (options.resume.empty())
    return begin(plan, options, *slurm, *identity);
  Result<SlurmFolder> folder = SlurmFolder::open(options.resume);
  if (!folder)
    return reportError(folder.error(), options.json);
  if (Status status = folder->check(*identity); !status)
    return reportError(status.error(), options.json);
  return gather(plan, options, *slurm, input, *folder);
}

} // namespace tilescope::app
