// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/RunLaunch.h"
#include "profiler/data/ProfileDocument.h"
#include "profiler/report/ReportData.h"

namespace tilescope::app {

/// One launch as a report shows it, with what was wrong with it.
struct ReportedLaunch {
  profiler::ReportKernel kernel;
  std::vector<compiler::Diagnostic> diagnostics;
  /// That the diagnostics point into.
  std::vector<compiler::SourceFile> files;
  /// It compiled, and where it ran, it did so without a fault and with the expected results.
  bool ok = true;
};

/// What a report is made with besides its launch.
struct ReportHooks {
  std::stop_token stop = {};
  /// What is being done, in words: `counting the accesses`.
  std::function<void(std::string_view part)> part = {};
  /// How far the interpreter has come.
  std::function<void(uint64_t done, uint64_t total)> programsDone = {};
  /// Whether what the kernel prints is shown, too: its first lines.
  bool showsPrints = true;
};

/// Compiles a launch and runs it in the interpreter and, where `launch` names one, on a GPU. With
/// `known`, what was measured before is reported, and nothing runs. The error is about the
/// environment. Thread: the worker's.
Result<ReportedLaunch> reportLaunch(compiler::WorkerClient &worker, const InputFile &input,
                                    const compiler::Selection &selection,
                                    const LaunchOptions &launch, const ReportHooks &hooks = {},
                                    const profiler::ProfileDocument *known = nullptr);

/// A report without kernels: this program and the time.
profiler::ReportData beginReport(const std::string &title);
/// The same with this machine and the tools that the worker found.
profiler::ReportData makeReport(compiler::WorkerClient &worker, const std::string &title);

/// A launch to be reported on, and where to.
struct ReportRequest {
  InputFile input;
  compiler::Selection selection;
  RunPlace place;
  /// Its ending says of which form the report is.
  std::string output;
  /// A profile of this text and launch, which is reported in place of new runs.
  std::optional<profiler::ProfileDocument> profile = {};
};

/// Writes the report of one launch. Thread: the worker's.
Status writeLaunchReport(compiler::WorkerClient &worker, const ReportRequest &request,
                         const ReportHooks &hooks = {});

} // namespace tilescope::app
