// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CompileFile.h"

#include "app/commands/DiagnosticText.h"
#include "app/launch/Programs.h"
#include "app/launch/ResolveLaunch.h"
#include "app/launch/TritonCache.h"

#include <algorithm>
#include <filesystem>

namespace tilescope::app {

using compiler::CompileRequest;
using compiler::Diagnostic;

compiler::WorkerClientOptions workerOptions() {
  compiler::WorkerClientOptions options;
  options.program = workerProgram();
  return options;
}

CompileRequest makeRequest(const InputFile &input, const compiler::Selection &selection,
                           std::vector<Diagnostic> &diagnostics,
                           std::optional<profiler::LaunchPlan> &plan) {
  CompileRequest request;
  request.path = input.path;
  request.text = input.text;
  request.entry = input.entry;
  ResolvedLaunch launch = resolveLaunch(input.text, selection);
  request.selection = std::move(launch.selection);
  completeSelection(request.selection, input.facts);
  plan = std::move(launch.plan);
  diagnostics.insert(diagnostics.end(), launch.diagnostics.begin(), launch.diagnostics.end());
  return request;
}

Result<CompiledFile> compileInput(compiler::WorkerClient &worker, const InputFile &input,
                                  const compiler::Selection &selection,
                                  const CompileFileOptions &options) {
  CompiledFile file;
  std::vector<Diagnostic> diagnostics;
  file.request = makeRequest(input, selection, diagnostics, file.plan);
  file.request.stopAfter = std::max(options.stopAfter, input.entry);
  file.request.recordPassIr = options.recordPassIr;
  file.request.collectFacts = options.wanted.layouts || options.wanted.values;
  Result<compiler::CompileResult> result =
      worker.compile(file.request, options.wanted, {}, options.hook);
  if (!result)
    return result.error();
  file.result = std::move(*result);
  // The block's faults come first: they may be the cause of the others.
  file.result.diagnostics.insert(file.result.diagnostics.begin(), diagnostics.begin(),
                                 diagnostics.end());
  file.result.ok = file.result.ok && !hasErrors(diagnostics);
  return file;
}

Result<CompiledFile> compileFile(compiler::WorkerClient &worker, const std::string &path,
                                 const compiler::Selection &selection,
                                 const CompileFileOptions &options) {
  const Result<InputFile> input = readInput(path, selection.kernel);
  if (!input)
    return input.error();
  return compileInput(worker, *input, selection, options);
}

} // namespace tilescope::app
