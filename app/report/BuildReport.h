// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/AccessFacts.h"
#include "compiler/artifacts/AccessRecord.h"
#include "compiler/artifacts/CompileResult.h"
#include "compiler/artifacts/Hint.h"
#include "compiler/artifacts/LoopFacts.h"
#include "compiler/artifacts/SharedFacts.h"
#include "compiler/artifacts/TouchTrace.h"
#include "profiler/report/ReportData.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope::app {

/// What one kernel's part of a report is made from.
struct ReportInputs {
  /// As the user named it.
  std::string path;
  std::string source;
  compiler::CompileResult result;
  std::optional<profiler::LaunchPlan> plan;
  /// What the launch's accesses cost, if that is known, and those of one program.
  std::optional<compiler::MemoryFacts> memory;
  compiler::AccessRecord record;
  /// What it keeps in shared memory, if that is known.
  std::optional<compiler::SharedFacts> shared;
  /// What warps do in its loops, if that is known.
  std::vector<compiler::LoopFacts> loops;
  /// Best first.
  std::vector<compiler::Hint> hints;
  /// What the programs touch, if that is known.
  std::optional<compiler::TouchTrace> touches;
  std::optional<profiler::ReportCpuRun> cpuRun;
  std::optional<profiler::Measurement> measurement;
  /// Why there is no measurement.
  std::string measurementMissing;
};

profiler::ReportKernel buildReportKernel(const ReportInputs &inputs);

/// Summaries of the tensors that the interpreter wrote as `<name>.npy` into a folder, in the plan's
/// order; what cannot be read is left out.
std::vector<profiler::ReportOutput> reportOutputs(const profiler::LaunchPlan &plan,
                                                  const std::string &folder);

/// The machine that makes the report: system, processor, this program. The caller adds the tools
/// and the device.
std::vector<profiler::NamedText> hostEnvironment();

/// `2026-01-31 12:00 UTC`, now.
std::string reportTime();

} // namespace tilescope::app
