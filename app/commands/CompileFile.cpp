// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CompileFile.h"

#include "app/launch/Programs.h"
#include "app/launch/ResolveLaunch.h"
#include "compiler/support/NearestName.h"

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

static std::string listed(const std::vector<std::string_view> &names) {
  std::string text;
  for (const std::string_view name : names)
    text += (text.empty() ? "`" : ", `") + std::string(name) + "`";
  return text;
}

Error noSuchKernel(const CompileRequest &request) {
  const std::vector<SourceKernel> kernels = sourceKernels(request.text);
  std::vector<std::string_view> names;
  for (const SourceKernel &kernel : kernels)
    if (!kernel.isCalled)
      names.push_back(kernel.name);
  const std::string_view nearest = closestName(request.selection.kernel, names);
  return {ErrorCode::Usage,
          (request.path.empty() ? "This file" : "`" + request.path + "`") + " has no kernel `" +
              request.selection.kernel + "`",
          !nearest.empty() ? "did you mean `" + std::string(nearest) + "`?"
          : names.empty()  ? ""
                           : "it has " + listed(names)};
}

/// What the selection asks for and is not there is the caller's fault, not that of a line of the
/// file.
static Status checkChoices(const CompileRequest &asked, const compiler::CompileResult &result) {
  const compiler::Selection &selection = asked.selection;
  for (const compiler::Diagnostic &fault : result.diagnostics) {
    const auto isAbout = [&](DiagnosticKind kind, const std::string &choice) {
      return fault.kind == kind && !choice.empty() && fault.cause.subject == choice;
    };
    if (isAbout(DiagnosticKind::NoKernel, selection.kernel))
      return noSuchKernel(asked);
    if (isAbout(DiagnosticKind::TargetUnsupported, selection.target) ||
        isAbout(DiagnosticKind::LaunchUnknown, selection.launch))
      return Error{ErrorCode::Usage, fault.message, fault.notes.empty() ? "" : fault.notes.front()};
  }
  return {};
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
  if (Status status = checkChoices(makeRequest(input, selection), *result); !status)
    return status.error();
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
    // Of a key in a configuration.
    case DiagnosticKind::BadArgument:
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
