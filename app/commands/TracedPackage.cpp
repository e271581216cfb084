// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/TracedPackage.h"

#include <algorithm>

namespace tilescope::app {

Status addTraced(compiler::WorkerClient &worker, const TracedLaunch &launch,
                 const std::stop_token &stop, LaunchOptions &options) {
  if (launch.input.entry >= compiler::StageId::LlvmIr)
    return Error{ErrorCode::InvalidInput,
                 "clock reads are put into TTGIR, and the document is of a later stage", ""};
  CompiledPackage traced = compilePackage(
      worker, launch.input, tracedSelection(launch.selection, launch.choice, launch.plain),
      {.stop = stop});
  if (traced.package) {
    options.traced = std::make_shared<const profiler::KernelPackage>(std::move(*traced.package));
    return {};
  }
  const auto error = std::ranges::find(traced.diagnostics, compiler::Severity::Error,
                                       &compiler::Diagnostic::severity);
  return Error{
      ErrorCode::InvalidInput,
      "the kernel does not compile with clock reads: " +
          (error != traced.diagnostics.end() ? error->message : traced.package.error().message),
      ""};
}

void addUntraced(const Error &reason, profiler::Measurement &measurement) {
  measurement.refusals.push_back(
      {profiler::ProfileRung::Trace, profiler::RefusalKind::Other, reason.message, reason.hint});
}

} // namespace tilescope::app
