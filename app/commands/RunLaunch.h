// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/CompileFile.h"
#include "app/commands/SelectionOptions.h"
#include "profiler/data/Measurement.h"
#include "profiler/package/KernelPackage.h"

namespace tilescope::app {

/// Where a launch runs.
struct RunPlace {
  enum class Kind { Cpu, Cuda, Ssh };
  Kind kind = Kind::Cpu;
  int device = 0;
  /// `[user@]host` for Ssh.
  std::string host;
};

/// Reads `cpu`, `cuda`, `cuda:N`, `ssh://[user@]host[/N]`; empty: the GPU of this machine, or the
/// CPU.
Result<RunPlace> parseRunPlace(const std::string &text);

/// What the options of a command that runs say: what, and where.
struct RunSelection {
  compiler::Selection selection;
  RunPlace place;
};

/// The target of a run on this machine is its GPU's unless the options name one.
Result<RunSelection> toRunSelection(const SelectionOptions &options, const std::string &where);

/// The first device of this machine as a target, e.g. `cuda:90`; empty without one that is
/// supported.
std::string presentTarget();

struct LaunchOptions {
  RunPlace place;
  /// Existing folder for every argument after the run; empty: not kept.
  std::string dumpFolder;
  /// Arguments with a file `<name>.npy` there begin with its contents; may be empty.
  std::string inputFolder;
  /// Existing folder with the interpreter's results to compare with; empty: no comparison.
  std::string referenceFolder;
  bool measure = true;
  bool coldL2 = true;
};

/// Runs a package on a GPU: with `tilescope-runner` here or at the far end of ssh.
Result<profiler::Measurement> runOnGpu(const profiler::KernelPackage &package,
                                       const LaunchOptions &options);

/// Runs a launch in the interpreter. Diagnostics of the run are appended to `file`'s result.
/// `inputFolder` as in `LaunchOptions`.
Result<profiler::Measurement> runOnCpu(compiler::WorkerClient &worker, CompiledFile &file,
                                       const std::string &outputFolder,
                                       const std::string &inputFolder = {});

} // namespace tilescope::app
