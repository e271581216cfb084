// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CommandLine.h"

#include "app/commands/Commands.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/ExecutorOptions.h"
#include "app/commands/HelpCommand.h"
#include "app/commands/LessonCommands.h"
#include "app/commands/ModelCommands.h"
#include "app/commands/Subcommands.h"
#include "app/commands/WriteReport.h"
#include "profiler/runner/TimeLimit.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string_view>

namespace tilescope::app {

namespace {

/// The subcommands with the options that they fill in.
struct CommandTable {
  CLI::App app{"IDE, compiler and profiler for block-level GPU kernels", "tilescope"};
  CheckOptions check;
  CompileOptions compile;
  PackageOptions package;
  RunOptions run;
  RunOptions profile;
  ReportOptions report;
  InspectOptions inspect;
  CompareOptions compare;
  BenchOptions bench;
  SweepOptions sweep;
  LessonCommands lessons;
  ModelCommands models;
  GpusOptions gpus;
  HostsOptions hosts;
  HelpOptions help;
  CLI::App *checkCommand = nullptr;
  CLI::App *compileCommand = nullptr;
  CLI::App *packageCommand = nullptr;
  CLI::App *runCommand = nullptr;
  CLI::App *profileCommand = nullptr;
  CLI::App *reportCommand = nullptr;
  CLI::App *inspectCommand = nullptr;
  CLI::App *compareCommand = nullptr;
  CLI::App *benchCommand = nullptr;
  CLI::App *sweepCommand = nullptr;
  CLI::App *gpusCommand = nullptr;
  CLI::App *hostsCommand = nullptr;
  CLI::App *helpCommand = nullptr;

  CommandTable();
  int dispatch();

private:
  void addCheck();
  void addCompile();
  void addPackage();
  void addRun(CLI::App &command, RunOptions &options);
  static void addProfile(CLI::App &command, RunOptions &options);
  void addReport();
  void addInspect();
  void addCompare();
  void addBench();
  void addSweep();
  void addMachines();
};

} // namespace

CommandTable::CommandTable() {
  app.require_subcommand(1);
  app.footer("`tilescope [FILE...]` opens the window, with these kernel or IR files.");
  app.set_version_flag("--version", "tilescope " TILESCOPE_VERSION);
  addCheck();
  addCompile();
  addPackage();
  runCommand = app.add_subcommand("run", "run the launch, on the CPU or a GPU");
  addRun(*runCommand, run);
  addExecutorOptions(*runCommand, run.executor);
  profileCommand = app.add_subcommand("profile", "run on a GPU and measure");
  addRun(*profileCommand, profile);
  addProfile(*profileCommand, profile);
  addReport();
  addInspect();
  addCompare();
  addBench();
  addSweep();
  lessons.add(app);
  models.add(app);
  addMachines();
}

static constexpr const char *kStageLimit = "seconds that one stage of a kernel may take";
/// More processes than any machine has processors for.
static constexpr unsigned kMostJobs = 4096;
static constexpr const char *kRunLimit =
    "seconds that one stage, or a launch on a GPU, may take, and that the interpreter and the "
    "runner may be silent";

static void addTimeLimit(CLI::App &command, std::optional<double> &limit, const char *help) {
  command.add_option("--time-limit", limit, help)
      ->check(profiler::timeLimitRange().description(""))
      ->type_name("SECONDS");
}

static void addPlace(CLI::App &command, std::string &where) {
  command.add_option("--on", where, "cpu, cuda, cuda:N or ssh://[user@]host")->type_name("WHERE");
}

static void addThreshold(CLI::App &command, double &percent, const char *help) {
  command.add_option("--threshold", percent, help)
      ->check(CLI::Range(0.0, 1000.0).description(""))
      ->capture_default_str()
      ->type_name("PERCENT");
}

void CommandTable::addCheck() {
  checkCommand = app.add_subcommand("check", "parse and type-check every kernel; diagnostics only");
  checkCommand->add_option("files", check.files, "kernel or IR files, or folders of them")
      ->required()
      ->type_name("PATH");
  addSelectionOptions(*checkCommand, check.selection);
  checkCommand->add_flag("--syntax-only", check.syntaxOnly, "stop after the parser");
  checkCommand->add_option("--jobs", check.jobs, "worker processes; default: one per processor")
      ->check(CLI::Range(1U, kMostJobs))
      ->type_name("N");
  addTimeLimit(*checkCommand, check.timeLimit, kStageLimit);
  checkCommand->add_flag("--json", check.json, "print one JSON document");
}

void CommandTable::addCompile() {
  compileCommand = app.add_subcommand("compile", "compile and write the stages");
  compileCommand->add_option("file", compile.file, "kernel or IR file")->required();
  addSelectionOptions(*compileCommand, compile.selection);
  compileCommand->add_option("--emit", compile.emit, "of " + stageNames(","))->type_name("LIST");
  compileCommand
      ->add_option("-o,--out,--output", compile.outputFolder, "folder for KERNEL.STAGE files")
      ->type_name("DIR");
  compileCommand->add_flag("--all-launches", compile.allLaunches,
                           "every launch block: DIR/LAUNCH.STAGE; needs --out");
  compileCommand->add_flag("--timings", compile.timings, "time of each stage and pass");
  compileCommand->add_flag("--passes", compile.passes, "write the IR after every pass too");
  compileCommand
      ->add_option("--triton-version", compile.tritonVersion,
                   "print IR in the notation of this release: newest, 3.9, 3.8, …")
      ->type_name("VERSION");
  addTimeLimit(*compileCommand, compile.timeLimit, kStageLimit);
  compileCommand->add_flag("--json", compile.json, "print one JSON document");
}

void CommandTable::addPackage() {
  packageCommand = app.add_subcommand("package", "compile into a package that the runner takes");
  packageCommand->add_option("file", package.file, "kernel or IR file")->required();
  addSelectionOptions(*packageCommand, package.selection);
  packageCommand->add_option("-o,--out,--output", package.output, "the package (.tskernel)")
      ->required()
      ->type_name("FILE");
  packageCommand->add_flag("--all-launches", package.allLaunches,
                           "every launch block: FILE is a folder for LAUNCH.tskernel files");
  addTimeLimit(*packageCommand, package.timeLimit, kStageLimit);
}

void CommandTable::addRun(CLI::App &command, RunOptions &options) {
  command.add_option("file", options.file, "kernel or IR file")->required();
  addSelectionOptions(command, options.selection);
  command
      .add_option("--source", options.source,
                  "the original of this copy: its path finds imports and names the file")
      ->type_name("FILE");
  addPlace(command, options.where);
  command
      .add_option("--dump", options.dumpFolder, "folder for every argument after the run, as .npy")
      ->type_name("DIR");
  command
      .add_option("--inputs", options.inputFolder,
                  "folder with .npy files for arguments, in place of the block's data")
      ->type_name("DIR");
  command.add_flag("--all-launches", options.allLaunches,
                   "every launch block; folders then hold one folder per launch");
  command.add_flag("--compare", options.compare, "check the outputs against the interpreter");
  command.add_flag("--warm-l2", options.warmL2, "do not flush the L2 cache between launches");
  addTimeLimit(command, options.timeLimit, kRunLimit);
  command.add_flag("--json", options.json, "print one JSON document");
}

static void addCounters(CLI::App &command, profiler::CounterSet &counters) {
  using enum profiler::CounterSet;
  const std::map<std::string, profiler::CounterSet> sets = {
      {"none", None}, {"quick", Quick}, {"full", Full}};
  command
      .add_option("--counters", counters,
                  "hardware counters: none, quick (2 launches) or full (some 20)")
      ->transform(CLI::Validator(
          [sets](std::string &value) {
            const auto found = sets.find(value);
            if (found == sets.end())
              return "`" + value + "` is not a set of counters: none, quick or full";
            value = std::to_string(static_cast<int>(found->second));
            return std::string();
          },
          ""))
      ->type_name("SET");
}

static void addTrace(CLI::App &command, bool &isWanted, TraceChoice &choice) {
  command.add_flag("--trace", isWanted,
                   "read clocks inside the kernel: when each warp reached which operation");
  command
      .add_option("--trace-kinds", choice.kinds,
                  "load, copy, wait, product, barrier, store, exchange; default: all")
      ->type_name("KINDS");
  command
      .add_option("--trace-programs", choice.programs,
                  "programs that record, by their place in the grid; default: the first, the "
                  "middle and the last one")
      ->type_name("LIST");
  command.add_option("--trace-warps", choice.warps, "warps of each that record; default: all")
      ->type_name("LIST");
}

void CommandTable::addProfile(CLI::App &command, RunOptions &options) {
  options.profile = true;
  addCounters(command, options.wishes.counters);
  command.add_flag("--samples", options.wishes.samples,
                   "sample where warps wait, and give the samples to lines");
  command.add_flag("--executions", options.wishes.executions,
                   "count executions, threads and sectors of each instruction");
  addTrace(command, options.wishes.trace, options.trace);
}

void CommandTable::addReport() {
  reportCommand = app.add_subcommand("report", "compile, run and measure, and write one report");
  reportCommand
      ->add_option("files", report.files,
                   "kernel or IR files, reports, profiles, or files of ncu, Proton or tritonparse")
      ->required();
  addSelectionOptions(*reportCommand, report.selection);
  reportCommand->add_option("-o,--out,--output", report.output, reportEndings())
      ->required()
      ->type_name("FILE");
  addPlace(*reportCommand, report.where);
  addCounters(*reportCommand, report.profile.counters);
  reportCommand->add_flag("--samples,!--no-samples", report.profile.samples,
                          "sample where warps wait; default: on");
  addTrace(*reportCommand, report.profile.trace, report.trace);
  reportCommand->add_flag("--all-launches", report.allLaunches,
                          "every launch block of each file, not just its first");
  reportCommand->add_flag("--compare", report.compare,
                          "how the second of two launches differs from the first");
  addTimeLimit(*reportCommand, report.timeLimit, kRunLimit);
}

void CommandTable::addInspect() {
  inspectCommand = app.add_subcommand(
      "inspect", "count what accesses, conversions and loops cost, without a GPU");
  inspectCommand->add_option("file", inspect.file, "kernel or IR file")->required();
  addSelectionOptions(*inspectCommand, inspect.selection);
  inspectCommand
      ->add_option("--program", inspect.program, "count one program; default: the whole grid")
      ->type_name("X,Y,Z");
  addTimeLimit(*inspectCommand, inspect.timeLimit, kStageLimit);
  inspectCommand->add_flag("--json", inspect.json, "print one JSON document");
}

void CommandTable::addCompare() {
  compareCommand =
      app.add_subcommand("compare", "show how two kernels, launches or targets differ, and whether "
                                    "one is faster");
  compareCommand
      ->add_option("before", compare.before,
                   "FILE, FILE@LAUNCH, FILE@TARGET, FILE.tskernel, or Triton's FILE.cubin")
      ->required();
  compareCommand->add_option("after", compare.after, "the other one, in the same forms")
      ->required();
  addSelectionOptions(*compareCommand, compare.selection);
  addPlace(*compareCommand, compare.where);
  compareCommand->add_flag("--warm-l2", compare.warmL2,
                           "do not flush the L2 cache between launches");
  addThreshold(*compareCommand, compare.threshold,
               "differences in time up to so many percent count as none");
  compareCommand
      ->add_option("--emit", compare.emit,
                   "print how these stages differ, line by line: of " + stageNames(","))
      ->type_name("LIST");
  addTimeLimit(*compareCommand, compare.timeLimit, kRunLimit);
  compareCommand->add_flag("--json", compare.json, "print one JSON document");
}

void CommandTable::addBench() {
  benchCommand = app.add_subcommand(
      "bench", "measure launches, and fail where one takes longer than an earlier time");
  benchCommand->add_option("files", bench.files, "kernel or IR files; every launch of each")
      ->required()
      ->type_name("FILE");
  addSelectionOptions(*benchCommand, bench.selection);
  addPlace(*benchCommand, bench.where);
  benchCommand
      ->add_option("--baseline", bench.baseline, "times to compare with, as --out wrote them")
      ->type_name("FILE");
  addThreshold(*benchCommand, bench.threshold, "a slowdown of up to so many percent is none");
  benchCommand->add_option("--junit", bench.junit, "write the results as JUnit's XML")
      ->type_name("FILE");
  benchCommand->add_option("-o,--out,--output", bench.output, "write the times, as a baseline")
      ->type_name("FILE");
  benchCommand->add_flag("--warm-l2", bench.warmL2, "do not flush the L2 cache between launches");
  addTimeLimit(*benchCommand, bench.timeLimit, kRunLimit);
  benchCommand->add_flag("--json", bench.json, "print one JSON document");
}

void CommandTable::addSweep() {
  sweepCommand = app.add_subcommand(
      "sweep", "compile and measure a kernel with many values, and name the best");
  sweepCommand->add_option("file", sweep.file, "kernel or IR file")->required();
  addSelectionOptions(*sweepCommand, sweep.selection);
  sweepCommand
      ->add_option("--over", sweep.over,
                   "values of a size, constexpr or option: BLOCK=128,256; n=1024:65536:*4; "
                   "BLOCK_M,BLOCK_N=(64,32),(128,64)")
      ->allow_extra_args(false)
      ->type_name("NAME=LIST");
  sweepCommand
      ->add_option(
          "--on", sweep.where,
          "cpu, cuda, cuda:N or ssh://[user@]host; several GPUs share the points: cuda:all, "
          "cuda:0,2, ssh://host/all; may be repeated")
      ->allow_extra_args(false)
      ->type_name("WHERE");
  auto *output = sweepCommand
                     ->add_option("-o,--out,--output", sweep.output,
                                  "new folder for every result, a table and a report")
                     ->type_name("DIR");
  sweepCommand->add_option("--resume", sweep.resume, "go on with the sweep of this folder")
      ->excludes(output)
      ->type_name("DIR");
  sweepCommand
      ->add_option(
          "--slurm", sweep.slurm,
          "let tasks of Slurm share the points: partition=P,gres=gpu:1,array=64,time=30, …; with "
          "--resume: gather what they have")
      ->type_name("OPTIONS");
  sweepCommand->add_flag("--resubmit", sweep.resubmit,
                         "with --slurm and --resume: submit tasks again that are lost or slow");
  // For the scripts that --slurm writes.
  sweepCommand->add_option("--task", sweep.task, "")->group("");
  sweepCommand->add_option("--jobs", sweep.jobs, "worker processes; default: one per processor")
      ->check(CLI::Range(1U, kMostJobs))
      ->type_name("N");
  sweepCommand->add_flag("--write", sweep.write,
                         "write the winner's values into the file's launch block");
  sweepCommand->add_flag("--warm-l2", sweep.warmL2, "do not flush the L2 cache between launches");
  addTimeLimit(*sweepCommand, sweep.timeLimit, kRunLimit);
  sweepCommand->add_flag("--json", sweep.json, "print one JSON document");
}

void CommandTable::addMachines() {
  gpusCommand = app.add_subcommand("gpus", "say what a machine can run and measure");
  gpusCommand
      ->add_option("--on", gpus.where, "cuda: this machine; ssh://[user@]host; may be repeated")
      ->type_name("WHERE");
  addTimeLimit(*gpusCommand, gpus.timeLimit, "seconds that a machine may take to answer");
  gpusCommand->add_flag("--json", gpus.json, "print one JSON document");
  hostsCommand = app.add_subcommand("hosts", "list the machines that ~/.ssh/config names");
  hostsCommand->add_flag("--json", hosts.json, "print one JSON document");
  helpCommand =
      app.add_subcommand("help", "what a function, a hint, a problem, a counter or a term means");
  helpCommand->add_option("word", help.word, "such as tl.load, runtime-divisor or TTGIR")
      ->type_name("WORD");
  helpCommand->add_flag("--all", help.isAll, "all pages")->excludes("word");
  helpCommand->add_flag("--json", help.json, "print one JSON document");
}

int CommandTable::dispatch() {
  if (*checkCommand)
    return runCheck(check);
  if (*compileCommand)
    return runCompile(compile);
  if (*packageCommand)
    return runPackage(package);
  if (*runCommand)
    return runRun(run);
  if (*profileCommand)
    return runRun(profile);
  if (*inspectCommand)
    return runInspect(inspect);
  if (*compareCommand)
    return runCompare(compare);
  if (*benchCommand)
    return runBench(bench);
  if (*sweepCommand)
    return runSweepCommand(sweep);
  for (const std::optional<int> &status : {lessons.dispatch(), models.dispatch()})
    if (status)
      return *status;
  if (*gpusCommand)
    return runGpus(gpus);
  if (*helpCommand)
    return runHelp(help);
  if (*hostsCommand)
    return runHosts(hosts);
  return runReport(report);
}

static bool wantsJson(int argc, char **argv) {
  return std::any_of(argv, argv + argc,
                     [](const char *word) { return std::string_view(word) == "--json"; });
}

/// `1920x1080`
static bool parseSize(const std::string &text, WindowOptions &options) {
  char rest = 0;
  return std::sscanf(text.c_str(), "%dx%d%c", &options.width, &options.height, &rest) == 2 &&
         options.width > 0 && options.height > 0;
}

static int openWindow(int &argc, char **argv, const WindowOptions &options,
                      const OpenIde &openIde) {
  if (openIde)
    return openIde(argc, argv, options);
  return reportError({ErrorCode::Environment, "this build of Tilescope has no window",
                      "`tilescope --help` lists what works; the window needs Qt 6 and QScintilla"});
}

static int runWindow(int &argc, char **argv, const OpenIde &openIde) {
  CLI::App app("IDE, compiler and profiler for block-level GPU kernels", "tilescope");
  WindowOptions options;
  std::string size;
  app.add_option("files", options.files, "kernel or IR files to open");
  app.add_flag("--separate", options.separate,
               "open a window with its own session, even if another is open");
  app.add_option("--screenshot", options.screenshot, "render the window into this PNG file");
  app.add_option("--size", size, "size of the screenshot: WxH");
  app.add_option("--theme", options.theme, "dark or light")
      ->check(CLI::IsMember({"dark", "light"}));
  // The window system has its own options.
  app.allow_extras();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (const auto unknown = unknownWindowOption(app.remaining()))
    return reportError(*unknown, wantsJson(argc, argv));
  if (!size.empty() && !parseSize(size, options))
    return reportError(
        {ErrorCode::Usage, "`" + size + "` is not a size", "write it like 1920x1080"});
  return openWindow(argc, argv, options, openIde);
}

int runCommandLine(int &argc, char **argv, const OpenIde &openIde) {
  const bool asJson = wantsJson(argc, argv);
  // `tilescope`, `tilescope k.py`, `tilescope --screenshot …` open the window.
  const FirstWord first = argc < 2 ? FirstWord::WindowArgument : classifyFirstWord(argv[1]);
  if (first == FirstWord::WindowArgument)
    return runWindow(argc, argv, openIde);
  if (first == FirstWord::Mistyped)
    return reportError(unknownSubcommand(argv[1]), asJson);
  CommandTable table;
  try {
    table.app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    if (asJson && error.get_exit_code() != 0)
      printJson(errorJson({ErrorCode::Usage, error.what(), ""}));
    return table.app.exit(error) == 0 ? 0 : 2;
  }
  if (!table.lessons.opened().empty()) {
    WindowOptions options;
    options.files = {table.lessons.opened()};
    return openWindow(argc, argv, options, openIde);
  }
  return table.dispatch();
}

} // namespace tilescope::app
