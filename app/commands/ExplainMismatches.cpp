// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ExplainMismatches.h"

#include "app/commands/AddressAdvice.h"
#include "app/commands/BlockBegins.h"
#include "app/commands/BlockEnd.h"
#include "app/commands/BlocksAlone.h"
#include "app/commands/DescriptorShapes.h"
#include "app/commands/DroppedFractions.h"
#include "app/commands/ExchangedArrays.h"
#include "app/commands/ExchangedBounds.h"
#include "app/commands/InterpreterRun.h"
#include "app/commands/KernelText.h"
#include "app/commands/LoopBounds.h"
#include "app/commands/LoopSlips.h"
#include "app/commands/MendedRun.h"
#include "app/commands/MissingAxes.h"
#include "app/commands/NarrowAdvice.h"
#include "app/commands/OutputChecks.h"
#include "app/commands/ReducedAxes.h"
#include "app/commands/RowLengths.h"
#include "app/commands/RowWiseAdvice.h"
#include "app/commands/TemporaryFolder.h"
#include "app/commands/TriedFixes.h"
#include "app/commands/UnmaskedScores.h"
#include "app/commands/UnmaskedUpdates.h"
#include "app/commands/UnwrittenAdvice.h"
#include "app/commands/ValueAdvice.h"
#include "app/commands/ValueSlips.h"
#include "app/launch/GuessedLaunch.h"
#include "app/launch/ResolveLaunch.h"
#include "profiler/data/Tensor.h"

#include <algorithm>

namespace tilescope::app {

using compiler::Diagnostic;
using profiler::OutputResult;

/// Outputs whose differences are looked into: a user starts with these.
static constexpr size_t kExplainedOutputs = 4;

/// Keeps what an explanation says together with the fixes that it offers.
template <class Explain>
static void explained(Diagnostic &diagnostic, std::vector<FixReason> &reasons, Explain explain) {
  const auto numFixes = static_cast<ptrdiff_t>(diagnostic.fixes.size());
  const size_t numNotes = diagnostic.notes.size(), numLabels = diagnostic.labels.size();
  explain();
  const Fixes added(diagnostic.fixes.begin() + numFixes, diagnostic.fixes.end());
  // Of several causes with a fix each, only those remain that are so.
  if (diagnostic.notes.size() == numNotes && diagnostic.labels.size() == numLabels + added.size()) {
    for (size_t i = 0; i < added.size(); ++i)
      reasons.push_back({{added[i]},
                         {diagnostic.labels[numLabels + i].message},
                         diagnostic.labels[numLabels + i].range});
    return;
  }
  FixReason reason{added, {}};
  for (size_t i = numNotes; i < diagnostic.notes.size(); ++i)
    reason.said.push_back(diagnostic.notes[i]);
  for (size_t i = numLabels; i < diagnostic.labels.size(); ++i)
    reason.said.push_back(diagnostic.labels[i].message);
  if (!reason.fixes.empty())
    reasons.push_back(std::move(reason));
}

/// Whether something was said of a division in the kernel: that it is not Python's.
static bool isDivisionTold(const KernelText &kernel, const std::vector<Diagnostic> &diagnostics) {
  bool isTold = false;
  kernel.walk([&](const compiler::ast::Node &node) {
    const auto *division = compiler::ast::as<compiler::ast::BinOp>(&node);
    isTold |= division &&
              (division->op == compiler::ast::BinaryOpKind::FloorDiv ||
               division->op == compiler::ast::BinaryOpKind::Mod) &&
              std::ranges::any_of(diagnostics, [&](const Diagnostic &each) {
                return each.kind == compiler::DiagnosticKind::BadArgument &&
                       each.range == division->range;
              });
  });
  return isTold;
}

/// What the watched run has noted as a possible cause.
static void adopt(const Diagnostic &cause, Diagnostic &mismatch) {
  mismatch.labels.push_back({cause.range, cause.message});
  mismatch.fixes.insert(mismatch.fixes.end(), cause.fixes.begin(), cause.fixes.end());
}

void explainMismatches(compiler::WorkerClient &worker, const LaunchRequest &request,
                       const LaunchHooks &hooks, LaunchRun &run) {
  // Of a trial only its findings and its number of differences are asked for.
  if (request.isTrial)
    return;
  std::vector<const OutputResult *> differing;
  InterpreterRun watching;
  watching.executor = compiler::CpuExecutor::Interpreter;
  for (const OutputResult &output : run.measurement->outputs) {
    if (!output.comparison || output.comparison->mismatches == 0 ||
        differing.size() == kExplainedOutputs)
      continue;
    differing.push_back(&output);
    for (const std::vector<int64_t> &at :
         {output.comparison->firstMismatch, output.comparison->worst})
      watching.watches.push_back({output.name, profiler::elementIndex(at, output.shape)});
  }
  if (differing.empty())
    return;
  const Result<CompiledFile> file =
      resolveInput(worker, request.input, request.selection, hooks.runner.stop);
  if (!file || !file->plan)
    return;
  const Result<TemporaryFolder> scratch = TemporaryFolder::make();
  if (!scratch)
    return;
  watching.outputFolder = scratch->path();
  watching.inputFolder = request.inputFolder;
  Result<compiler::RunDoneReply> done = interpret(worker, file->request, *file->plan, watching,
                                                  hooks.programsDone, hooks.runner.stop);
  if (!done)
    return;
  run.writers = std::move(done->writers);
  if (run.files.size() < done->files.size()) {
    run.files = std::move(done->files);
    run.files.front() = {request.input.path, request.input.text};
  }
  std::vector<Diagnostic> mismatches;
  const KernelText kernel(request.input.text, file->plan->kernel);
  const std::vector<TriedFix> tried =
      tryFixes(worker, file->request, *file->plan, done->countedFillers, request.inputFolder,
               hooks.runner.stop);
  for (const OutputResult *output : differing) {
    mismatches.push_back(mismatchDiagnostic(*output, file->plan->grid, run.writers));
    Diagnostic &mismatch = mismatches.back();
    const auto explain = [&](auto explanation) { explained(mismatch, run.reasons, explanation); };
    explain([&] { explainRounding(*output, done->roundedProducts, kernel, mismatch); });
    explain(
        [&] { explainFillers(*output, fixesOf(output->name, tried, scratch->path()), mismatch); });
    const auto written =
        std::ranges::find(done->roundings, output->name, &compiler::RoundingFacts::argument);
    if (const profiler::PlanArgument *argument = file->plan->argument(output->name)) {
      if (!isDivisionTold(kernel, run.diagnostics))
        explainDivision(*output, argument->tensor()->expected, kernel, mismatch);
      explain([&] { explainValues(*argument, *output, kernel, mismatch); });
      explain([&] { explainNarrow(*file->plan, kernel, mismatch); });
      explain([&] { explainWrappedSums(kernel, mismatch); });
      explain([&] {
        const bool isWritten = written != done->roundings.end();
        const auto update =
            isWritten ? atomicUpdate(file->request, written->stores, argument->tensor()->dtype)
                      : std::nullopt;
        const bool isUntold = !isToldUndefined(output->name, run.diagnostics);
        explainPoison(*argument, *output, isWritten && written->isBuiltOn && isUntold, update,
                      update ? neutralFix(file->request, output->name, *update)
                             : initFix(file->request, output->name, "zeros"),
                      mismatch);
      });
    }
    explain([&] {
      if (written != done->roundings.end())
        explainUnmaskedUpdates(kernel, *output, written->stores, mismatch);
    });
    const size_t numReasons = run.reasons.size(), numNotes = mismatch.notes.size();
    const size_t numFixes = mismatch.fixes.size();
    bool isCounted = false;
    explain([&] {
      isCounted = explainUnwritten(request.input.text, *file->plan, *output,
                                   written == done->roundings.end() ? std::vector<SourceRange>()
                                                                    : written->stores,
                                   mismatch);
    });
    // What was counted is so whether a fix helps or not.
    if (isCounted)
      run.reasons.resize(numReasons);
    else if (mismatch.notes.size() > numNotes && mismatch.fixes.size() == numFixes)
      run.guesses.push_back(mismatch.notes.back());
    for (const Diagnostic &loss : done->diagnostics)
      if (loss.kind == compiler::DiagnosticKind::RunMismatch)
        explain([&] { adopt(loss, mismatch); });
    explain([&] { explainAddresses(request.input.text, *file->plan, *output, mismatch); });
    explain([&] { explainBlockEnd(kernel, request.input.text, *file->plan, *output, mismatch); });
    explain([&] { explainRowWise(kernel, *output, mismatch); });
    explain([&] { explainMissingAxes(kernel, *output, mismatch); });
    explain([&] { explainLoopSlips(kernel, request.input.text, *file->plan, *output, mismatch); });
    if (!output->comparison->isWithExpected)
      continue;
    explain([&] { explainDescriptorShapes(kernel, *file->plan, mismatch); });
    if (const profiler::PlanArgument *argument = file->plan->argument(output->name)) {
      explain([&] { explainDroppedFractions(kernel, *argument, *output, mismatch); });
      explain([&] { explainBlocksAlone(kernel, *file->plan, *argument, *output, mismatch); });
    }
    explain([&] { explainLoopBounds(kernel, mismatch); });
    explain([&] { explainExchangedBounds(kernel, request.input.text, *file->plan, mismatch); });
    explain([&] { explainBlockBegins(kernel, *file->plan, mismatch); });
    explain([&] {
      explainRowLengths(kernel, request.input.text, *file->plan, output->name, mismatch);
    });
    explain([&] { explainReducedAxes(kernel, mismatch); });
    explain([&] { explainUnmaskedScores(kernel, mismatch); });
    explain([&] { explainUnreadArrays(kernel, *file->plan, mismatch); });
    explain([&] { explainExchangedArrays(kernel, *file->plan, mismatch); });
    explain([&] { explainValueSlips(kernel, mismatch); });
  }
  doubtGuesses(*file->plan, {}, mismatches);
  run.diagnostics.insert(run.diagnostics.end(), mismatches.begin(), mismatches.end());
}

} // namespace tilescope::app
