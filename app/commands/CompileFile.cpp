// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CompileFile.h"

#include "app/launch/Programs.h"
#include "app/launch/ResolveLaunch.h"

#include <algorithm>

namespace tilescope::app {

using compiler::CompileRequest;
using compiler::DiagnosticKind;

compiler::WorkerClientOptions workerOptions(std::optional<double> timeLimit) {
  compiler::WorkerClientOptions options;
  options.program = workerProgram();
  if (timeLimit)
    options.patience = std::chrono::milliseconds(static_cast<int64_t>(*timeLimit * 1000));
  return options;
}

CompileRequest makeRequest(const InputFile &input, const compiler::Selection &selection) {
  CompileRequest request;
  request.path = input.path;
  request.text = input.text;
  request.entry = input.entry;
  request.selection = selection;
  request.facts = input.facts;
  return request;
}

Result<CompiledFile> compileInput(compiler::WorkerClient &worker, const InputFile &input,
                                  const compiler::Selection &selection,
                                  const CompileFileOptions &options) {
  CompiledFile file;
  file.request = makeRequest(input, selection);
  file.request.stopAfter = std::max(options.stopAfter, input.entry);
  file.request.recordPassIr = options.recordPassIr;
  file.request.collectFacts = options.wanted.layouts || options.wanted.values;
  Result<compiler::CompileResult> result =
      worker.compile(file.request, options.wanted, options.stop, options.hook);
  if (!result)
    return result.error();
  file.result = std::move(*result);
  file.request.selection = file.result.launch.selection;
  file.plan = planOf(file.result.launch);
  return file;
}

Result<CompiledFile> resolveInput(compiler::WorkerClient &worker, const InputFile &input,
                                  const compiler::Selection &selection, std::stop_token stop) {
  CompileFileOptions options;
  options.stop = std::move(stop);
  options.stopAfter = input.entry;
  options.wanted = {
      .stages = 0, .passes = false, .passIr = false, .layouts = false, .values = false};
  return compileInput(worker, input, selection, options);
}

std::vector<compiler::Diagnostic> launchDiagnostics(const CompiledFile &file) {
  std::vector<compiler::Diagnostic> diagnostics = file.result.diagnostics;
  std::erase_if(diagnostics, [](const compiler::Diagnostic &diagnostic) {
    switch (diagnostic.kind) {
    case DiagnosticKind::LaunchBlockInvalid:
    case DiagnosticKind::LaunchUnknown:
    case DiagnosticKind::StageCrashed:
    case DiagnosticKind::StageOutOfMemory:
    case DiagnosticKind::StageTimedOut:
      return false;
    default:
      return true;
    }
  });
  return diagnostics;
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
