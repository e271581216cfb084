// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ResolveLaunch.h"

#include "app/launch/ArrayErrors.h"
#include "app/launch/ArrayReductions.h"
#include "app/launch/ComposedFunctions.h"
#include "app/launch/ComputedArguments.h"
#include "app/launch/ExpectedResult.h"
#include "app/launch/LaunchEvaluator.h"
#include "app/launch/LaunchProblems.h"
#include "app/launch/OperatorCalls.h"
#include "app/launch/SweptNames.h"
#include "app/launch/TritonCache.h"
#include "compiler/inference/AutotuneConfigs.h"
#include "compiler/syntax/ModuleIndex.h"
#include "compiler/syntax/Parser.h"
#include "profiler/data/OutputFolder.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace tilescope::app {

using compiler::Diagnostic;
using compiler::DiagnosticKind;
using compiler::Severity;
using profiler::LaunchBlock;

static std::optional<int> positionIn(const std::vector<LaunchBlock> &blocks,
                                     const std::string &text) {
  int position = -1;
  const char *end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, position);
  const bool isPosition = error == std::errc() && last == end && position >= 0 &&
                          position < static_cast<int>(blocks.size());
  return isPosition ? std::optional(position) : std::nullopt;
}

int findLaunch(const std::vector<LaunchBlock> &blocks, const std::vector<SourceKernel> &kernels,
               const compiler::Selection &wanted) {
  const auto index = [&](auto found) {
    return found == blocks.end() ? -1 : static_cast<int>(found - blocks.begin());
  };
  if (!wanted.launch.empty()) {
    const int named = index(std::ranges::find(blocks, wanted.launch, &LaunchBlock::name));
    if (named >= 0)
      return named;
    // The name of a kernel means its block where there is one.
    if (std::ranges::count(blocks, wanted.launch, &LaunchBlock::kernel) == 1)
      return index(std::ranges::find(blocks, wanted.launch, &LaunchBlock::kernel));
    const int position = positionIn(blocks, wanted.launch).value_or(-1);
    // Positions shift while a block above is not readable.
    const bool isOthers = position >= 0 && !wanted.kernel.empty() &&
                          !blocks[static_cast<size_t>(position)].kernel.empty() &&
                          blocks[static_cast<size_t>(position)].kernel != wanted.kernel;
    return isOthers ? -1 : position;
  }
  const SourceKernel *first = findKernel(kernels, {});
  const std::string &kernel = wanted.kernel;
  return index(std::ranges::find_if(blocks, [&](const LaunchBlock &block) {
    if (block.kernel.empty())
      return kernel.empty() || !first || first->name == kernel;
    return kernel.empty() || block.kernel == kernel;
  }));
}

Diagnostic launchDiagnostic(const profiler::LaunchProblem &problem) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::LaunchBlockInvalid;
  diagnostic.severity = problem.isError ? Severity::Error : Severity::Warning;
  diagnostic.range = problem.range;
  diagnostic.message = problem.message;
  if (!problem.missingArgument.empty())
    diagnostic.cause = {.need = compiler::Need::Argument, .subject = problem.missingArgument};
  if (!problem.hint.empty())
    diagnostic.notes.push_back(problem.hint);
  if (!problem.replacement.empty())
    diagnostic.fixes.push_back(
        {problem.range, problem.replacement, "write `" + problem.replacement + "`"});
  return diagnostic;
}

static Diagnostic unknownLaunch(const std::string &launch, const std::vector<std::string> &known) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::LaunchUnknown;
  diagnostic.cause.subject = launch;
  std::string names;
  for (const std::string &name : known)
    names += (names.empty() ? "`" : ", `") + name + "`";
  diagnostic.message =
      "there is no launch block `" + launch + "`; the file has " + (names.empty() ? "none" : names);
  return diagnostic;
}

/// What a launch of the request's kernel fills. A document in IR declares no names that could be
/// read without compiling it, so every number that the block names may be meant.
static std::vector<profiler::LaunchParameter> parametersOf(const compiler::CompileRequest &request,
                                                           const std::vector<SourceKernel> &kernels,
                                                           const std::string &name,
                                                           const LaunchBlock &block) {
  std::vector<profiler::LaunchParameter> parameters;
  if (request.entry != compiler::StageId::Ast) {
    for (const profiler::LaunchEntry &size : block.sizes)
      parameters.push_back({size.name, false, std::nullopt, false});
  } else if (const SourceKernel *kernel = findKernel(kernels, name)) {
    parameters = kernel->parameters;
  }
  return parameters;
}

bool ResolvedLaunch::ok() const {
  return std::ranges::none_of(
      diagnostics, [](const Diagnostic &each) { return each.severity == Severity::Error; });
}

Diagnostic uncheckedOutput(const std::string &argument, const std::string &reason,
                           const SourceRange &expected) {
  Diagnostic diagnostic = launchDiagnostic({expected, reason, ""});
  diagnostic.severity = Severity::Warning;
  diagnostic.cause.subject = argument;
  return diagnostic;
}

/// Problems of the block's `expected` values; the launch runs nevertheless.
static void checkExpectations(const LaunchBlock &block, const std::string &sourcePath,
                              ResolvedLaunch &resolved) {
  for (const profiler::LaunchArgument &argument : block.args) {
    const profiler::PlanArgument *planned = resolved.plan->argument(argument.name);
    if (!argument.isTensor || !planned || !planned->tensor())
      continue;
    const std::optional<Error> fault = expectationFault(*planned, *resolved.plan, sourcePath);
    if (!fault)
      continue;
    resolved.diagnostics.push_back(
        uncheckedOutput(argument.name, fault->message, argument.expected.range));
    const std::string &text = argument.expected.text;
    for (const std::string &meant : {withKnownNames(text, *resolved.plan), withNamedAxis(text),
                                     withOperators(text), withFormulas(text)}) {
      profiler::PlanArgument corrected = *planned;
      std::get<profiler::PlanTensor>(corrected.value).expected = meant;
      if (meant.empty() || meant == text || expectationFault(corrected, *resolved.plan, sourcePath))
        continue;
      const std::string code = profiler::tomlString(meant);
      resolved.diagnostics.back().fixes.push_back(
          {argument.expected.range, code, "write `" + code + "`"});
    }
  }
}

/// Keeps what the user said and adds what only the plan says.
static void complete(std::map<std::string, std::string> &chosen,
                     const std::map<std::string, std::string> &planned) {
  chosen.insert(planned.begin(), planned.end());
}

/// Of every block: the file may show another kernel because a block's own does not exist.
static void checkKernels(const compiler::CompileRequest &request,
                         const std::vector<LaunchBlock> &blocks,
                         const std::vector<SourceKernel> &kernels, ResolvedLaunch &resolved) {
  for (const LaunchBlock &block : blocks) {
    std::optional<Diagnostic> missing = missingKernel(request.text, block, kernels);
    if (!missing)
      continue;
    const bool isMeant =
        resolved.block >= 0 && &block == &blocks[static_cast<size_t>(resolved.block)];
    missing->severity = isMeant ? Severity::Error : Severity::Warning;
    resolved.diagnostics.push_back(std::move(*missing));
  }
}

/// What Triton's tuner would choose between, a launch leaves open: the first choice fills it in.
static void addTunedValues(const compiler::CompileRequest &request, const std::string &kernel,
                           const LaunchBlock &block, profiler::LaunchOverrides &overrides) {
  // Most files have no choices, and need not be parsed for them.
  if (request.entry != compiler::StageId::Ast || request.text.find("autotune") == std::string::npos)
    return;
  const auto tree = compiler::ast::parseModule(request.text);
  const compiler::ast::ModuleIndex index = compiler::ast::indexModule(*tree);
  const compiler::ast::JitFunction *function = index.findFunction(kernel);
  if (!function || !function->autotuneConfigs)
    return;
  const auto choices = compiler::inference::configurationsOf(index, *function);
  if (choices.empty())
    return;
  const auto add = [](const auto &chosen, const std::vector<profiler::LaunchEntry> &stated,
                      const auto &isArgument, auto &target) {
    for (const auto &[name, value] : chosen)
      if (std::ranges::find(stated, name, &profiler::LaunchEntry::name) == stated.end() &&
          !isArgument(name))
        target.insert({name, value});
  };
  const auto isArgument = [&](const std::string &name) {
    return std::ranges::find(block.args, name, &profiler::LaunchArgument::name) !=
               block.args.end() ||
           std::ranges::find(block.sizes, name, &profiler::LaunchEntry::name) != block.sizes.end();
  };
  add(choices.front().constexprs, block.constexprs, isArgument, overrides.constexprs);
  add(choices.front().options, block.options, isArgument, overrides.options);
}

static void evaluateBlock(const compiler::CompileRequest &request, const LaunchBlock &block,
                          const std::vector<SourceKernel> &kernels, ResolvedLaunch &resolved) {
  compiler::Selection &selection = resolved.selection;
  if (selection.kernel.empty())
    selection.kernel = block.kernel;
  const SourceKernel *found = findKernel(kernels, selection.kernel);
  const std::string kernel = found ? found->name : selection.kernel;
  profiler::LaunchOverrides overrides{selection.sizes, selection.constexprs, selection.options};
  addTunedValues(request, kernel, block, overrides);
  profiler::LaunchEvaluation evaluation =
      profiler::evaluateLaunch(block, overrides, makeLaunchEvaluator(),
                               parametersOf(request, kernels, selection.kernel, block));
  for (const profiler::LaunchProblem &problem : evaluation.problems)
    resolved.diagnostics.push_back(launchDiagnostic(problem));
  if (request.entry == compiler::StageId::Ast)
    offerArguments(request.text, static_cast<size_t>(resolved.block), block, kernel,
                   resolved.diagnostics);
  // A name that the sweep misspells is told while it is typed.
  for (const profiler::LaunchProblem &problem : sweepProblems(block, found))
    resolved.diagnostics.push_back(launchDiagnostic(problem));
  if (!evaluation.plan || !resolved.ok())
    return;
  resolved.plan = std::move(evaluation.plan);
  std::ranges::move(addComputed(request, kernel, *resolved.plan),
                    std::back_inserter(resolved.diagnostics));
  checkExpectations(block, request.path, resolved);
  complete(selection.signature, profiler::launchSignature(*resolved.plan));
  complete(selection.constexprs, resolved.plan->constexprs);
  complete(selection.options, resolved.plan->options);
}

ResolvedLaunch resolveLaunch(const compiler::CompileRequest &request) {
  ResolvedLaunch resolved;
  resolved.selection = request.selection;
  const profiler::LaunchBlocks blocks = profiler::parseLaunchBlocks(request.text);
  for (const profiler::LaunchProblem &problem : blocks.problems)
    resolved.diagnostics.push_back(launchDiagnostic(problem));
  std::vector<SourceKernel> kernels;
  if (!blocks.blocks.empty() && request.entry == compiler::StageId::Ast)
    kernels = sourceKernels(request.text);
  resolved.block = findLaunch(blocks.blocks, kernels, request.selection);
  if (request.entry == compiler::StageId::Ast)
    checkKernels(request, blocks.blocks, kernels, resolved);
  if (resolved.block >= 0)
    evaluateBlock(request, blocks.blocks[static_cast<size_t>(resolved.block)], kernels, resolved);
  else if (!request.selection.launch.empty() && resolved.ok())
    resolved.diagnostics.push_back(
        unknownLaunch(request.selection.launch, launchNames(request.text)));
  completeSelection(resolved.selection, request.facts);
  return resolved;
}

void takeOptionErrors(const compiler::CompileRequest &request, ResolvedLaunch &launch,
                      std::vector<Diagnostic> &found) {
  const auto isWrongOption = [](const Diagnostic &each) {
    return each.kind == DiagnosticKind::OptionInvalid &&
           each.severity == compiler::Severity::Error && each.range.empty();
  };
  if (launch.block < 0 || std::ranges::none_of(found, isWrongOption))
    return;
  const std::vector<LaunchBlock> blocks = profiler::parseLaunchBlocks(request.text).blocks;
  for (const profiler::LaunchEntry &option : blocks[static_cast<size_t>(launch.block)].options) {
    if (request.selection.options.contains(option.name))
      continue;
    bool isTold = false;
    std::erase_if(found, [&](Diagnostic &each) {
      if (!isWrongOption(each) || each.cause.subject != option.name)
        return false;
      each.kind = DiagnosticKind::LaunchBlockInvalid;
      each.range = option.value.range;
      // The frontend and the back end may both say it.
      if (!std::exchange(isTold, true))
        launch.diagnostics.push_back(std::move(each));
      return true;
    });
  }
}

/// The launch block that the request means; nothing when there is none.
static std::optional<LaunchBlock> statedBlock(const compiler::CompileRequest &request) {
  std::vector<LaunchBlock> blocks = profiler::parseLaunchBlocks(request.text).blocks;
  std::vector<SourceKernel> kernels;
  if (request.entry == compiler::StageId::Ast)
    kernels = sourceKernels(request.text);
  const int block = findLaunch(blocks, kernels, request.selection);
  return block < 0 ? std::nullopt : std::optional(std::move(blocks[static_cast<size_t>(block)]));
}

/// The argument in that block; nothing when it states none.
static std::optional<profiler::LaunchArgument>
statedArgument(const compiler::CompileRequest &request, std::string_view name) {
  const std::optional<LaunchBlock> block = statedBlock(request);
  if (!block)
    return std::nullopt;
  const auto found = std::ranges::find(block->args, name, &profiler::LaunchArgument::name);
  return found == block->args.end() ? std::nullopt : std::optional(*found);
}

std::optional<SourceRange> gridRange(const compiler::CompileRequest &request, size_t axis) {
  const std::optional<LaunchBlock> block = statedBlock(request);
  if (!block || axis >= block->grid.size() || block->grid[axis].range.empty())
    return std::nullopt;
  return block->grid[axis].range;
}

SourceRange argumentRange(const compiler::CompileRequest &request, std::string_view name) {
  const auto stated = statedArgument(request, name);
  return stated ? stated->nameRange : SourceRange();
}

std::optional<compiler::DiagnosticFix> initFix(const compiler::CompileRequest &request,
                                               std::string_view name, std::string_view init) {
  const auto stated = statedArgument(request, name);
  if (!stated || stated->dtype.text.empty() || stated->dtype.range.empty())
    return std::nullopt;
  const std::string quoted = "\"" + std::string(init) + "\"";
  const std::string title = "give `" + std::string(name) + "` values: `init = " + quoted + "`";
  // It may say `"empty"`.
  if (!stated->init.text.empty())
    return compiler::DiagnosticFix{stated->init.range, quoted, title};
  SourceRange behind = stated->dtype.range;
  behind.begin = behind.end;
  return compiler::DiagnosticFix{behind, ", init = " + quoted, title};
}

SourceRange expectedRange(const compiler::CompileRequest &request, std::string_view name) {
  const auto stated = statedArgument(request, name);
  return stated ? stated->expected.range : SourceRange();
}

compiler::LaunchFacts launchFacts(const ResolvedLaunch &launch) {
  return {launch.selection, launch.block,
          launch.plan ? profiler::launchPlanToJson(*launch.plan) : std::string(), launch.ok()};
}

std::optional<profiler::LaunchPlan> planOf(const compiler::LaunchFacts &launch) {
  if (launch.plan.empty())
    return std::nullopt;
  Result<profiler::LaunchPlan> plan = profiler::launchPlanFromJson(launch.plan);
  return plan ? std::optional(std::move(*plan)) : std::nullopt;
}

std::vector<std::string> launchNames(std::string_view text) {
  std::vector<std::string> names;
  for (const LaunchBlock &block : profiler::parseLaunchBlocks(text).blocks) {
    // Results of a launch get its name.
    const bool usable = profiler::isFileName(block.name) &&
                        std::find(names.begin(), names.end(), block.name) == names.end();
    names.push_back(usable ? block.name : std::to_string(names.size()));
  }
  return names;
}

} // namespace tilescope::app
