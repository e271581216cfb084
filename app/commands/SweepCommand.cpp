// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/Commands.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/RunLaunch.h"
#include "app/commands/SlurmSweep.h"
#include "app/commands/SweepBegin.h"
#include "app/commands/SweepFinish.h"
#include "app/commands/SweepFolder.h"
#include "app/report/BuildReport.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <unistd.h>

namespace tilescope::app {

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

static Status sweepAll(SweepPlan &plan, const SweepRunOptions &sweeping,
                       std::optional<SweepFolder> &folder) {
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

int runSweepCommand(const SweepOptions &options) {
  if (options.task)
    return runSweepTask(options);
  if (!options.slurm.empty() || options.resubmit)
    return runSlurmSweep(options);
  const Result<std::vector<SweepGpu>> gpus = sweepGpus(options.where, options.timeLimit);
  if (!gpus)
    return reportError(gpus.error(), options.json);
  const Result<RunSelection> run =
      toRunSelection(options.selection, runPlaceText(gpus->front().place), options.timeLimit);
  if (!run)
    return reportError(run.error(), options.json);
  Result<PlannedSweep> planned = readSweep(options, run->selection, kMostSweepPoints);
  if (const std::optional<int> status = reportNoSweep(planned, options.json))
    return *status;
  const InputFile &input = planned->input;
  SweepPlan &plan = planned->plan;
  plan.sweep.models = modelsOf(*gpus);
  plan.sweep.points = profiler::sweepPoints(plan.sweep.axes, plan.sweep.models);
  Result<std::optional<SweepFolder>> folder =
      openFolder(options, plan, sweepIdentity(plan, input, run->selection, placesText(*gpus)));
  if (!folder)
    return reportError(folder.error(), options.json);
  if (Status status =
          sweepAll(plan, sweepRunOptions(options, input, run->selection, *gpus), *folder);
      !status)
    return reportError(status.error(), options.json);
  SweepEnd end;
  if (*folder) {
    end.writeReports = [&] {
      return (*folder)->writeReports(plan.sweep, kGenerator, reportTime());
    };
    end.reportPath = (*folder)->reportPath();
  }
  return finishSweep(plan, options, input, end);
}

} // namespace tilescope::app
