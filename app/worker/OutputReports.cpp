// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/OutputReports.h"

#include "app/launch/AxesReadTwice.h"
#include "app/launch/NeutralInit.h"
#include "app/launch/ResolveLaunch.h"
#include "app/worker/LaunchInput.h"
#include "compiler/artifacts/RunFindings.h"
#include "profiler/data/Tensor.h"

#include <algorithm>
#include <string_view>

namespace tilescope::app {

using namespace compiler;

/// Tensors with data that the kernel has written to.
static std::vector<std::string> writtenInputs(const profiler::LaunchPlan &plan,
                                              const RunDoneReply &reply) {
  std::vector<std::string> written;
  for (const RunOutput &output : reply.outputs)
    if (output.changed &&
        plan.argument(output.name)->tensor()->init.kind != profiler::TensorInit::Kind::Poison)
      written.push_back(output.name);
  return written;
}

/// Accesses whose masks were false throughout. They are the cause of what was never written, or of a whole run that
/// wrote nothing; of the others it is only said, since a kernel may mean it so.
static void reportMaskedOff(const InterpretOutcome &outcome, const std::string &unwritten,
                            RunDoneReply &reply) {
  for (const auto &[argument, masked] : outcome.maskedOff) {
    const bool isLoad = masked.severity == Severity::Note;
    const bool isCause =
        !isLoad && (unwritten.empty() ? outcome.interpretation.statistics.bytesStored == 0
                                      : argument == unwritten);
    const bool isTold = std::ranges::any_of(reply.diagnostics, [&](const Diagnostic &each) {
      return each.range == masked.range && each.message == masked.message;
    });
    if (isTold || (!isCause && !unwritten.empty()))
      continue;
    reply.diagnostics.push_back(masked);
    if (!isCause)
      reply.diagnostics.back().severity = Severity::Note;
  }
}

void reportNeverWritten(const profiler::LaunchPlan &plan, const CompileRequest &request,
                        const InterpretOutcome &outcome, RunDoneReply &reply) {
  const SuggestedLaunch &accesses = outcome.result.suggestion;
  const std::vector<std::string> inputs = writtenInputs(plan, reply);
  for (const RunOutput &output : reply.outputs) {
    const auto access = accesses.tensors.find(output.name);
    const bool isOutput =
        access == accesses.tensors.end() ? !inputs.empty() : access->second.isWritten;
    if (!isOutput || output.numUnwritten == 0 ||
        output.numUnwritten != profiler::numElements(output.shape))
      continue;
    Diagnostic diagnostic;
    diagnostic.kind = DiagnosticKind::RunUndefined;
    diagnostic.severity = Severity::Warning;
    diagnostic.range = argumentRange(request, output.name);
    diagnostic.cause.subject = output.name;
    diagnostic.message = "`" + output.name + "` was never written";
    for (const std::string &name : inputs)
      diagnostic.notes.push_back("the kernel writes `" + name + "`, which holds data");
    reply.diagnostics.push_back(std::move(diagnostic));
    reportMaskedOff(outcome, output.name, reply);
  }
  reportMaskedOff(outcome, {}, reply);
}

/// The word of `init` with which a tensor gets some values.
static std::string_view someValues(profiler::Dtype dtype) {
  return profiler::isFloat(dtype) ? "randn" : "randint";
}

void reportEmptyInputs(const profiler::LaunchPlan &plan, const CompileRequest &request,
                       const SuggestedLaunch &accesses, RunDoneReply &reply) {
  // What it reads is used for nothing.
  if (accesses.storesNothing)
    return;
  for (RunOutput &output : reply.outputs) {
    const auto access = accesses.tensors.find(output.name);
    if (access == accesses.tensors.end() || !access->second.isRead || access->second.isWritten ||
        output.numUnwritten == 0)
      continue;
    output.numUnwritten = 0;
    output.firstUnwritten = -1;
    const std::string_view init = someValues(plan.argument(output.name)->tensor()->dtype);
    Diagnostic diagnostic;
    diagnostic.kind = DiagnosticKind::RunUndefined;
    diagnostic.severity = Severity::Warning;
    diagnostic.range = argumentRange(request, output.name);
    diagnostic.cause.subject = output.name;
    diagnostic.message = "`" + output.name +
                         "` is read, but holds no values: give it some with `init = \"" +
                         std::string(init) + "\"`";
    if (std::optional<DiagnosticFix> fix = initFix(request, output.name, init))
      diagnostic.fixes.push_back(std::move(*fix));
    reply.diagnostics.push_back(std::move(diagnostic));
  }
}

/// What a kernel does with an argument that nothing fills; nothing: it matters to none of its results.
static std::optional<AtomicUpdate>
updateOfNothing(const CompileRequest &request, const RoundingFacts &facts, profiler::Dtype dtype) {
  if (!facts.isOnlyUpdated)
    return comparedAndSwapped(request, facts.stores);
  // Several together, or through functions of other files.
  return atomicUpdate(request, facts.stores, dtype)
      .value_or(AtomicUpdate{{}, "is updated by atomic operations"});
}

/// What all results of such an update are.
static std::string resultsOf(const AtomicUpdate &update, const profiler::PlanTensor &tensor) {
  if (!update.isSum)
    return {};
  return profiler::isFloat(tensor.dtype) ? ", so that every sum is nan"
                                         : ", so that every sum has chance in it";
}

void reportUpdatedOfNothing(const profiler::LaunchPlan &plan, const InterpretMessage &message,
                            const std::vector<RoundingFacts> &written, RunDoneReply &reply) {
  for (const RunOutput &output : reply.outputs) {
    const auto facts = std::ranges::find(written, output.name, &RoundingFacts::argument);
    if (facts == written.end() || !beginsEmpty(plan, message.inputFolder, output.name))
      continue;
    const profiler::PlanTensor &tensor = *plan.argument(output.name)->tensor();
    const auto update = updateOfNothing(message.request, *facts, tensor.dtype);
    if (!update || (facts->isOnlyUpdated && !output.changed))
      continue;
    Diagnostic diagnostic;
    diagnostic.kind = DiagnosticKind::RunUndefined;
    diagnostic.severity = Severity::Warning;
    diagnostic.range = argumentRange(message.request, output.name);
    diagnostic.cause.subject = output.name;
    const std::string name = "`" + output.name + "`";
    diagnostic.message =
        (update->callee.empty() ? name + " " + std::string(update->verb)
                                : "`" + update->callee + "` " + std::string(update->verb) +
                                      " what " + name + " holds") +
        ", but nothing fills it before the launch" + resultsOf(*update, tensor) +
        (update->init.empty() ? "" : "; begin with `" + update->words() + "`");
    if (!facts->stores.empty())
      diagnostic.labels.push_back({facts->stores.front(), "depends on what is there"});
    if (std::optional<DiagnosticFix> fix = neutralFix(message.request, output.name, *update))
      diagnostic.fixes.push_back(std::move(*fix));
    // Races of programs that take no lock result from it.
    const auto place = facts->isOnlyUpdated ? reply.diagnostics.end() : reply.diagnostics.begin();
    reply.diagnostics.insert(place, std::move(diagnostic));
  }
}

/// The places of `tl.program_id(N)` in the kernel, by N, where the grid of the launch block has no axis N.
static std::map<int64_t, std::vector<SourceRange>> axesBeyondGrid(const CompileRequest &request,
                                                                  const InterpretOutcome &outcome) {
  if (request.entry != StageId::Ast || !gridRange(request, 0))
    return {};
  std::map<int64_t, std::vector<SourceRange>> axes = axesRead(request.text, outcome.result.kernel);
  std::erase_if(axes, [&](const auto &each) {
    return each.first < 0 || each.first > 2 || gridRange(request, static_cast<size_t>(each.first));
  });
  return axes;
}

void reportUnreadAxes(const profiler::LaunchPlan &plan, const CompileRequest &request,
                      const InterpretOutcome &outcome, RunDoneReply &reply) {
  const std::vector<int32_t> &unread = outcome.unreadAxes;
  const auto updated = std::ranges::find(outcome.roundings, true, &RoundingFacts::isOnlyUpdated);
  const bool isUpdating = updated != outcome.roundings.end();
  if (hasRaces(reply.diagnostics))
    return;
  const std::vector<SourceRange> twice = unread.empty() || request.entry != StageId::Ast
                                             ? std::vector<SourceRange>()
                                             : axesReadTwice(request.text, outcome.result.kernel);
  const auto beyond = axesBeyondGrid(request, outcome);
  for (const int32_t axis : unread) {
    const int64_t programs = plan.grid[static_cast<size_t>(axis)];
    if (programs < 2)
      continue;
    const std::string number = std::to_string(axis);
    Diagnostic diagnostic;
    diagnostic.kind = DiagnosticKind::RunLaunchUnfit;
    diagnostic.severity = Severity::Warning;
    diagnostic.message = "the kernel does not read `tl.program_id(" + number + ")`: the " +
                         std::to_string(programs) + " programs along axis " + number +
                         " of the grid all do the same" +
                         (isUpdating ? ", so that each adds the same to `" + updated->argument + "`"
                                     : std::string());
    if (const std::optional<SourceRange> range = gridRange(request, static_cast<size_t>(axis))) {
      diagnostic.range = *range;
      // One that reads none lacks that, and not a smaller grid; so does one whose programs share out a sum.
      if (unread.size() < plan.grid.size() && !isUpdating && twice.empty() && beyond.empty())
        diagnostic.fixes.push_back({*range, "1", "write `1`"});
    }
    for (const SourceRange &place : twice) {
      diagnostic.labels.push_back({place, "this axis is read twice"});
      diagnostic.fixes.push_back(
          {place, number,
           "read axis " + number + " in line " + std::to_string(place.begin.line + 1)});
    }
    reply.diagnostics.push_back(std::move(diagnostic));
  }
}

void reportAxesBeyondGrid(const profiler::LaunchPlan &plan, const CompileRequest &request,
                          const InterpretOutcome &outcome, RunDoneReply &reply) {
  const size_t numAxes = gridRange(request, 1) ? 2 : 1;
  // The only axis of several programs that nobody reads is the one that was meant.
  std::vector<std::string> meant;
  for (size_t i = 0; i < numAxes; ++i)
    if (std::ranges::find(outcome.unreadAxes, static_cast<int32_t>(i)) !=
            outcome.unreadAxes.end() &&
        plan.grid[i] > 1)
      meant.push_back(std::to_string(i));
  for (const auto &[axis, places] : axesBeyondGrid(request, outcome)) {
    Diagnostic note;
    note.kind = DiagnosticKind::RunLaunchUnfit;
    note.severity = Severity::Note;
    note.range = places.front();
    note.message = "`tl.program_id(" + std::to_string(axis) +
                   ")` is 0 in every program: the grid of this launch has " +
                   (numAxes == 1 ? "one axis" : "two axes");
    if (meant.size() == 1)
      for (const SourceRange &place : places)
        note.fixes.push_back(
            {place, meant.front(),
             "read axis " + meant.front() + " in line " + std::to_string(place.begin.line + 1)});
    reply.diagnostics.push_back(std::move(note));
  }
}

void reportUnread(const profiler::LaunchPlan &plan, const InterpretOutcome &outcome,
                  RunDoneReply &reply) {
  // Of what was expected it is said that it differs.
  const auto differs = [&](const RunOutput &output) {
    return output.numUnwritten > 0 && !plan.argument(output.name)->tensor()->expected.empty();
  };
  const bool isToldOtherwise = std::ranges::any_of(reply.outputs, differs) ||
                               std::ranges::any_of(reply.diagnostics, [](const Diagnostic &each) {
                                 return each.severity != Severity::Note;
                               });
  if (isToldOtherwise)
    return;
  for (Diagnostic note : outcome.unread) {
    const profiler::PlanArgument *argument = plan.argument(note.cause.subject);
    if (argument && argument->tensor() && argument->tensor()->isGuess)
      note.notes.insert(note.notes.begin(), "the launch block guesses the shape of `" +
                                                argument->name + "`: it may be a smaller one");
    reply.diagnostics.push_back(std::move(note));
  }
}

void reportRepeated(const profiler::LaunchPlan &plan, const CompileRequest &request,
                    const InterpretOutcome &outcome, RunDoneReply &reply) {
  const bool isToldOtherwise = std::ranges::any_of(
      reply.diagnostics, [](const Diagnostic &each) { return each.severity != Severity::Note; });
  if (isToldOtherwise)
    return;
  for (Diagnostic note : outcome.repeated) {
    const bool isOfGrid = note.range.empty();
    if (isOfGrid && plan.isGridGuess)
      continue;
    if (const std::optional<SourceRange> grid = isOfGrid ? gridRange(request, 0) : std::nullopt)
      note.range = *grid;
    reply.diagnostics.push_back(std::move(note));
  }
}

} // namespace tilescope::app
