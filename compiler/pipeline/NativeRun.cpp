// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/NativeRun.h"

#include "compiler/native/RunGrid.h"
#include "compiler/pipeline/MlirDiagnostics.h"

#include <algorithm>

namespace tilescope::compiler {

/// Whether two arguments share memory. The same memory under two names is fine as long as a program
/// uses equal elements of both, but nothing here knows whether it does.
static bool argumentsOverlap(const std::vector<InterpreterArgument> &arguments) {
  std::vector<std::pair<const std::byte *, const std::byte *>> spans;
  for (const InterpreterArgument &argument : arguments)
    if (argument.data && argument.sizeBytes)
      spans.emplace_back(argument.data, argument.data + argument.sizeBytes);
  std::ranges::sort(spans);
  return std::ranges::adjacent_find(spans, [](const auto &left, const auto &right) {
           return right.first < left.second;
         }) != spans.end();
}

static std::vector<uint64_t> wordsOf(const std::vector<InterpreterArgument> &arguments) {
  std::vector<uint64_t> words;
  for (const InterpreterArgument &argument : arguments)
    words.push_back(argument.data ? reinterpret_cast<uint64_t>(argument.data) : argument.bits);
  return words;
}

static Result<native::NativeKernel> compileNative(CompileJob &job, mlir::ModuleOp ttir,
                                                  bool overlap) {
  job.step(StageId::Ttir, "compile for the CPU");
  DiagnosticCollector collector(*ttir.getContext(), DiagnosticKind::RunUnsupported, job.files,
                                job.result.diagnostics);
  return native::NativeKernel::compile(ttir, overlap);
}

Interpretation runAsNativeCode(CompileJob &job, mlir::ModuleOp ttir,
                               const InterpreterLaunch &launch, const InterpreterOptions &options) {
  using Clock = std::chrono::steady_clock;
  Interpretation outcome;
  const auto begin = Clock::now();
  const Result<native::NativeKernel> kernel =
      compileNative(job, ttir, argumentsOverlap(launch.arguments));
  if (!kernel) {
    // What is at fault in the kernel has its own diagnostics.
    if (!job.hasErrors())
      job.report(DiagnosticKind::Internal, Severity::Error, kernel.error().message);
    return outcome;
  }
  outcome.statistics.translateDuration = Clock::now() - begin;
  job.step(StageId::Ttir, "native code");
  const std::vector<uint64_t> words = wordsOf(launch.arguments);
  const auto start = Clock::now();
  native::GridOptions grid;
  grid.grid = launch.grid;
  grid.numThreads = options.numThreads;
  grid.stop = options.stop;
  grid.progress = options.progress;
  outcome.completed = native::runGrid(*kernel, words, grid);
  outcome.cancelled = !outcome.completed;
  outcome.statistics.runDuration = Clock::now() - start;
  outcome.statistics.programs =
      uint64_t(launch.grid[0]) * uint64_t(launch.grid[1]) * uint64_t(launch.grid[2]);
  return outcome;
}

} // namespace tilescope::compiler
