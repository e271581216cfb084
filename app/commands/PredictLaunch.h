// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/CompileFile.h"
#include "compiler/artifacts/Estimate.h"
#include "profiler/data/Measurement.h"

#include <chrono>
#include <optional>
#include <stop_token>

namespace tilescope::app {

/// Adds to a measurement what was predicted for its device, and notes that, and what follows if both
/// are far apart, of the whole or of a line.
/// The estimate is of the usual device of its target: it is worked out anew with the rates of the one
/// that was measured. Notes why there is no prediction where that is so.
void notePrediction(const compiler::Estimate &estimate, profiler::Measurement &measurement);

/// Has the worker predict what a launch takes on the usual device of its target. Nothing: it was
/// stopped, or took longer than `timeLimit`.
std::optional<compiler::Estimate> estimateOf(compiler::WorkerClient &worker,
                                             const CompiledFile &file, const std::stop_token &stop,
                                             std::chrono::milliseconds timeLimit);

/// Has the worker predict what the launch of a measurement takes, and notes that.
void addPrediction(compiler::WorkerClient &worker, const CompiledFile &file,
                   const std::stop_token &stop, profiler::Measurement &measurement);

} // namespace tilescope::app
