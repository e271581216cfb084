// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/MissingMasks.h"

#include "app/commands/KernelText.h"
#include "app/commands/TrialRun.h"
#include "compiler/support/WholeNumber.h"
#include "profiler/package/LaunchBlock.h"
#include "profiler/package/PlannedBlock.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::app {

namespace ast = compiler::ast;
using compiler::Diagnostic;
using compiler::DiagnosticKind;
using profiler::LaunchPlan;

/// Whether an access states no mask.
static bool lacksMask(const ast::Node &node) {
  const ast::Call *load = KernelText::callOf(&node, "load");
  const ast::Call *store = KernelText::callOf(&node, "store");
  const ast::Call *access = load ? load : store;
  return access && access->args.size() < (load ? 2 : 3) &&
         std::ranges::none_of(
             access->keywords,
             [](const ast::Keyword *keyword) {
               return keyword->arg == "mask" || keyword->arg == "boundary_check";
             });
}

static std::optional<int64_t> numberIn(const std::map<std::string, std::string> &values,
                                       const std::string &name) {
  const auto found = values.find(name);
  return found == values.end() ? std::nullopt : wholeNumber(found->second);
}

namespace {
/// A size that programs share out in blocks: `cdiv(n, BLOCK)`.
struct SharedSize {
  std::string name;
  int64_t value = 0;
};
} // namespace

/// The size of `cdiv(SIZE, BLOCK)` where it is a multiple; nothing of all else.
static std::optional<SharedSize> multipleIn(std::string_view extent, const LaunchPlan &plan) {
  constexpr std::string_view kBegin = "cdiv(";
  if (!extent.starts_with(kBegin) || !extent.ends_with(')'))
    return std::nullopt;
  const size_t comma = extent.find(", ");
  if (comma == std::string_view::npos)
    return std::nullopt;
  const std::string name(extent.substr(kBegin.size(), comma - kBegin.size()));
  const std::string block(extent.substr(comma + 2, extent.size() - comma - 3));
  const std::optional<int64_t> size = numberIn(plan.sizes, name);
  const std::optional<int64_t> side = numberIn(plan.constexprs, block);
  return size && side && *side > 1 && *size % *side == 0 ? std::optional(SharedSize{name, *size})
                                                         : std::nullopt;
}

static std::vector<SharedSize> multiplesOf(std::string_view text, const LaunchPlan &plan) {
  std::vector<SharedSize> sizes;
  for (const profiler::LaunchBlock &block : profiler::parseLaunchBlocks(text).blocks)
    if (profiler::isOfPlan(block, plan))
      for (const profiler::LaunchExpression &extent : block.grid)
        if (std::optional<SharedSize> size = multipleIn(extent.text, plan))
          sizes.push_back(std::move(*size));
  return sizes;
}

static bool isOutside(const Diagnostic &finding) {
  return finding.kind == DiagnosticKind::RunAccessOutside && finding.range.file == 0;
}

void noteMissingMasks(compiler::WorkerClient &worker, const LaunchRequest &request,
                      const LaunchHooks &hooks, LaunchRun &run) {
  const bool isSilent = std::ranges::all_of(run.diagnostics, [](const Diagnostic &each) {
    return each.severity == compiler::Severity::Note;
  });
  if (!run.measurement || !run.plan || !isSilent || request.input.entry != compiler::StageId::Ast ||
      request.place.kind != RunPlace::Kind::Cpu || !request.inputFolder.empty())
    return;
  bool isUnmasked = false;
  KernelText(request.input.text, run.plan->kernel).walk([&](const ast::Node &node) {
    isUnmasked |= lacksMask(node);
  });
  if (!isUnmasked)
    return;
  for (const SharedSize &size : multiplesOf(request.input.text, *run.plan)) {
    LaunchRequest trial = trialOf(request);
    const std::string other = std::to_string(size.value - 1);
    trial.selection.sizes[size.name] = other;
    LaunchRun elsewhere = runTrial(worker, trial, hooks.runner.stop);
    if (std::ranges::none_of(elsewhere.diagnostics, isOutside))
      continue;
    // What mends it is tried where it is needed.
    trial.isTrial = false;
    elsewhere = runTrial(worker, trial, hooks.runner.stop);
    const auto outside = std::ranges::find_if(elsewhere.diagnostics, isOutside);
    if (outside == elsewhere.diagnostics.end())
      continue;
    Diagnostic note;
    note.kind = DiagnosticKind::RunLaunchUnfit;
    note.severity = compiler::Severity::Note;
    note.range = outside->range;
    note.cause.subject = outside->cause.subject;
    note.message = "`" + size.name + "` = " + std::to_string(size.value) +
                   " is a multiple of the block, so that no access needs a mask; with " +
                   size.name + " = " + other + ", " + outside->message;
    for (const Diagnostic &each : elsewhere.diagnostics)
      if (isOutside(each))
        note.fixes.insert(note.fixes.end(), each.fixes.begin(), each.fixes.end());
    run.diagnostics.push_back(std::move(note));
    return;
  }
}

} // namespace tilescope::app
