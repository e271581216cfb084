// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/CompileFile.h"
#include "app/commands/MeasureTogether.h"
#include "profiler/analysis/Regression.h"

namespace tilescope::app {

/// A launch, measured and compared with the baseline.
struct BenchedLaunch {
  profiler::BenchRecord record;
  profiler::BenchJudgment judgment;
  /// Of the baseline; nothing where it has no record.
  std::optional<double> baselineUs;
  /// Present unless it failed.
  std::optional<profiler::Measurement> measurement;
  /// Why it failed; with an empty message the diagnostics say it.
  std::optional<Error> error;
  std::vector<compiler::Diagnostic> diagnostics;
  std::vector<compiler::SourceFile> files;
  double seconds = 0;
};

/// Compiles and measures one launch of a file; the judgment is left to the caller.
/// `compilerName`: as the key of its times has it.
BenchedLaunch benchLaunch(compiler::WorkerClient &worker, const InputFile &input,
                          const compiler::Selection &selection, const TogetherOptions &options,
                          const std::string &compilerName);

/// This program and the assembler that it uses.
std::string compilerName(compiler::WorkerClient &worker);

} // namespace tilescope::app
