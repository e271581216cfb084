// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/TurnedLocks.h"

#include "app/commands/KernelText.h"
#include "app/commands/TrialRun.h"
#include "compiler/artifacts/AppliedFix.h"
#include "compiler/artifacts/RunFindings.h"
#include "compiler/syntax/AccessArguments.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>

namespace tilescope::app {

namespace ast = compiler::ast;
using compiler::Diagnostic;
using compiler::DiagnosticKind;
using profiler::OutputResult;

namespace {
/// A loop that waits by comparing and exchanging, in numbers that the source shows.
struct LockLoop {
  const ast::While *loop;
  const ast::Call *exchange;
  const ast::Expr *compared;
  const ast::Expr *written;
  int64_t free;
  int64_t taken;
};

/// What a loop should say.
struct Turned {
  compiler::DiagnosticFix fix;
  std::string why;
};
} // namespace

static std::optional<int64_t> numberOf(const ast::Expr *expr) {
  const auto *constant = expr ? ast::as<ast::Constant>(expr) : nullptr;
  return constant ? constant->intValue : std::nullopt;
}

/// What an exchange behind the loop leaves in the lock, which is then free.
static std::optional<int64_t> releasedTo(const KernelText &kernel, const ast::While &loop,
                                         std::string_view lock) {
  std::optional<int64_t> left;
  kernel.walk([&](const ast::Node &node) {
    const ast::Call *release = KernelText::callOf(&node, "atomic_xchg");
    const ast::Expr *address = release ? compiler::argument(*release, 0, "pointer") : nullptr;
    if (address && loop.range.end <= release->range.begin && kernel.text(*address) == lock)
      left = numberOf(compiler::argument(*release, 1, "val"));
  });
  return left;
}

static std::optional<LockLoop> lockLoopOf(const KernelText &kernel, const ast::While &loop) {
  std::optional<LockLoop> found;
  ast::walk(*loop.test, [&](const ast::Node &node) {
    const ast::Call *call = KernelText::callOf(&node, "atomic_cas");
    const ast::Expr *lock = call ? compiler::argument(*call, 0, "pointer") : nullptr;
    const ast::Expr *compared = call ? compiler::argument(*call, 1, "cmp") : nullptr;
    const ast::Expr *written = call ? compiler::argument(*call, 2, "val") : nullptr;
    const std::optional<int64_t> from = numberOf(compared), to = numberOf(written);
    const std::optional<int64_t> free =
        lock ? releasedTo(kernel, loop, kernel.text(*lock)) : std::nullopt;
    if (!from || !to || !free)
      return true;
    const int64_t taken = *to != *free ? *to : *from != *free ? *from : *free == 0 ? 1 : 0;
    found = {&loop, call, compared, written, *free, taken};
    return false;
  });
  return found;
}

/// Whether the loop goes on where the exchange returns this; nothing: it is not a plain comparison of it.
static std::optional<bool> goesOn(const LockLoop &lock, int64_t returned) {
  const ast::Expr *test = lock.loop->test;
  const auto *negation = ast::as<ast::UnaryOp>(test);
  const bool isNegated = negation && negation->op == ast::UnaryOpKind::Not;
  if (isNegated)
    test = negation->operand;
  if (test == lock.exchange)
    return (returned != 0) != isNegated;
  const auto *compare = ast::as<ast::Compare>(test);
  const bool isPlain = compare && compare->ops.size() == 1 && compare->left == lock.exchange;
  const std::optional<int64_t> number = isPlain ? numberOf(compare->comparators[0]) : std::nullopt;
  if (!number)
    return std::nullopt;
  switch (compare->ops[0]) {
  case ast::CompareOpKind::Eq:
    return (returned == *number) != isNegated;
  case ast::CompareOpKind::NotEq:
    return (returned != *number) != isNegated;
  default:
    return std::nullopt;
  }
}

/// Nothing: the loop takes its lock, or is another kind of loop.
static std::optional<Turned> turnedLoop(const KernelText &kernel, const ast::While &loop) {
  const std::optional<LockLoop> lock = lockLoopOf(kernel, loop);
  const std::optional<bool> atFree = lock ? goesOn(*lock, lock->free) : std::nullopt;
  if (!atFree)
    return std::nullopt;
  const bool isTaking =
      numberOf(lock->compared) == lock->free && numberOf(lock->written) == lock->taken;
  const bool isWaiting = !*atFree && *goesOn(*lock, lock->taken);
  if (isTaking && isWaiting)
    return std::nullopt;
  std::string code(kernel.text(*lock->exchange));
  const auto put = [&](const ast::Expr &argument, int64_t number) {
    const std::string_view old = kernel.text(argument);
    code.replace(static_cast<size_t>(old.data() - kernel.text(*lock->exchange).data()), old.size(),
                 std::to_string(number));
  };
  // From the last to the first, so that places stay.
  const bool isInOrder = lock->compared->range.begin < lock->written->range.begin;
  put(isInOrder ? *lock->written : *lock->compared, isInOrder ? lock->taken : lock->free);
  put(isInOrder ? *lock->compared : *lock->written, isInOrder ? lock->free : lock->taken);
  const std::string right = fmt::format("{} == {}", code, lock->taken);
  const std::string why =
      isTaking
          ? fmt::format("the loop in line {} ends while another program holds the lock: "
                        "`{}` returns what was there, {} where the lock was free",
                        loop.range.begin.line + 1, code, lock->free)
          : fmt::format("the loop in line {} does not take the lock: `{}` does, where it is {}",
                        loop.range.begin.line + 1, code, lock->free);
  return Turned{{loop.test->range, right, "write `" + right + "`"}, why};
}

/// What a lock that is not taken may be the cause of.
static bool mayComeOfLock(const Diagnostic &finding) {
  return (finding.kind == DiagnosticKind::RunWriteRace && !finding.cause.isWithinProgram) ||
         (finding.kind == DiagnosticKind::RunStepLimit &&
          finding.severity == compiler::Severity::Error);
}

/// Whether a run has found something at the same place, whichever programs it was this time.
static bool isFoundIn(const LaunchRun &run, const Diagnostic &finding) {
  return std::ranges::any_of(run.diagnostics, [&](const Diagnostic &each) {
    return each.kind == finding.kind && each.range == finding.range;
  });
}

static bool isWrongIn(const LaunchRun &run, const std::string &output) {
  return run.measurement &&
         std::ranges::any_of(run.measurement->outputs, [&](const OutputResult &each) {
           return each.name == output && each.isWrong();
         });
}

/// Whether nothing that a lock may be the cause of is new, and no more outputs are wrong.
static bool isNoWorse(const LaunchRun &before, const LaunchRun &after) {
  return std::ranges::all_of(after.diagnostics,
                             [&](const Diagnostic &each) {
                               return !mayComeOfLock(each) || isFoundIn(before, each);
                             }) &&
         std::ranges::all_of(after.measurement->outputs, [&](const OutputResult &output) {
           return !output.isWrong() || !before.measurement || isWrongIn(before, output.name);
         });
}

void explainTurnedLocks(compiler::WorkerClient &worker, const LaunchRequest &request,
                        const LaunchHooks &hooks, LaunchRun &run) {
  if (!run.plan || request.place.kind != RunPlace::Kind::Cpu || !request.inputFolder.empty() ||
      std::ranges::none_of(run.diagnostics, mayComeOfLock) || hooks.runner.stop.stop_requested())
    return;
  const KernelText kernel(request.input.text, run.plan->kernel);
  std::optional<Turned> turned;
  kernel.walk([&](const ast::Node &node) {
    const auto *loop = ast::as<ast::While>(&node);
    if (loop && !turned)
      turned = turnedLoop(kernel, *loop);
  });
  if (!turned)
    return;
  LaunchRequest trial = trialOf(request);
  trial.input.text = compiler::fixedText(trial.input.text, turned->fix);
  const LaunchRun waiting = runTrial(worker, trial, hooks.runner.stop);
  if (!waiting.measurement || !isNoWorse(run, waiting))
    return;
  for (Diagnostic &finding : run.diagnostics)
    if (mayComeOfLock(finding) && !isFoundIn(waiting, finding)) {
      finding.message = compiler::withoutAdvice(finding.message) +
                        std::string(compiler::kBeforeAdvice) + turned->why;
      finding.fixes = {turned->fix};
    }
}

} // namespace tilescope::app
