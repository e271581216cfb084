// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/RunLaunch.h"
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

/// Compiles a launch and runs it in the interpreter and, where `launch` names one, on a GPU. The
/// error is about the environment. Thread: the worker's.
Result<ReportedLaunch> reportLaunch(compiler::WorkerClient &worker, const InputFile &input,
                                    const compiler::Selection &selection,
                                    const LaunchOptions &launch, const std::stop_token &stop = {});

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
};

/// Writes the report of one launch. Thread: the worker's.
Status writeLaunchReport(compiler::WorkerClient &worker, const ReportRequest &request,
                         const std::stop_token &stop = {});

} // namespace tilescope::app
