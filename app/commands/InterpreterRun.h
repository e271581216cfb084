// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/service/WorkerClient.h"
#include "profiler/data/Measurement.h"
#include "profiler/package/LaunchPlan.h"

#include <functional>
#include <optional>
#include <stop_token>

namespace tilescope::app {

/// One run on the CPU.
struct InterpreterRun {
  /// An existing folder, where every argument is written after the run.
  std::string outputFolder;
  /// As in `LaunchOptions`.
  std::string inputFolder = {};
  std::vector<compiler::ArgumentElement> watches = {};
  /// As in `compiler::InterpretInput`.
  compiler::CpuExecutor executor = compiler::CpuExecutor::OfTarget;
  bool checksBounds = false, isExact = false, keepsCode = true;
  /// The measurement's notes say why the interpreter executed a kernel instead of native code.
  bool explainsExecutor = false;
  /// Time that one program may take, in seconds; nothing: the usual time.
  std::optional<double> programLimit = std::nullopt;
  uint32_t repeats = 0;
  /// Nothing is executed; the reply says how the kernel rounds.
  bool onlyRoundings = false;
  /// As in `compiler::InterpretInput`.
  bool widensFloats = false;
};

/// How far the interpreter has come; may be empty.
using ProgramsDone = std::function<void(uint64_t done, uint64_t total)>;

/// Runs a launch. The error is about the worker program.
Result<compiler::RunDoneReply>
interpret(compiler::WorkerClient &worker, const compiler::CompileRequest &request,
          const profiler::LaunchPlan &plan, const InterpreterRun &run,
          const ProgramsDone &programsDone, const std::stop_token &stop);

/// A note for the user; `why` is a clause.
std::string interpretedNote(const std::string &why);

/// Whether machine code of the CPU was measured, and not the interpreter.
bool isNativeRun(const profiler::Measurement &measurement);

/// The run as a measurement, whose outputs are not compared yet.
profiler::Measurement toMeasurement(const compiler::RunDoneReply &done,
                                    const compiler::CompileRequest &request,
                                    const profiler::LaunchPlan &plan, const InterpreterRun &run);

} // namespace tilescope::app
