// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/AllLaunches.h"
#include "app/commands/BenchLaunches.h"
#include "app/commands/Commands.h"
#include "app/commands/ComparisonText.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/RunLaunch.h"
#include "app/report/BuildReport.h"
#include "compiler/support/Counted.h"
#include "profiler/analysis/Throughput.h"
#include "profiler/data/FileIo.h"
#include "profiler/data/MeasurementJson.h"
#include "profiler/data/Text.h"
#include "profiler/report/JunitReport.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tilescope::app {

using nlohmann::json;
using profiler::BenchRecord;
using profiler::BenchStatus;

namespace {

/// All that one call of `bench` knows.
struct Bench {
  const BenchOptions &options;
  std::vector<BenchRecord> baseline;
  std::vector<BenchedLaunch> launches;

  double threshold() const { return options.threshold / 100; }
  std::vector<const BenchRecord *> unmeasured() const;
  int64_t count(BenchStatus status) const;
  int exitStatus() const;
};

} // namespace

int64_t Bench::count(BenchStatus status) const {
  return std::ranges::count_if(
      launches, [&](const BenchedLaunch &each) { return each.judgment.status == status; });
}

/// What the baseline has of these files, and they have no more.
std::vector<const BenchRecord *> Bench::unmeasured() const {
  std::vector<const BenchRecord *> records;
  if (!options.selection.launch.empty() || !options.selection.kernel.empty())
    return records;
  for (const BenchRecord &record : baseline)
    if (std::ranges::find(options.files, record.file) != options.files.end() &&
        std::ranges::none_of(launches, [&](const BenchedLaunch &launch) {
          return launch.error ? launch.record.file == record.file : launch.record.isOf(record);
        }))
      records.push_back(&record);
  return records;
}

int Bench::exitStatus() const {
  const auto isOfEnvironment = [](const BenchedLaunch &each) {
    return each.error && each.error->code == ErrorCode::Environment;
  };
  if (count(BenchStatus::Regressed) > 0)
    return 1;
  if (std::ranges::any_of(launches, isOfEnvironment))
    return 3;
  return count(BenchStatus::Failed) > 0 ? 1 : 0;
}

static Result<std::vector<BenchRecord>> readBaseline(const std::string &path) {
  if (path.empty())
    return std::vector<BenchRecord>();
  const Result<std::string> text = profiler::readTextFile(path);
  if (!text)
    return Error{text.error().code, text.error().message,
                 "`tilescope bench FILE… --out " + path + "` writes a baseline"};
  Result<std::vector<BenchRecord>> records = profiler::baselineFromText(*text);
  if (!records)
    return Error{records.error().code, "`" + path + "`: " + records.error().message, ""};
  return records;
}

/// Every launch of a file, unless one is chosen; a file without a launch block has one launch at most.
static Result<std::vector<std::string>> launchesOf(const InputFile &input,
                                                   const compiler::Selection &selection) {
  if (!selection.launch.empty() || !selection.kernel.empty())
    return std::vector<std::string>{selection.launch};
  return allLaunches(input);
}

static double medianOf(const profiler::TimeRounds &rounds) {
  std::vector<double> times;
  for (const std::vector<double> &round : rounds)
    times.insert(times.end(), round.begin(), round.end());
  return times.empty() ? 0 : profiler::timeStats(std::move(times)).median;
}

static void judgeLaunch(const Bench &bench, BenchedLaunch &launch) {
  if (launch.error) {
    launch.judgment.status = BenchStatus::Failed;
    return;
  }
  launch.judgment = profiler::judge(launch.record, bench.baseline, bench.threshold());
  for (const BenchRecord &then : bench.baseline)
    if (then.isOf(launch.record))
      launch.baselineUs = medianOf(then.rounds);
}

static Status measureAll(compiler::WorkerClient &worker, const RunSelection &run, Bench &bench) {
  TogetherOptions together;
  together.place = run.place;
  together.coldL2 = !bench.options.warmL2;
  together.timeLimit = bench.options.timeLimit.value_or(together.timeLimit);
  const std::string compiler = compilerName(worker);
  for (const std::string &path : bench.options.files) {
    const Result<InputFile> input = readInput(path, run.selection.kernel);
    if (!input)
      return input.error();
    const Result<std::vector<std::string>> names = launchesOf(*input, run.selection);
    if (!names)
      return names.error();
    for (const std::string &name : *names) {
      compiler::Selection selection = run.selection;
      selection.launch = name;
      BenchedLaunch launch = benchLaunch(worker, *input, selection, together, compiler);
      // In a folder of Triton's cache, the file that was read is another one at each compile.
      launch.record.file = path;
      judgeLaunch(bench, launch);
      printDiagnostics(launch.diagnostics, launch.files);
      bench.launches.push_back(std::move(launch));
    }
  }
  return {};
}

/// What there is to say beside the status.
static std::string remark(const BenchedLaunch &launch) {
  if (launch.error)
    return launch.error->message.empty() ? "it does not compile" : launch.error->message;
  if (launch.judgment.comparison)
    return profiler::verdictText(*launch.judgment.comparison);
  return launch.judgment.reason;
}

static std::string nameOf(const BenchRecord &record) {
  return record.launch.empty() ? record.file : record.file + "@" + record.launch;
}

static std::string launchLine(const BenchedLaunch &launch) {
  std::string text = fmt::format("{:14} ", profiler::benchStatusName(launch.judgment.status));
  text += launch.measurement ? fmt::format("{:>10.2f} us", launch.measurement->timeUs->median)
                             : fmt::format("{:>13}", "");
  text += launch.baselineUs ? fmt::format(" was {:>10.2f} us", *launch.baselineUs)
                            : fmt::format("{:>18}", "");
  text += "  " + nameOf(launch.record);
  const std::string more = remark(launch);
  return more.empty() ? text : text + ": " + more;
}

static void printText(const Bench &bench) {
  for (const BenchedLaunch &launch : bench.launches)
    std::printf("%s\n", profiler::printableLine(launchLine(launch)).c_str());
  for (const BenchRecord *record : bench.unmeasured())
    std::printf("%s\n", profiler::printableLine("note: the baseline has `" + nameOf(*record) +
                                                "`, which was not measured")
                            .c_str());
  // Before what standard error says about it.
  std::fflush(stdout);
}

static profiler::JunitCase junitCase(const BenchedLaunch &launch) {
  using Outcome = profiler::JunitCase::Outcome;
  profiler::JunitCase test;
  test.classname = launch.record.file;
  test.name = launch.record.launch.empty() ? launch.record.kernel : launch.record.launch;
  test.seconds = launch.seconds;
  test.message = remark(launch);
  switch (launch.judgment.status) {
  case BenchStatus::Regressed:
    test.outcome = Outcome::Failed;
    break;
  case BenchStatus::Failed:
    test.outcome = Outcome::Error;
    break;
  case BenchStatus::NotComparable:
    test.outcome = Outcome::Skipped;
    test.message = "not comparable: " + test.message;
    break;
  default:
    break;
  }
  test.output = launchLine(launch);
  return test;
}

static json launchJson(const BenchedLaunch &launch) {
  json object = {{"file", launch.record.file},
                 {"launch", launch.record.launch},
                 {"kernel", launch.record.kernel},
                 {"work", launch.record.work},
                 {"status", profiler::benchStatusName(launch.judgment.status)}};
  if (launch.error) {
    object["error"] = remark(launch);
    object["hint"] = launch.error->hint;
    return object;
  }
  object["measurement"] = profiler::measurementToJson(*launch.measurement);
  const profiler::BenchKey &key = launch.record.key;
  object["key"] = {{"gpu", key.gpu}, {"driver", key.driver}, {"compiler", key.compiler}};
  if (key.smClockMhz)
    object["key"]["sm_clock_mhz"] = *key.smClockMhz;
  if (launch.baselineUs)
    object["baseline_us"] = *launch.baselineUs;
  if (launch.judgment.comparison)
    object["comparison"] = comparisonJson(*launch.judgment.comparison);
  if (!launch.judgment.reason.empty())
    object["reason"] = launch.judgment.reason;
  return object;
}

static json benchJson(const Bench &bench) {
  json document = {{"ok", bench.exitStatus() == 0},
                   {"threshold_percent", bench.options.threshold},
                   {"launches", json::array()},
                   {"not_measured", json::array()}};
  for (const BenchedLaunch &launch : bench.launches)
    document["launches"].push_back(launchJson(launch));
  for (const BenchRecord *record : bench.unmeasured())
    document["not_measured"].push_back(nameOf(*record));
  return document;
}

static Status writeResults(const Bench &bench) {
  if (!bench.options.junit.empty()) {
    std::vector<profiler::JunitCase> cases;
    for (const BenchedLaunch &launch : bench.launches)
      cases.push_back(junitCase(launch));
    if (Status status = profiler::writeFile(bench.options.junit,
                                            profiler::renderJunit("tilescope bench", cases));
        !status)
      return status;
  }
  if (bench.options.output.empty())
    return {};
  std::vector<BenchRecord> records;
  for (const BenchedLaunch &launch : bench.launches)
    if (!launch.error)
      records.push_back(launch.record);
  return profiler::writeFile(bench.options.output, profiler::baselineToText(records, reportTime()));
}

/// A baseline that nothing can be compared with would pass everything for ever.
static Status checkUse(const Bench &bench) {
  if (bench.options.baseline.empty())
    return {};
  const int64_t numOther = bench.count(BenchStatus::NotComparable);
  if (numOther == 0 || bench.count(BenchStatus::Unchanged) + bench.count(BenchStatus::Regressed) +
                               bench.count(BenchStatus::Improved) >
                           0)
    return {};
  return Error{ErrorCode::Environment,
               "the baseline `" + bench.options.baseline +
                   "` is not comparable: none of its times "
                   "were taken under the conditions of today's",
               "write one here: `tilescope bench FILE… --out " + bench.options.baseline + "`"};
}

int runBench(const BenchOptions &options) {
  const Result<RunSelection> run =
      toRunSelection(options.selection, options.where, options.timeLimit);
  if (!run)
    return reportError(run.error(), options.json);
  Result<std::vector<BenchRecord>> baseline = readBaseline(options.baseline);
  if (!baseline)
    return reportError(baseline.error(), options.json);
  if (run->place.kind == RunPlace::Kind::Cpu)
    return reportError(withoutGpu(options.where, "measure"), options.json);
  Bench bench{options, std::move(*baseline), {}};
  compiler::WorkerClient worker(workerOptions(options.timeLimit));
  if (Status status = measureAll(worker, *run, bench); !status)
    return reportError(status.error(), options.json);
  if (options.json)
    printJson(benchJson(bench));
  else
    printText(bench);
  for (const Status &status : {writeResults(bench), checkUse(bench)})
    if (!status)
      return reportError(status.error());
  return bench.exitStatus();
}

} // namespace tilescope::app
