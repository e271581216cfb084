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
  /// With the selection that the worker completed.
  compiler::CompileRequest request;
  compiler::CompileResult result;
  std::optional<profiler::LaunchPlan> plan;

  bool ok() const { return result.ok; }
};

/// The request for a file; the worker completes it from the file's launch block.
compiler::CompileRequest makeRequest(const InputFile &input, const compiler::Selection &selection);

struct CompileFileOptions {
  compiler::StageId stopAfter = compiler::kStageKinds.back().id;
  bool recordPassIr = false;
  compiler::WantedParts wanted;
  compiler::TestHook hook;
  std::stop_token stop = {};
};

/// That the file of a request has no kernel of the wanted name, with the names that it has.
Error noSuchKernel(const compiler::CompileRequest &request);

/// Compiles a file in a worker. The error is about the environment, or about a kernel, a launch
/// block or a target of the selection that there is not; faults of the kernel and of its launch
/// block are in the result's diagnostics.
Result<CompiledFile> compileInput(compiler::WorkerClient &worker, const InputFile &input,
                                  const compiler::Selection &selection,
                                  const CompileFileOptions &options);

/// The contents of a file's launch block, evaluated in a worker: the completed request, the plan,
/// and as the result's diagnostics what is wrong with the block or the syntax. Nothing is compiled.
Result<CompiledFile> resolveInput(compiler::WorkerClient &worker, const InputFile &input,
                                  const compiler::Selection &selection, std::stop_token stop = {});

/// Problems of the launch block, notes about it, and the reason why the worker could not report
/// them.
std::vector<compiler::Diagnostic> launchDiagnostics(const CompiledFile &file);

/// Reads the file first: the error may be about that too.
Result<CompiledFile> compileFile(compiler::WorkerClient &worker, const std::string &path,
                                 const compiler::Selection &selection,
                                 const CompileFileOptions &options);

/// Options of a worker whose stages may take `timeLimit` seconds each; nothing: the usual time.
compiler::WorkerClientOptions workerOptions(std::optional<double> timeLimit = std::nullopt);

} // namespace tilescope::app
