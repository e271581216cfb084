// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/LockStarts.h"

#include "app/commands/KernelText.h"
#include "app/commands/TrialRun.h"
#include "app/launch/ResolveLaunch.h"
#include "compiler/artifacts/AppliedFix.h"
#include "compiler/artifacts/RunFindings.h"
#include "compiler/syntax/AccessArguments.h"
#include "profiler/data/Tensor.h"
#include "profiler/package/InitialTensor.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <string>

namespace tilescope::app {

namespace ast = compiler::ast;
using compiler::Diagnostic;
using compiler::DiagnosticKind;

/// What a lock that is not free may be the cause of.
static bool mayComeOfLock(const Diagnostic &finding) {
  return finding.kind == DiagnosticKind::RunWriteRace ||
         (finding.kind == DiagnosticKind::RunStepLimit &&
          finding.severity == compiler::Severity::Error);
}

/// The argument that an address begins with; null: it is not seen.
static const profiler::PlanArgument *argumentOfLock(const KernelText &kernel,
                                                    const profiler::LaunchPlan &plan,
                                                    const ast::Expr &address) {
  const ast::Assign *assign = kernel.onlyAssignment(KernelText::nameOf(&address));
  const profiler::PlanArgument *found = nullptr;
  ast::walk(assign ? *assign->value : address, [&](const ast::Node &node) {
    const auto *name = ast::as<ast::Name>(&node);
    const profiler::PlanArgument *argument = name ? plan.argument(std::string(name->id)) : nullptr;
    if (!found && argument && argument->tensor())
      found = argument;
    return !found;
  });
  return found;
}

namespace {
/// What a loop of the kernel waits for.
struct Awaited {
  const profiler::PlanArgument *argument = nullptr;
  std::string_view what;
};
} // namespace

/// The place that a part of a loop's condition looks at, and what is there: a lock, which is to be 0, or a flag that
/// others set.
static std::optional<std::string_view> lookedAt(const ast::Node &part, const ast::Expr *&address) {
  const auto *call = ast::as<ast::Call>(&part);
  const auto *function = call ? ast::as<ast::Attribute>(call->func) : nullptr;
  if (!function || !std::string_view(function->attr).starts_with("atomic_"))
    return std::nullopt;
  address = compiler::argument(*call, 0, "pointer");
  const bool isExchange = function->attr == "atomic_cas";
  const ast::Expr *compared = isExchange ? compiler::argument(*call, 1, "cmp") : nullptr;
  const auto *number = compared ? ast::as<ast::Constant>(compared) : nullptr;
  return number && number->intValue == 0 ? "a lock" : "what programs wait for";
}

/// The first that a loop of the kernel waits for; null: none does.
static Awaited awaitedIn(const KernelText &kernel, const profiler::LaunchPlan &plan) {
  Awaited found;
  kernel.walk([&](const ast::Node &node) {
    const auto *loop = ast::as<ast::While>(&node);
    if (!loop || found.argument)
      return;
    ast::walk(*loop->test, [&](const ast::Node &part) {
      const ast::Expr *address = nullptr;
      const std::optional<std::string_view> what = lookedAt(part, address);
      if (what && address)
        found = {argumentOfLock(kernel, plan, *address), *what};
      return !found.argument;
    });
  });
  return found;
}

/// "`LOCK[3]` is 7 before the launch: …"; nothing: all begin free.
static std::optional<std::string> takenAtFirst(const Awaited &awaited) {
  const profiler::PlanArgument &lock = *awaited.argument;
  const std::string begin = fmt::format("{} begins at 0, as in `init = \"zeros\"`", awaited.what);
  if (lock.tensor()->init.kind == profiler::TensorInit::Kind::Poison)
    return fmt::format("nothing fills `{}` before the launch: {}", lock.name, begin);
  const Result<profiler::Tensor> start = profiler::initialTensor(lock, "");
  for (int64_t i = 0; start && i < start->numElements(); ++i)
    if (const double value = start->at(i); value != 0)
      return fmt::format("`{}[{}]` is {:.0f} before the launch: {}", lock.name,
                         fmt::join(profiler::elementCoordinates(i, start->shape), ", "), value,
                         begin);
  return std::nullopt;
}

void explainLockStarts(compiler::WorkerClient &worker, const LaunchRequest &request,
                       const LaunchHooks &hooks, LaunchRun &run) {
  if (!run.plan || request.place.kind != RunPlace::Kind::Cpu || !request.inputFolder.empty() ||
      std::ranges::none_of(run.diagnostics, mayComeOfLock) || hooks.runner.stop.stop_requested())
    return;
  const KernelText kernel(request.input.text, run.plan->kernel);
  const Awaited awaited = awaitedIn(kernel, *run.plan);
  const profiler::PlanArgument *lock = awaited.argument;
  const std::optional<std::string> why = lock ? takenAtFirst(awaited) : std::nullopt;
  std::optional<compiler::DiagnosticFix> fix =
      why ? initFix(request.source(), lock->name, "zeros") : std::nullopt;
  if (!fix)
    return;
  fix->title = "let `" + lock->name + "` begin at 0: `init = \"zeros\"`";
  LaunchRequest trial = trialOf(request);
  trial.input.text = compiler::fixedText(trial.input.text, *fix);
  const LaunchRun free = runTrial(worker, trial, hooks.runner.stop);
  if (!free.measurement || std::ranges::any_of(free.diagnostics, mayComeOfLock))
    return;
  for (Diagnostic &finding : run.diagnostics)
    if (mayComeOfLock(finding)) {
      finding.message =
          compiler::withoutAdvice(finding.message) + std::string(compiler::kBeforeAdvice) + *why;
      finding.fixes = {*fix};
    }
}

} // namespace tilescope::app
