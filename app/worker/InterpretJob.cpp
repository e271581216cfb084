// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/InterpretJob.h"

#include "app/launch/ComputedArguments.h"
#include "app/launch/GuessedAgain.h"
#include "app/launch/GuessedLaunch.h"
#include "app/launch/ResolveLaunch.h"
#include "app/worker/CompileJob.h"
#include "app/worker/LastWords.h"
#include "app/worker/LaunchInput.h"
#include "app/worker/OutputReports.h"
#include "app/worker/ProvenFixes.h"
#include "app/worker/ResidentPrograms.h"
#include "compiler/artifacts/RunFindings.h"
#include "compiler/support/WholeNumber.h"
#include "profiler/data/Npy.h"
#include "profiler/data/Unwritten.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>

namespace tilescope::app {

using namespace compiler;
using profiler::Tensor;

static bool hasExpectation(const profiler::LaunchPlan &plan, const std::string &name) {
  const profiler::PlanArgument *argument = plan.argument(name);
  return argument && argument->tensor() && !argument->tensor()->expected.empty();
}

static InterpretInput makeInput(const profiler::LaunchPlan &plan, const InterpretMessage &message,
                                std::map<std::string, Tensor> &tensors) {
  InterpretInput input;
  input.numThreads = message.threads;
  input.multiprocessors = multiprocessorsOf(message.request);
  for (size_t axis = 0; axis < 3; ++axis)
    input.grid[axis] = static_cast<int32_t>(plan.grid[axis]);
  for (const auto &[name, text] : plan.sizes)
    if (const std::optional<int64_t> size = wholeNumber(text))
      input.sizes.insert(*size);
  input.argument = [&plan, &inputFolder = message.inputFolder, &tensors](
                       const KernelParameter &parameter) -> std::optional<InterpreterArgument> {
    InterpreterArgument result;
    result.name = parameter.name;
    if (const auto it = tensors.find(parameter.name); it != tensors.end()) {
      result.data = it->second.data.data();
      result.sizeBytes = it->second.data.size();
      result.shape = it->second.shape;
      result.countUnwritten = beginsEmpty(plan, inputFolder, parameter.name);
      result.isExpected = hasExpectation(plan, parameter.name);
      return result;
    }
    const profiler::PlanArgument *argument = plan.argument(parameter.name);
    if (argument == nullptr)
      return std::nullopt;
    result.bits = scalarBits(*argument->scalar(), parameter.type);
    return result;
  };
  return input;
}

/// A run that could not begin, or whose outputs could not be kept.
static void addError(DiagnosticKind kind, const std::string &message, RunDoneReply &reply) {
  Diagnostic diagnostic;
  diagnostic.kind = kind;
  diagnostic.message = message;
  reply.diagnostics.push_back(std::move(diagnostic));
  reply.ok = false;
}

/// What no program has written of the arguments that began empty.
using UnwrittenByName = std::map<std::string, profiler::Unwritten>;

static int64_t countOf(const std::vector<UnwrittenElements> &all, const std::string &argument) {
  const auto found = std::ranges::find(all, argument, &UnwrittenElements::argument);
  return found == all.end() ? 0 : found->count;
}

/// As far as the numbers of elements tell: none, or all that hold poison. The others hold poison that
/// programs have written to some of their elements; these are left out.
static UnwrittenByName unwrittenByCount(const profiler::LaunchPlan &plan,
                                        const std::string &inputFolder,
                                        const std::map<std::string, Tensor> &tensors,
                                        const std::vector<UnwrittenElements> &all) {
  UnwrittenByName result;
  for (const auto &[name, tensor] : tensors) {
    if (!beginsEmpty(plan, inputFolder, name))
      continue;
    const int64_t count = countOf(all, name);
    if (count == 0)
      result[name] = {};
    else if (count == profiler::countPoison(tensor))
      result[name] = true;
  }
  return result;
}

static void writeOutputs(const profiler::LaunchPlan &plan, const InterpretMessage &message,
                         const InitialTensors &initial,
                         const std::map<std::string, Tensor> &tensors,
                         const std::vector<UnwrittenElements> &unwritten,
                         const UnwrittenByName &elements, RunDoneReply &reply) {
  const Result<profiler::OutputFolder> folder = profiler::OutputFolder::open(message.outputFolder);
  if (!folder)
    return addError(DiagnosticKind::Internal, folder.error().message, reply);
  for (const profiler::PlanArgument &argument : plan.args) {
    const auto it = tensors.find(argument.name);
    if (it == tensors.end())
      continue;
    const std::string path = folder->pathOf(argument.name + ".npy");
    if (Status status = profiler::writeNpy(*folder, argument.name, it->second); !status)
      return addError(DiagnosticKind::Internal, status.error().message, reply);
    const auto known = elements.find(argument.name);
    if (known != elements.end())
      if (Status status =
              profiler::writeUnwritten(*folder, argument.name, it->second, known->second);
          !status)
        return addError(DiagnosticKind::Internal, status.error().message, reply);
    // What holds poison as before may have been written with it.
    const bool isWritten = known != elements.end() && countOf(unwritten, argument.name) <
                                                          profiler::numElements(it->second.shape);
    const bool changed =
        isWritten || initial.differsFrom(it->second, argument, message.inputFolder);
    reply.outputs.push_back({argument.name, std::string(profiler::dtypeName(it->second.dtype)),
                             it->second.shape, path, changed});
    for (const UnwrittenElements &elements : unwritten)
      if (elements.argument == argument.name) {
        reply.outputs.back().numUnwritten = elements.count;
        reply.outputs.back().firstUnwritten = elements.first;
      }
  }
}

/// The launch block of a request; nothing where it has none.
static std::optional<std::pair<size_t, profiler::LaunchBlock>>
blockOf(const CompileRequest &request) {
  std::vector<profiler::LaunchBlock> blocks = profiler::parseLaunchBlocks(request.text).blocks;
  const int index = findLaunch(blocks,
                               request.entry == StageId::Ast ? sourceKernels(request.text)
                                                             : std::vector<SourceKernel>(),
                               request.selection);
  if (index < 0)
    return std::nullopt;
  const auto at = static_cast<size_t>(index);
  return std::pair(at, std::move(blocks[at]));
}

/// Casts doubt on findings that guesses of the launch block may bring about; and offers to guess anew what it marks as
/// guessed, where the kernel has become another one.
static void doubtBlock(const CompileRequest &request, const CompileResult &result,
                       const profiler::LaunchPlan &plan, const std::vector<SourceRange> &inFront,
                       std::vector<Diagnostic> &findings) {
  const auto found = blockOf(request);
  // What is expected was written for these shapes: others would hide what is wrong with the kernel.
  const bool isExpected =
      found && std::ranges::any_of(found->second.args, [](const profiler::LaunchArgument &each) {
        return !each.expected.text.empty();
      });
  doubtGuesses(plan,
               found && !isExpected
                   ? guessAgain(request.text, found->first, found->second, result.suggestion)
                   : std::nullopt,
               findings, inFront);
  if (found && isAsSuggested(found->second, result.suggestion))
    doubtUnedited(findings, inFront);
}

/// Runs of at most this length are repeated.
static constexpr std::chrono::seconds kRepeated(2);

/// Whether programs of several threads raced for elements: which pair was found, and whether the
/// one value was there in time to be compared with the other, is then chance.
static bool hasRaced(const InterpretOutcome &outcome) {
  return std::ranges::any_of(outcome.interpretation.findings, [](const InterpreterFinding &each) {
    return each.kind == InterpreterFindingKind::WriteRace;
  });
}

/// Where programs have left poison as a number and others have written nothing, a second run tells which
/// is which: it begins with other contents.
static UnwrittenByName findUnwritten(Compiler &worker, const InterpretMessage &message,
                                     const profiler::LaunchPlan &plan,
                                     const std::map<std::string, Tensor> &tensors,
                                     const InterpretOutcome &outcome, const CompileHooks &hooks) {
  UnwrittenByName known =
      unwrittenByCount(plan, message.inputFolder, tensors, outcome.interpretation.unwritten);
  std::map<std::string, Tensor> again, others;
  std::string failed;
  const auto isDoubtful = [&](const std::string &name) {
    return beginsEmpty(plan, message.inputFolder, name) && !known.contains(name);
  };
  if (std::ranges::none_of(tensors, [&](const auto &each) { return isDoubtful(each.first); }) ||
      !makeTensors(plan, message.inputFolder, again, failed))
    return known;
  for (auto &[name, tensor] : again)
    if (isDoubtful(name))
      tensor = others[name] = profiler::otherPoison(tensor);
  InterpretInput input = makeInput(plan, message, again);
  input.executor = message.executor;
  if (!worker.interpret(message.request, input, hooks).interpretation.completed)
    return known;
  for (const auto &[name, other] : others)
    known[name] = profiler::unwrittenOfBoth(tensors.at(name), again.at(name), other);
  return known;
}

/// Where accesses lie in front of an argument: no guess makes them right, nor others of the same place.
static std::vector<SourceRange> placesInFront(const Interpretation &run) {
  std::vector<SourceRange> places;
  for (const InterpreterFinding &finding : run.findings)
    if (finding.extent > 0 && finding.offset < 0)
      places.push_back(finding.range);
  return places;
}

static void takeInterpretation(Interpretation &run, RunDoneReply &reply) {
  reply.prints = std::move(run.prints);
  reply.writers = std::move(run.writers);
  for (const InterpreterFinding &finding : run.findings)
    if (finding.kind != InterpreterFindingKind::Unsupported)
      reply.faults.push_back({finding.programId, finding.range});
  reply.isNative = run.isNative;
  reply.whyInterpreted = std::move(run.whyInterpreted);
  reply.countsUnwritten = run.countsUnwritten;
  reply.sampledPrograms = run.statistics.sampledPrograms;
  reply.sampleDurationNs = run.statistics.sampleDuration.count();
  reply.compileDurationNs = run.isNative ? run.statistics.translateDuration.count() : 0;
  reply.programs = run.statistics.programs;
  reply.durationNs = run.statistics.runDuration.count();
  reply.repeatNs = run.statistics.repeatNs;
}

void runInterpretJob(Compiler &worker, const InterpretMessage &message, std::stop_token stop,
                     ReplyWriter &replies) {
  RunDoneReply reply;
  reply.job = message.job;
  Result<profiler::LaunchPlan> plan = profiler::launchPlanFromJson(message.launchPlan);
  std::map<std::string, Tensor> tensors;
  std::string failed;
  // Numbers say how often loops run; nothing is read.
  if (plan && message.onlyRoundings)
    std::erase_if(plan->args, [](const profiler::PlanArgument &each) { return each.tensor(); });
  Status usable = plan ? makeTensors(*plan, message.inputFolder, tensors, failed) : plan.error();
  if (!usable) {
    addError(DiagnosticKind::LaunchBlockInvalid, usable.error().message, reply);
    reply.diagnostics.back().range = argumentRange(message.request, failed);
    replies.send(reply);
    return;
  }
  const InitialTensors initial(message.outputFolder.empty() ? TensorsByName() : tensors);
  setLastWordsJob(lastWordsJob(message.job, message.request));
  InterpretInput input = makeInput(*plan, message, tensors);
  input.watches = message.watches;
  input.repeats = message.repeats;
  input.onlyRoundings = message.onlyRoundings;
  input.widensFloats = message.widensFloats;
  input.executor = message.executor;
  input.checksBounds = message.checksBounds;
  input.isExact = message.isExact;
  input.keepsCode = message.keepsCode;
  if (message.maxProgramNs > 0)
    input.maxProgramDuration = std::chrono::nanoseconds(message.maxProgramNs);
  input.progress = [&](uint64_t done, uint64_t total) {
    replies.send(RunProgressReply{message.job, done, total});
  };
  CompileHooks hooks;
  hooks.stop = stop;
  hooks.stepStarted = [&](StageId stage, std::string_view step) {
    setLastWordsStep(stage, step);
    obeyTestHook(message.hook, step);
  };
  // Only the run is checked.
  hooks.wantsText = [](StageId) { return false; };
  hooks.wantsPasses = false;
  InterpretOutcome outcome = worker.interpret(message.request, input, hooks);
  // In the order of the programs, the same races are found each time.
  if (input.numThreads != 1 && !outcome.cancelled && hasRaced(outcome) &&
      outcome.interpretation.statistics.runDuration <= kRepeated &&
      makeTensors(*plan, message.inputFolder, tensors, failed)) {
    input.numThreads = 1;
    InterpretOutcome repeated = worker.interpret(message.request, input, hooks);
    if (!repeated.cancelled && !hasRaced(repeated)) {
      // What only programs at once have shown is a race all the same.
      repeated.interpretation.findings = std::move(outcome.interpretation.findings);
      repeated.result.diagnostics = std::move(outcome.result.diagnostics);
      repeated.result.files = std::move(outcome.result.files);
    }
    outcome = std::move(repeated);
  }
  UnwrittenByName unwritten;
  if (outcome.interpretation.completed && outcome.interpretation.countsUnwritten)
    unwritten = findUnwritten(worker, message, *plan, tensors, outcome, hooks);
  std::optional<Diagnostic> waiting;
  if (!outcome.cancelled && outcome.interpretation.waiting)
    waiting = tooManyWaiting(worker, message.request, *outcome.interpretation.waiting, hooks);
  clearLastWordsJob();
  reply.ok = outcome.result.ok && outcome.interpretation.completed;
  reply.cancelled = outcome.cancelled;
  reply.diagnostics =
      assumedComputed(message.request, outcome.result.kernel, outcome.result.assumptions);
  std::ranges::move(outcome.result.diagnostics, std::back_inserter(reply.diagnostics));
  keepProvenFixes(worker, message.request, reply.diagnostics, stop);
  if (waiting)
    reply.diagnostics.push_back(std::move(*waiting));
  doubtBlock(message.request, outcome.result, *plan, placesInFront(outcome.interpretation),
             reply.diagnostics);
  reply.files = std::move(outcome.result.files);
  if (!reply.files.empty())
    reply.files.front().text.clear();
  takeInterpretation(outcome.interpretation, reply);
  reply.roundedProducts = std::move(outcome.roundedProducts);
  reply.countedFillers = std::move(outcome.countedFillers);
  if (outcome.interpretation.completed) {
    writeOutputs(*plan, message, initial, tensors, outcome.interpretation.unwritten, unwritten,
                 reply);
    reportEmptyInputs(*plan, message.request, outcome.result.suggestion, reply);
    reportUpdatedOfNothing(*plan, message, outcome.roundings, reply);
    reportNeverWritten(*plan, message.request, outcome, reply);
    reportUnreadAxes(*plan, message.request, outcome, reply);
    reportAxesBeyondGrid(*plan, message.request, outcome, reply);
    reportUnread(*plan, outcome, reply);
    reportRepeated(*plan, message.request, outcome, reply);
  }
  reply.roundings = std::move(outcome.roundings);
  replies.send(reply);
}

} // namespace tilescope::app
