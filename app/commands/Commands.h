// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/SelectionOptions.h"
#include "app/commands/TraceChoice.h"
#include "compiler/artifacts/Stage.h"
#include "compiler/support/Result.h"
#include "profiler/data/Profile.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// One function per subcommand; each returns the exit status of the program (docs and help name
/// them): 0 done, 1 the input is at fault, 2 wrong usage, 3 the environment lacks something.
namespace tilescope::app {

struct CheckOptions {
  /// Files and folders.
  std::vector<std::string> files;
  SelectionOptions selection;
  bool syntaxOnly = false;
  bool json = false;
  /// Worker processes; 0: one per processor.
  unsigned jobs = 0;
  /// Seconds without a sign of life after which a kernel is given up; nothing: 30.
  std::optional<double> timeLimit;
};
int runCheck(const CheckOptions &options);

struct CompileOptions {
  std::string file;
  SelectionOptions selection;
  /// Names of stages, separated by commas; empty: all that can be made.
  std::string emit;
  std::string outputFolder;
  /// Every launch block of the file, not just the selected one.
  bool allLaunches = false;
  bool timings = false;
  bool passes = false;
  bool json = false;
  /// The release of Triton in whose notation IR is printed; empty: the usual one.
  std::string tritonVersion;
  /// Seconds that one stage may take; nothing: the usual time.
  std::optional<double> timeLimit;
};
int runCompile(const CompileOptions &options);
/// As `--emit` takes them, in order.
std::string stageNames(std::string_view separator, unsigned traits = ~0u);
/// The stages of such a list; fails for a name that is none.
Result<std::set<compiler::StageId>> parseEmit(const std::string &list);

struct PackageOptions {
  std::string file;
  SelectionOptions selection;
  /// A file; with `allLaunches` a folder.
  std::string output;
  bool allLaunches = false;
  /// As in `CompileOptions`.
  std::optional<double> timeLimit;
};
int runPackage(const PackageOptions &options);

/// What executes a run on the CPU.
struct ExecutorOptions {
  bool interpret = false;
  bool native = false;
  /// Native code of the target finds accesses outside of the arguments.
  bool checked = false;
  /// Native code of the target has the interpreter's bits.
  bool exact = false;
  /// Native code is compiled anew, and not kept.
  bool noCache = false;
};

struct RunOptions {
  std::string file;
  /// The file that `file` stands for, as a copy with edits: imports are looked up beside it, and
  /// messages name it. Empty: `file` itself.
  std::string source;
  SelectionOptions selection;
  /// `cpu`, `cuda`, `cuda:N`, `ssh://[user@]host`; empty: the GPU, or `cpu` without one.
  std::string where;
  std::string dumpFolder;
  std::string inputFolder;
  bool allLaunches = false;
  bool compare = false;
  ExecutorOptions executor;
  bool json = false;
  bool warmL2 = false;
  /// Measure times: `profile`.
  bool profile = false;
  /// What `profile` collects beyond times.
  profiler::ProfileWishes wishes = {profiler::CounterSet::Quick, false};
  TraceChoice trace;
  /// Seconds that a launch on a GPU may take, one stage of the compiler, and that the interpreter
  /// or the runner may be silent; nothing: the usual time of each.
  std::optional<double> timeLimit;
};
int runRun(const RunOptions &options);

struct InspectOptions {
  std::string file;
  SelectionOptions selection;
  /// `X,Y,Z`: the only program whose accesses are counted; empty: the whole grid.
  std::string program;
  bool json = false;
  /// As in `CompileOptions`.
  std::optional<double> timeLimit;
};
int runInspect(const InspectOptions &options);

struct CompareOptions {
  /// Two of `FILE`, `FILE@launch`, `FILE@target`, a package and `FILE.cubin`.
  std::string before, after;
  SelectionOptions selection;
  /// As in `RunOptions`.
  std::string where;
  bool warmL2 = false;
  /// Differences in time up to so many percent count as none.
  double threshold = 0.5;
  /// Stages whose differences are printed line by line, as in `CompileOptions`.
  std::string emit;
  bool json = false;
  /// As in `CompileOptions`.
  std::optional<double> timeLimit;
};
int runCompare(const CompareOptions &options);

struct BenchOptions {
  /// Kernel or IR files; of each every launch, unless the selection names one.
  std::vector<std::string> files;
  SelectionOptions selection;
  /// As in `RunOptions`.
  std::string where;
  /// Times to compare with; empty: none.
  std::string baseline;
  /// A slowdown of up to so many percent is none.
  double threshold = 5;
  /// Where the results go as JUnit's XML; empty: nowhere.
  std::string junit;
  /// Where the times go, as a baseline for later; empty: nowhere.
  std::string output;
  bool warmL2 = false;
  bool json = false;
  std::optional<double> timeLimit;
};
int runBench(const BenchOptions &options);

struct SweepOptions {
  std::string file;
  SelectionOptions selection;
  /// `NAME=LIST`.
  std::vector<std::string> over;
  /// Places as in `RunOptions`, and several GPUs of a machine: `cuda:all`, `ssh://host/0,2`.
  std::vector<std::string> where;
  /// A new folder for results; empty: they are only printed.
  std::string output;
  /// The folder of a sweep to go on with; empty: a new one.
  std::string resume;
  /// What is asked of Slurm, whose tasks share the points (`SlurmOptions`); empty: it takes no part.
  std::string slurm;
  /// Tasks that are lost or slow are submitted again.
  bool resubmit = false;
  /// The task of the sweep in `resume` that this process is.
  std::optional<size_t> task;
  /// Worker processes that compile; 0: one per processor.
  unsigned jobs = 0;
  /// The winner's values go into the file's launch block.
  bool write = false;
  bool warmL2 = false;
  bool json = false;
  std::optional<double> timeLimit;
};
int runSweepCommand(const SweepOptions &options);

struct GpusOptions {
  /// Places as in `RunOptions`; empty: this machine.
  std::vector<std::string> where;
  bool json = false;
  /// Seconds that a machine may take to answer; nothing: the usual time.
  std::optional<double> timeLimit;
};
int runGpus(const GpusOptions &options);

struct HostsOptions {
  bool json = false;
};
int runHosts(const HostsOptions &options);

struct ReportOptions {
  /// Kernel and IR files, and recordings, of which nothing is compiled.
  std::vector<std::string> files;
  SelectionOptions selection;
  std::string output;
  /// Every launch block of each file, not just the selected one.
  bool allLaunches = false;
  /// The report says how the second of two launches differs from the first.
  bool compare = false;
  /// As in `RunOptions`.
  std::string where;
  /// What is measured on a GPU beyond times.
  profiler::ProfileWishes profile = {profiler::CounterSet::Full, true};
  TraceChoice trace;
  std::optional<double> timeLimit;
};
int runReport(const ReportOptions &options);

} // namespace tilescope::app
