// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/ProfileDocument.h"
#include "profiler/package/LaunchBlock.h"
#include "profiler/report/ReportData.h"

#include <optional>
#include <string>
#include <vector>

/// A recorded kernel as a text that compiles and runs, and what was recorded of its runs.
namespace tilescope::app {

struct RecordedSource {
  /// A name for the file: `softmax.py`.
  std::string name;
  /// Of the file that it was; the name alone where that is not known.
  std::string path;
  /// Has a launch block where the launch is recorded.
  std::string text;
  std::string kernel;
  /// Position of the recorded launch's block in the text; nothing: there is none.
  std::optional<int> launch;
};

/// Nothing: the source of the kernel is not recorded.
std::optional<RecordedSource> recordedSource(const profiler::ReportKernel &kernel);

/// What was measured on a GPU, else what the interpreter's run came to. Nothing: it did not run.
/// Outputs have no files.
std::optional<profiler::Measurement> recordedRun(const profiler::ReportKernel &kernel);

/// The same as the window's profiles are: `source` is the text that is shown for it, and `created`
/// the report's time.
profiler::ProfileDocument recordedProfile(const profiler::ReportKernel &kernel,
                                          const profiler::Measurement &run,
                                          const std::optional<RecordedSource> &source,
                                          const std::string &created);

/// A plan as a launch block with numbers for all its expressions. Numbers that the plan passes for
/// `constexprs` become compile-time values.
profiler::LaunchBlock blockOfPlan(const profiler::LaunchPlan &plan,
                                  const std::vector<std::string> &constexprs);

} // namespace tilescope::app
