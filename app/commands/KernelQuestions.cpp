// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/KernelQuestions.h"

#include "app/commands/InterpreterRun.h"
#include "app/commands/OutputChecks.h"
#include "app/launch/OfferedConfigurations.h"

#include <algorithm>

namespace tilescope::app {

using compiler::Diagnostic;

KernelRoundings roundingsOfKernel(compiler::WorkerClient &worker, const InputFile &input,
                                  const compiler::Selection &selection,
                                  const std::stop_token &stop) {
  const Result<CompiledFile> file = resolveInput(worker, input, selection, stop);
  if (!file || !file->plan || !expectsResults(*file->plan))
    return {};
  if (input.entry > compiler::StageId::Ttir)
    return {assumedRoundings(*file->plan), {}};
  InterpreterRun dry;
  dry.onlyRoundings = true;
  Result<compiler::RunDoneReply> done =
      interpret(worker, file->request, *file->plan, dry, {}, stop);
  return done ? KernelRoundings{std::move(done->roundings), std::move(done->roundedProducts)}
              : KernelRoundings();
}

std::vector<Diagnostic> refusedConfigurations(compiler::WorkerClient &worker,
                                              const InputFile &input,
                                              const compiler::Selection &selection,
                                              const std::stop_token &stop) {
  CompileFileOptions options;
  options.stop = stop;
  options.stopAfter = compiler::StageId::Ttir;
  options.wanted = {
      .stages = 0, .passes = false, .passIr = false, .layouts = false, .values = false};
  Result<CompiledFile> compiled = compileInput(worker, input, selection, options);
  if (!compiled)
    return {};
  std::vector<Diagnostic> &found = compiled->result.diagnostics;
  const std::vector<SourceRange> places = configurationPlaces(
      compiled->request, compiled->result.kernel, compiled->result.configurations);
  std::erase_if(found, [&](const Diagnostic &each) {
    return each.severity != compiler::Severity::Warning ||
           std::ranges::find(places, each.range) == places.end();
  });
  // The run may number other files in another way.
  for (Diagnostic &each : found)
    std::erase_if(each.labels, [](const auto &label) { return label.range.file != 0; });
  return std::move(found);
}

} // namespace tilescope::app
