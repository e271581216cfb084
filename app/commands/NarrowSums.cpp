// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/NarrowSums.h"

#include "app/commands/KernelText.h"
#include "app/commands/OutputChecks.h"
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
  const auto look = [&](const ast::Node &loop, const ast::Node &node) {
    const auto *assign = ast::as<ast::Assign>(&node);
    const auto *update = ast::as<ast::AugAssign>(&node);
    const std::string_view name = assign   ? KernelText::nameOf(assign->targets.front())
                                  : update ? KernelText::nameOf(update->target)
                                           : std::string_view();
    const bool isCarried = update || (assign && ast::mentions(*assign->value, name));
    found |= !name.empty() && isCarried &&
             ((assign && roundsSum(*assign->value, name)) || beginsNarrow(name, loop.range.begin));
    return !found;
  };
  kernel.walk([&](const ast::Node &loop) {
    if (ast::is<ast::For>(&loop) || ast::is<ast::While>(&loop))
      ast::walk(loop, [&](const ast::Node &node) { return look(loop, node); });
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

static void explainSums(const OutputResult &output, const std::string &type,
                        std::vector<Diagnostic> &diagnostics) {
  for (Diagnostic &each : diagnostics)
    if (each.kind == compiler::DiagnosticKind::RunMismatch && each.cause.subject == output.name)
      each.notes.push_back("sums that are rounded to " + type +
                           " at each step are the cause: with sums in fp32, `" + output.name +
                           "` is as expected");
}

/// Says what rounding the sums costs, where that is a lot.
static void noteCost(LaunchRun &run, const OutputResult &output, const OutputResult &wide,
                     const std::string &type) {
  constexpr double kALot = 8;
  const double error = output.comparison->maxAbsError, wideError = wide.comparison->maxAbsError;
  if (error > kALot * wideError)
    run.measurement->notes.push_back(
        fmt::format("`{}` matches as far as sums in {} go; with sums in fp32, its largest error is "
                    "{:.3g} instead of {:.3g}",
                    output.name, type, wideError, error));
}

static void settle(LaunchRun &run, OutputResult &output, const OutputResult &wide,
                   const std::string &type) {
  profiler::OutputComparison &comparison = *output.comparison;
  if (!comparison.ok()) {
    if (wide.comparison->ok())
      explainSums(output, type, run.diagnostics);
    return;
  }
  if (comparison.doubt != profiler::MatchDoubt::None)
    return;
  if (wide.comparison->ok())
    return noteCost(run, output, wide, type);
  comparison.doubt = profiler::MatchDoubt::NarrowSums;
  comparison.differWide = wide.comparison->mismatches;
  run.measurement->notes.push_back("`" + output.name + "` matches" + profiler::doubtText(output));
}

void settleNarrowSums(compiler::WorkerClient &worker, const LaunchRequest &request,
                      const LaunchHooks &hooks, LaunchRun &run) {
  if (!run.measurement || request.place.kind != RunPlace::Kind::Cpu)
    return;
  std::vector<OutputResult> &outputs = run.measurement->outputs;
  const KernelText kernel(request.input.text, run.plan ? run.plan->kernel : std::string());
  const bool isWanted = std::ranges::any_of(outputs, [&](const OutputResult &output) {
    return isComparedWithExpected(output) && !narrowSums(run, output, kernel).empty();
  });
  if (!isWanted || hooks.runner.stop.stop_requested())
    return;
  LaunchRequest trial = trialOf(request);
  trial.widensFloats = true;
  const LaunchRun wide = runTrial(worker, trial, hooks.runner.stop);
  if (!wide.measurement)
    return;
  for (OutputResult &output : outputs) {
    const std::string type = isComparedWithExpected(output) ? narrowSums(run, output, kernel) : "";
    const auto same =
        std::ranges::find(wide.measurement->outputs, output.name, &OutputResult::name);
    if (!type.empty() && same != wide.measurement->outputs.end() && isComparedWithExpected(*same))
      settle(run, output, *same, type);
  }
}

} // namespace tilescope::app
