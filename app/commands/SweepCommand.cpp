// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/Commands.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/RunLaunch.h"
#include "app/commands/SweepFolder.h"
#include "app/commands/SweepPlan.h"
#include "app/commands/SweepRun.h"
#include "app/commands/SweepWinner.h"
#include "app/report/BuildReport.h"
#include "profiler/data/FileIo.h"
#include "profiler/data/Text.h"
#include "profiler/report/SweepReport.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <unistd.h>

namespace tilescope::app {

using nlohmann::json;
using profiler::Sweep;
using profiler::SweepPoint;
using profiler::SweepStatus;

static constexpr const char *kGenerator = "Tilescope " TILESCOPE_VERSION;

/// Nothing where results are only printed.
static Result<std::optional<SweepFolder>> openFolder(const SweepOptions &options, SweepPlan &plan,
                                                     const std::string &identity) {
  if (options.output.empty() && options.resume.empty())
    return std::optional<SweepFolder>();
  Result<SweepFolder> folder = options.resume.empty()
                                   ? SweepFolder::make(options.output, plan.sweep, identity)
                                   : SweepFolder::resume(options.resume, plan.sweep, identity);
  if (!folder)
    return folder.error();
  return std::optional<SweepFolder>(std::move(*folder));
}

/// Says on a terminal how far it is; a log file would fill with it.
static void tellProgress(const Sweep &sweep, const std::string &what) {
  if (isatty(STDERR_FILENO) == 0)
    return;
  const auto numLeft = std::ranges::count_if(sweep.points, [](const SweepPoint &point) {
    return point.status == SweepStatus::Open || point.status == SweepStatus::Compiled;
  });
  std::fprintf(stderr, "\r\x1b[K%s; %td of %zu points are left", what.c_str(), numLeft,
               sweep.points.size());
  std::fflush(stderr);
}

static Status sweepAll(SweepPlan &plan, const SweepOptions &options, const RunSelection &run,
                       const InputFile &input, std::optional<SweepFolder> &folder) {
  SweepRunOptions sweeping;
  sweeping.input = input;
  sweeping.selection = run.selection;
  sweeping.place = run.place;
  sweeping.jobs = options.jobs != 0 ? options.jobs : std::thread::hardware_concurrency();
  sweeping.coldL2 = !options.warmL2;
  sweeping.timeLimit = options.timeLimit;
  SweepHooks hooks;
  hooks.changed = [&](size_t point, const profiler::TimeRounds &rounds) {
    return folder ? folder->add(plan.sweep, point, rounds) : Status();
  };
  hooks.progress = [&](const std::string &what) { tellProgress(plan.sweep, what); };
  const Status status = runSweep(plan.sweep, sweeping, hooks);
  if (isatty(STDERR_FILENO) != 0)
    std::fputs("\r\x1b[K", stderr);
  return status;
}

static Result<std::string> writeWinner(const SweepPlan &plan, const InputFile &input,
                                       const profiler::SweepWinner &winner) {
  const Result<std::string> text =
      textWithWinner(input.text, input.entry, plan.sweep.kernel, plan.block, winner);
  if (!text)
    return text.error();
  const Result<std::string> now = profiler::readTextFile(input.path);
  if (!now)
    return now.error();
  // Hours may have passed.
  if (*now != input.text)
    return Error{ErrorCode::InvalidInput,
                 "`" + input.path + "` was changed during the sweep, and is left as it is", ""};
  if (Status status = profiler::writeFile(input.path, *text); !status)
    return status.error();
  return "wrote " + profiler::valuesText(winner.configuration) + " into " + input.path;
}

static json pointJson(const SweepPoint &point) {
  json object = {{"values", point.values}, {"status", profiler::sweepStatusName(point.status)}};
  const auto add = [&](const char *name, const auto &value) {
    if (value)
      object[name] = *value;
  };
  if (!point.reason.empty())
    object["reason"] = point.reason;
  add("median_us", point.medianUs);
  add("min_us", point.minUs);
  add("max_us", point.maxUs);
  add("gb_per_s", point.gbPerS);
  add("tflop_per_s", point.tflopPerS);
  add("registers", point.registers);
  add("spill_bytes", point.spillBytes);
  add("shared_bytes", point.sharedBytes);
  add("threads", point.threads);
  add("occupancy", point.occupancy);
  return object;
}

static json sweepJson(const Sweep &sweep) {
  json document = {{"ok", true},
                   {"file", sweep.file},
                   {"kernel", sweep.kernel},
                   {"target", sweep.target},
                   {"device", sweep.device},
                   {"points", json::array()},
                   {"notes", sweep.notes}};
  for (const SweepPoint &point : sweep.points)
    document["points"].push_back(pointJson(point));
  if (const auto winner = profiler::sweepWinner(sweep))
    document["winner"] = {{"values", winner->configuration},
                          {"slowdown", winner->slowdown},
                          {"points", winner->points}};
  return document;
}

/// What is told at the end; the file is written before.
static int finish(const SweepPlan &plan, const SweepOptions &options, const InputFile &input,
                  const std::optional<SweepFolder> &folder) {
  const auto winner = profiler::sweepWinner(plan.sweep);
  std::string told;
  std::optional<Error> fault;
  if (folder)
    if (Status status = folder->writeReports(plan.sweep, kGenerator, reportTime()); !status)
      fault = status.error();
  if (folder && !fault)
    told = "report    " + folder->reportPath() + "\n";
  if (options.write && winner && !winner->configuration.empty()) {
    const Result<std::string> written = writeWinner(plan, input, *winner);
    if (written)
      told += *written + "\n";
    else
      fault = written.error();
  } else if (options.write && !winner) {
    fault = Error{ErrorCode::InvalidInput, "there is no winner to write into the file", ""};
  }
  if (options.json)
    printJson(sweepJson(plan.sweep));
  else
    std::fputs(profiler::printable(profiler::sweepText(plan.sweep) + told).c_str(), stdout);
  std::fflush(stdout);
  if (fault)
    return reportError(*fault);
  const bool allFailed = std::ranges::all_of(plan.sweep.points, [](const SweepPoint &point) {
    return point.status == SweepStatus::Failed;
  });
  return allFailed ? 1 : 0;
}

int runSweepCommand(const SweepOptions &options) {
  const Result<RunSelection> run =
      toRunSelection(options.selection, options.where, options.timeLimit);
  if (!run)
    return reportError(run.error(), options.json);
  const Result<InputFile> input = readInput(options.file, run->selection.kernel);
  if (!input)
    return reportError(input.error(), options.json);
  Result<SweepPlan> plan = [&] {
    compiler::WorkerClient worker(workerOptions(options.timeLimit));
    return planSweep(worker, *input, run->selection, options.over);
  }();
  if (!plan)
    return reportError(plan.error(), options.json);
  if (plan->sweep.points.empty()) {
    printDiagnostics(plan->diagnostics, plan->files);
    if (options.json)
      printJson({{"ok", false}});
    return 1;
  }
  Result<std::optional<SweepFolder>> folder = openFolder(
      options, *plan, sweepIdentity(*plan, *input, run->selection, runPlaceText(run->place)));
  if (!folder)
    return reportError(folder.error(), options.json);
  if (Status status = sweepAll(*plan, options, *run, *input, *folder); !status)
    return reportError(status.error(), options.json);
  return finish(*plan, options, *input, *folder);
}

} // namespace tilescope::app
