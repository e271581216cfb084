// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/Commands.h"
#include "app/commands/ComparedSide.h"
#include "app/commands/ComparisonText.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/LaunchDifference.h"
#include "app/commands/MeasureBoth.h"
#include "app/commands/OutputsOfBoth.h"
#include "app/commands/RunLaunch.h"
#include "app/commands/StageComparison.h"
#include "profiler/data/Text.h"

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace tilescope::app {

using Sides = std::array<ComparedSide, 2>;

/// Machine code is read last: the other side says how it is launched.
static Result<Sides> readSides(compiler::WorkerClient &worker, const CompareOptions &options,
                               const compiler::Selection &selection) {
  const std::array<const std::string *, 2> texts = {&options.before, &options.after};
  Sides sides;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (isMachineCode(*texts[i]))
      continue;
    Result<ComparedSide> side = readSide(worker, *texts[i], selection);
    if (!side)
      return side.error();
    sides[i] = std::move(*side);
  }
  for (size_t i = 0; i < texts.size(); ++i) {
    if (!isMachineCode(*texts[i]))
      continue;
    const ComparedSide &other = sides[1 - i];
    if (other.name.empty())
      return Error{ErrorCode::Usage, "both are machine code, and neither says how it is launched",
                   "compare one with the kernel file, whose launch block says it"};
    if (!other.package)
      return other.packageMissing.message.empty()
                 ? Error{ErrorCode::InvalidInput,
                         "`" + *texts[i] + "` is launched as `" + other.name +
                             "` is, which did not compile",
                         ""}
                 : other.packageMissing;
    Result<ComparedSide> side = readMachineCode(*texts[i], *other.package);
    if (!side)
      return side.error();
    sides[i] = std::move(*side);
  }
  return sides;
}

/// The times of both, or why there are none.
static TimesOfBoth measureSides(const Sides &sides, const RunPlace &place,
                                const CompareOptions &options) {
  TimesOfBoth times;
  if (place.kind == RunPlace::Kind::Cpu) {
    times.missing = options.where.empty() ? "there is no GPU here; `--on ssh://host` measures on "
                                            "another machine, `--on cpu` compares outputs"
                                          : "the interpreter's times say nothing about a GPU";
    return times;
  }
  for (const ComparedSide &side : sides)
    if (!side.package) {
      times.error = side.packageMissing;
      return times;
    }
  MeasureBothOptions both;
  both.together.place = place;
  both.together.coldL2 = !options.warmL2;
  both.together.timeLimit = options.timeLimit.value_or(both.together.timeLimit);
  both.thresholdPercent = options.threshold;
  RunnerHooks hooks;
  hooks.console = [](std::string_view line) {
    std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data());
  };
  return measureBoth({*sides[0].package, *sides[1].package}, {sides[0].name, sides[1].name}, both,
                     hooks);
}

/// What machine code takes, where the device alone knows it.
static void completeResources(ComparedSide &side, const profiler::Measurement &measurement) {
  compiler::Resources &resources = side.inspection.resources;
  if (resources.registers < 0)
    resources.registers = measurement.registers.value_or(-1);
  if (resources.spillBytes < 0)
    resources.spillBytes = measurement.spillBytes.value_or(-1);
  if (!side.inspection.occupancy)
    side.inspection.occupancy = measurement.occupancy;
}

static std::string launchDifference(const Sides &sides) {
  return sides[0].package && sides[1].package
             ? launchDifference(sides[0].package->plan, sides[1].package->plan)
             : std::string();
}

static void printText(const Sides &sides, const TimesOfBoth &times) {
  std::printf(
      "%s\n",
      profiler::printableLine(differenceLine(sides[0].inspection, sides[1].inspection)).c_str());
  if (const std::string launch = launchDifference(sides); !launch.empty())
    std::printf("launch    %s\n", profiler::printableLine(launch).c_str());
  std::fputs(profiler::printable(timesText({sides[0].name, sides[1].name}, times)).c_str(), stdout);
}

int runCompare(const CompareOptions &options) {
  const Result<RunSelection> run =
      toRunSelection(options.selection, options.where, options.timeLimit);
  if (!run)
    return reportError(run.error(), options.json);
  const Result<std::set<compiler::StageId>> emitted = parseEmit(options.emit);
  if (!emitted)
    return reportError(emitted.error(), options.json);
  compiler::WorkerClient worker(workerOptions(options.timeLimit));
  Result<Sides> sides = readSides(worker, options, run->selection);
  if (!sides)
    return reportError(sides.error(), options.json);
  bool ok = true;
  for (const ComparedSide &side : *sides) {
    printDiagnostics(side.inspection.diagnostics, side.inspection.files);
    ok = ok && side.inspection.ok();
  }
  TimesOfBoth times;
  if (ok)
    times = measureSides(*sides, run->place, options);
  std::optional<OutputsOfBoth> outputs;
  if (ok && run->place.kind == RunPlace::Kind::Cpu && !options.where.empty())
    outputs = outputsOfBoth(worker, *sides);
  if (times.run)
    for (size_t i = 0; i < sides->size(); ++i)
      completeResources((*sides)[i], times.run->kernels[i].measurement);
  const ComparedSide &before = (*sides)[0], &after = (*sides)[1];
  if (options.json) {
    nlohmann::json document = {
        {"ok", ok && !times.error},
        {"facts", ok ? differenceLine(before.inspection, after.inspection) : ""},
        {"launch", launchDifference(*sides)},
        {"before", inspectionJson(before.inspection)},
        {"after", inspectionJson(after.inspection)}};
    addTimes(times, document);
    if (outputs)
      addOutputs(*outputs, document);
    if (ok)
      document["stages"] = stagesJson(before, after, *emitted);
    printJson(document);
  } else if (ok) {
    printText(*sides, times);
    if (outputs)
      std::fputs(profiler::printable(outputsText(*outputs)).c_str(), stdout);
    std::fputs(profiler::printable(stagesText(before, after, *emitted)).c_str(), stdout);
  }
  if (times.error)
    return reportError(*times.error);
  return ok ? 0 : 1;
}

} // namespace tilescope::app
