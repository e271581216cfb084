// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/CompileFile.h"
#include "app/commands/MemoryFill.h"
#include "app/commands/RunnerClient.h"
#include "app/commands/SelectionOptions.h"
#include "app/commands/TraceChoice.h"
#include "app/launch/ReferenceFiles.h"
#include "compiler/artifacts/CpuExecutor.h"

#include <chrono>

namespace tilescope::app {

/// What the options of a command that runs say: what, and where.
struct RunSelection {
  compiler::Selection selection;
  RunPlace place;
};

/// The target of a run is the GPU's that the options choose, unless they name another.
/// `timeLimit`: seconds that a runner may take to list its devices; nothing: the usual time.
Result<RunSelection> toRunSelection(const SelectionOptions &options, const std::string &where,
                                    std::optional<double> timeLimit = std::nullopt);

/// A request to run one launch.
struct LaunchRequest {
  InputFile input;
  compiler::Selection selection;
  RunPlace place;
  /// Folder for every argument after the run, made when it is missing; empty: not kept.
  std::string dumpFolder;
  /// As in `LaunchOptions`.
  std::string inputFolder;
  /// As in `InterpreterRun`.
  compiler::CpuExecutor executor = compiler::CpuExecutor::OfTarget;
  bool checksBounds = false, isExact = false, keepsCode = true;
  bool explainsExecutor = false;
  std::optional<double> programLimit = std::nullopt;
  /// As in `compiler::InterpretInput`: the times are of these launches.
  uint32_t repeats = 0;
  /// As in `compiler::InterpretInput`; on the CPU.
  bool widensFloats = false;
  /// On the CPU.
  MemoryFill fill = MemoryFill::Poison;
  /// Compare the outputs of a GPU with the interpreter's.
  bool compare = false;
  bool measure = true;
  bool coldL2 = true;
  /// On a GPU: its times one by one, and what the wishes say.
  bool isProfile = false;
  profiler::ProfileWishes profile = {};
  /// Where the wishes have a trace.
  TraceChoice trace = {};
  double timeLimit = 10;
  /// Of outputs that sums of 16 bits go into: what they are compared by (`LaunchRun::judgedBy`).
  std::vector<compiler::RoundingFacts> judgedBy = {};
  /// Only what is found and what differs counts: nothing is explained, and no fix is tried.
  bool isTrial = false;
  /// What trials of fixes may take together, or twice the time of the run, but not more than twice this.
  std::chrono::milliseconds timeToTry{10000};

  /// The text and what is chosen of it, for what is looked up there.
  compiler::CompileRequest source() const {
    compiler::CompileRequest source;
    source.text = input.text;
    source.entry = input.entry;
    source.selection = selection;
    return source;
  }
};

struct LaunchHooks {
  RunnerHooks runner;
  /// How far the interpreter has come.
  std::function<void(uint64_t done, uint64_t total)> programsDone;
  /// The programs have run; outputs are compared with what the launch block expects of them.
  std::function<void()> checking;
};

/// What is said of a finding with fixes, and true only if one of them helps.
struct FixReason {
  std::vector<compiler::DiagnosticFix> fixes;
  /// Notes, and messages of labels.
  std::vector<std::string> said;
  /// Where the label of the only fix is: others may say the same elsewhere.
  std::optional<SourceRange> place = std::nullopt;
};

/// One launch, run. An error with an empty message: the diagnostics say it all.
struct LaunchRun {
  Result<profiler::Measurement> measurement = Error{ErrorCode::InvalidInput, "", ""};
  /// Of the launch block, the compiler and the run; ranges point into `files`.
  std::vector<compiler::Diagnostic> diagnostics;
  std::vector<compiler::SourceFile> files;
  /// Of a run on the CPU.
  std::optional<profiler::LaunchPlan> plan = std::nullopt;
  /// What the interpreter printed for `tl.device_print`.
  std::vector<compiler::InterpreterPrint> prints;
  /// The writers of the first and the worst of the elements that differ from the reference.
  std::vector<compiler::ElementWriter> writers;
  /// What the kernel rounds on the way to its outputs, where the interpreter ran.
  std::vector<compiler::RoundingFacts> roundings;
  /// What outputs were compared by in the place of that: how the kernel rounds with sums in fp32.
  std::vector<compiler::RoundingFacts> judgedBy = {};
  /// What the interpreter found, by program.
  std::vector<compiler::RunFault> faults;
  /// Of the diagnostics.
  std::vector<FixReason> reasons = {};
  /// Notes that are there for want of a better reason: true where no fix helps.
  std::vector<std::string> guesses = {};
  /// Files that outputs were compared with, as they were before.
  std::vector<ReferenceFile> references = {};
  /// `profiler::textDigest` of the SASS that samples are of; empty where it is not known.
  std::string machineCode;

  /// It ran to its end without a fault, and nothing differs from the reference, or is like it by
  /// chance.
  bool ok() const;
};

/// Runs a launch, in the interpreter or on a GPU, and compares when asked to. Thread: the worker's.
LaunchRun runLaunch(compiler::WorkerClient &worker, const LaunchRequest &request,
                    const LaunchHooks &hooks = {});

} // namespace tilescope::app
