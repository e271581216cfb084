// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/launch/InputFile.h"
#include "compiler/artifacts/CompileResult.h"
#include "compiler/service/WorkerClient.h"
#include "profiler/package/LaunchPlan.h"

#include <optional>

namespace tilescope::app {

/// A file compiled as the launch block and the command line say.
struct CompiledFile {
  compiler::CompileRequest request;
  compiler::CompileResult result;
  std::optional<profiler::LaunchPlan> plan;

  bool ok() const { return result.ok; }
};

/// The request for a file. What the launch block gets wrong is put in `diagnostics`.
compiler::CompileRequest makeRequest(const InputFile &input, const compiler::Selection &selection,
                                     std::vector<compiler::Diagnostic> &diagnostics,
                                     std::optional<profiler::LaunchPlan> &plan);

struct CompileFileOptions {
  compiler::StageId stopAfter = compiler::StageId::Sass;
  bool recordPassIr = false;
  compiler::WantedParts wanted;
  compiler::TestHook hook;
};

/// Compiles a file in a worker. The error is about the environment; faults of the kernel and of its
/// launch block are in the result's diagnostics.
Result<CompiledFile> compileInput(compiler::WorkerClient &worker, const InputFile &input,
                                  const compiler::Selection &selection,
                                  const CompileFileOptions &options);

/// Reads the file first: the error may be about that too.
Result<CompiledFile> compileFile(compiler::WorkerClient &worker, const std::string &path,
                                 const compiler::Selection &selection,
                                 const CompileFileOptions &options);

compiler::WorkerClientOptions workerOptions();

} // namespace tilescope::app
