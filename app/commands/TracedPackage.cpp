// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/TracedPackage.h"

#include <algorithm>

namespace tilescope::app {

/// Nobody chose kinds: where all of them cost too much, fewer.
static std::vector<std::string> kindsToTry(const TraceChoice &choice) {
  if (!choice.kinds.empty())
    return {choice.kinds};
  return {"all", "load,copy,wait,product,store", "wait,product", "wait"};
}

static Result<profiler::KernelPackage> compileTraced(compiler::WorkerClient &worker,
                                                     const TracedLaunch &launch,
                                                     const std::string &kinds,
                                                     const std::stop_token &stop) {
  TraceChoice choice = launch.choice;
  choice.kinds = kinds;
  CompiledPackage traced =
      compilePackage(worker, launch.input, tracedSelection(launch.selection, choice, launch.plain),
                     {.stop = stop});
  if (traced.package)
    return std::move(*traced.package);
  const auto error = std::ranges::find(traced.diagnostics, compiler::Severity::Error,
                                       &compiler::Diagnostic::severity);
  return Error{
      ErrorCode::InvalidInput,
      "the kernel does not compile with clock reads: " +
          (error != traced.diagnostics.end() ? error->message : traced.package.error().message),
      ""};
}

Status addTraced(compiler::WorkerClient &worker, const TracedLaunch &launch,
                 const std::stop_token &stop, LaunchOptions &options) {
  if (launch.input.entry >= compiler::StageId::LlvmIr)
    return Error{ErrorCode::InvalidInput,
                 "clock reads are put into TTGIR, and the document is of a later stage", ""};
  for (const std::string &kinds : kindsToTry(launch.choice)) {
    auto package = compileTraced(worker, launch, kinds, stop);
    if (!package)
      return package.error();
    // Of a kernel without such operations nothing is left to trace.
    if (options.traced.empty() || (package->trace && !package->trace->scopes.empty()))
      options.traced.push_back(std::move(*package));
  }
  return {};
}

void addUntraced(const Error &reason, profiler::Measurement &measurement) {
  measurement.refusals.push_back(
      {profiler::ProfileRung::Trace, profiler::RefusalKind::Other, reason.message, reason.hint});
}

} // namespace tilescope::app
