// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/NarrowSums.h"

#include "app/commands/KernelText.h"
#include "app/commands/NarrowAccumulators.h"
#include "app/commands/OutputChecks.h"
#include "app/commands/SeveralChanges.h"
#include "app/commands/TrialRun.h"
#include "compiler/syntax/ExpressionParts.h"
#include "profiler/analysis/Comparison.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>

namespace tilescope::app {

namespace ast = compiler::ast;
using compiler::Diagnostic;
using profiler::OutputResult;

/// Distances from 1 to the next number of fp16 and of bf16.
static constexpr double kOfFp16 = 1.0 / 1024, kOfBf16 = 1.0 / 128;

/// The type of 16 bits that sums on the way to an output are rounded to; empty: none.
static std::string narrowSums(const LaunchRun &run, const OutputResult &output) {
  const auto facts =
      std::ranges::find(run.roundings, output.name, &compiler::RoundingFacts::argument);
  if (facts == run.roundings.end() || facts->isAssumed)
    return "";
  const double epsilon = std::max(facts->sums.epsilon, facts->steps.precision.epsilon);
  return epsilon == kOfFp16 ? "fp16" : epsilon == kOfBf16 ? "bf16" : "";
}

/// Whether an expression rounds to a type of 16 bits.
static bool narrows(const ast::Expr &expr) {
  bool found = false;
  ast::walk(expr, [&](const ast::Node &node) {
    const auto *name = ast::as<ast::Attribute>(&node);
    found |= name && (name->attr == "float16" || name->attr == "bfloat16");
    return !found;
  });
  return found;
}

/// Whether an expression rounds what is made of `name`: `tl.dot(x, y, acc).to(tl.bfloat16)`.
static bool roundsSum(const ast::Expr &expr, std::string_view name) {
  bool found = false;
  ast::walk(expr, [&](const ast::Node &node) {
    const auto *call = ast::as<ast::Call>(&node);
    const auto *function = call ? ast::as<ast::Attribute>(call->func) : nullptr;
    found |= function && function->attr == "to" && !call->args.empty() &&
             narrows(*call->args.front()) && ast::mentions(*function->value, name);
    return !found;
  });
  return found;
}

/// Whether a loop rounds, in each of its turns, what it carries on to the next: `acc = tl.dot(x, y, acc).to(tl.bfloat16)`,
/// or `acc = acc * alpha + …` of an `acc` that begins as fp16.
static bool roundsInLoop(const KernelText &kernel) {
  bool found = false;
  const auto beginsNarrow = [&](std::string_view name, Position before) {
    bool isNarrow = false;
    kernel.walk([&](const ast::Node &node) {
      const auto *first = ast::as<ast::Assign>(&node);
      isNarrow |= first && first->range.end <= before &&
                  KernelText::nameOf(first->targets.front()) == name && narrows(*first->value);
    });
    return isNarrow;
  };
  walkCarried(kernel, [&](const ast::Stmt &loop, std::string_view name, const ast::Stmt &update) {
    const auto *assign = ast::as<ast::Assign>(&update);
    found = found || (assign && roundsSum(*assign->value, name)) ||
            beginsNarrow(name, loop.range.begin);
  });
  return found;
}

/// As `narrowSums`, and of an output that matches also what a loop's own conversions round to.
static std::string narrowSums(const LaunchRun &run, const OutputResult &output,
                              const KernelText &kernel) {
  std::string type = narrowSums(run, output);
  const auto facts =
      std::ranges::find(run.roundings, output.name, &compiler::RoundingFacts::argument);
  if (!type.empty() || facts == run.roundings.end() || facts->isAssumed ||
      !output.comparison->ok() || !roundsInLoop(kernel))
    return type;
  const double epsilon = facts->operations.epsilon;
  return epsilon == kOfFp16 ? "fp16" : epsilon == kOfBf16 ? "bf16" : "";
}

static std::vector<NarrowAccumulator> accumulatorsOf(const KernelText &kernel,
                                                     const std::string &type) {
  return narrowAccumulators(kernel, {type == "fp16" ? "float16" : "bfloat16"});
}

/// Says what rounding the sums costs, where that is a lot.
static void noteCost(const KernelText &kernel, LaunchRun &run, const OutputResult &output,
                     const OutputResult &wide, const std::string &type) {
  constexpr double kALot = 8;
  const double error = output.comparison->maxAbsError, wideError = wide.comparison->maxAbsError;
  if (error <= kALot * wideError)
    return;
  const std::vector<NarrowAccumulator> sums = accumulatorsOf(kernel, type);
  const std::string place = sums.empty() ? ""
                                         : fmt::format(" (`{}` in line {})", sums.front().name,
                                                       sums.front().update->range.begin.line + 1);
  run.measurement->notes.push_back(
      fmt::format("`{}` matches as far as sums in {} go{}; with sums in fp32, its largest error is "
                  "{:.3g} instead of {:.3g}",
                  output.name, type, place, wideError, error));
}

/// Whether all that is doubted of a match, if anything, is how far sums may be off.
static bool isDoubtOfSums(const profiler::OutputComparison &comparison) {
  return comparison.doubt == profiler::MatchDoubt::None ||
         comparison.doubt == profiler::MatchDoubt::Tolerance;
}

/// Whether an output is to be judged as sums in fp32 are. Doubts a match that does not hold with them.
static bool settle(const KernelText &kernel, LaunchRun &run, OutputResult &output,
                   const OutputResult &wide, const std::string &type) {
  // What is off by more than that, all in all, is of no use, however it came about.
  constexpr double kMostLost = 0.03;
  profiler::OutputComparison &comparison = *output.comparison;
  if (!comparison.ok())
    return wide.comparison->mismatches > comparison.mismatches;
  if (!isDoubtOfSums(comparison))
    return false;
  if (!wide.comparison->ok()) {
    comparison.doubt = profiler::MatchDoubt::NarrowSums;
    comparison.differWide = wide.comparison->mismatches;
    return false;
  }
  if (comparison.relErrorInNorm > kMostLost)
    return true;
  if (comparison.doubt == profiler::MatchDoubt::None)
    noteCost(kernel, run, output, wide, type);
  return false;
}

/// Compares outputs anew.
static void judgeAgain(const LaunchRequest &request, const std::vector<std::string> &names,
                       const LaunchRun &wide, const std::stop_token &stop, LaunchRun &run) {
  if (names.empty() || !run.plan)
    return;
  const auto isNamed = [&](const std::string &name) {
    return std::ranges::find(names, name) != names.end();
  };
  for (const compiler::RoundingFacts &facts : wide.roundings)
    if (isNamed(facts.argument))
      run.judgedBy.push_back(facts);
  ExpectedSources sources{*run.plan, request.input.path, request.inputFolder};
  sources.roundings = judgedWith(run.roundings, run.judgedBy);
  profiler::Measurement judged;
  std::ranges::copy_if(run.measurement->outputs, std::back_inserter(judged.outputs), isNamed,
                       &OutputResult::name);
  compareWithExpected(judged, sources, request.dumpFolder, stop);
  for (OutputResult &output : run.measurement->outputs)
    for (const OutputResult &again : judged.outputs)
      if (output.name == again.name)
        output.comparison = again.comparison;
}

std::vector<compiler::RoundingFacts>
judgedWith(std::vector<compiler::RoundingFacts> roundings,
           const std::vector<compiler::RoundingFacts> &instead) {
  for (compiler::RoundingFacts &facts : roundings)
    if (const auto found =
            std::ranges::find(instead, facts.argument, &compiler::RoundingFacts::argument);
        found != instead.end())
      facts = *found;
  return roundings;
}

std::vector<NarrowSum> judgeNarrowSums(compiler::WorkerClient &worker, const LaunchRequest &request,
                                       const LaunchHooks &hooks, LaunchRun &run) {
  if (request.isTrial || !run.measurement || request.place.kind != RunPlace::Kind::Cpu)
    return {};
  std::vector<OutputResult> &outputs = run.measurement->outputs;
  const KernelText kernel(request.input.text, run.plan ? run.plan->kernel : std::string());
  std::vector<NarrowSum> sums;
  for (const OutputResult &output : outputs)
    if (const std::string type =
            isComparedWithExpected(output) ? narrowSums(run, output, kernel) : "";
        !type.empty())
      sums.push_back({output.name, type});
  if (sums.empty() || hooks.runner.stop.stop_requested())
    return {};
  LaunchRequest trial = trialOf(request);
  trial.widensFloats = true;
  const LaunchRun wide = runTrial(worker, trial, hooks.runner.stop);
  if (!wide.measurement)
    return {};
  std::vector<std::string> again;
  const auto take = [&](NarrowSum &sum) {
    OutputResult &output = *std::ranges::find(outputs, sum.output, &OutputResult::name);
    const auto same = std::ranges::find(wide.measurement->outputs, sum.output, &OutputResult::name);
    if (same == wide.measurement->outputs.end() || !isComparedWithExpected(*same))
      return false;
    sum.elements = same->comparison->elements;
    sum.differWide = same->comparison->mismatches;
    if (settle(kernel, run, output, *same, sum.type))
      again.push_back(output.name);
    return true;
  };
  std::erase_if(sums, [&](NarrowSum &sum) { return !take(sum); });
  judgeAgain(request, again, wide, hooks.runner.stop, run);
  std::erase_if(sums, [&](const NarrowSum &sum) {
    return std::ranges::find(outputs, sum.output, &OutputResult::name)->comparison->ok();
  });
  return sums;
}

/// Where the kernel adds up in the type, and how it would do so in fp32.
static void addAccumulators(const KernelText &kernel, const NarrowSum &sum, Diagnostic &mismatch) {
  for (const NarrowAccumulator &each : accumulatorsOf(kernel, sum.type)) {
    mismatch.labels.push_back(
        {each.update->range, "`" + each.name + "` is " + sum.type +
                                 ": each turn of the loop rounds the sum to " +
                                 (sum.type == "fp16" ? "11" : "8") + " bits"});
    mismatch.fixes.push_back(replacing(kernel, *each.type, typeNamed(kernel, each, "float32")));
  }
}

void explainNarrowSums(const std::vector<NarrowSum> &sums, const LaunchRequest &request,
                       LaunchRun &run) {
  const KernelText kernel(request.input.text, run.plan ? run.plan->kernel : std::string());
  for (const NarrowSum &sum : sums)
    for (Diagnostic &each : run.diagnostics) {
      if (each.kind != compiler::DiagnosticKind::RunMismatch || each.cause.subject != sum.output)
        continue;
      if (sum.differWide == 0) {
        each.notes.push_back("sums that are rounded to " + sum.type +
                             " at each step are the cause: with sums in fp32, `" + sum.output +
                             "` is as expected");
        addAccumulators(kernel, sum, each);
      } else if (std::ranges::find(run.judgedBy, sum.output, &compiler::RoundingFacts::argument) !=
                 run.judgedBy.end()) {
        each.notes.push_back(fmt::format("sums that are rounded to {} are not the cause: with sums "
                                         "in fp32, {} of {} elements differ, too",
                                         sum.type, sum.differWide, sum.elements));
      }
    }
}

} // namespace tilescope::app
