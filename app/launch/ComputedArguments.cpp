// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ComputedArguments.h"

#include "app/launch/OfferedConfigurations.h"
#include "compiler/inference/Heuristics.h"
#include "compiler/syntax/Parser.h"

#include <algorithm>
#include <memory>

namespace tilescope::app {

namespace ast = compiler::ast;
namespace inference = compiler::inference;
using compiler::Diagnostic;

namespace {
/// A kernel with heuristics, and the tree that it refers to.
struct ComputingKernel {
  std::shared_ptr<const ast::SyntaxTree> tree;
  ast::ModuleIndex index;
  const ast::JitFunction *function = nullptr;
};
} // namespace

static ComputingKernel computingKernel(std::string_view text, std::string_view kernel) {
  ComputingKernel found;
  // Most files have none, and need not be parsed for it.
  if (text.find("heuristics") == std::string_view::npos)
    return found;
  found.tree = ast::parseModule(std::string(text));
  found.index = ast::indexModule(*found.tree);
  const ast::JitFunction *function = found.index.findFunction(kernel);
  if (function && !function->heuristics.empty())
    found.function = function;
  return found;
}

std::set<std::string> computedNames(std::string_view text, std::string_view kernel) {
  std::set<std::string> names;
  if (const ComputingKernel found = computingKernel(text, kernel); found.function)
    for (const auto &[name, heuristic] : found.function->heuristics)
      names.insert(name);
  return names;
}

/// That the block states something else than Triton computes.
static Diagnostic statedOtherwise(const std::string &name, const std::string &stated,
                                  const std::string &computed, const ast::Expr &heuristic) {
  Diagnostic diagnostic;
  diagnostic.kind = compiler::DiagnosticKind::LaunchBlockInvalid;
  diagnostic.severity = compiler::Severity::Warning;
  diagnostic.range = heuristic.range;
  diagnostic.cause.subject = name;
  diagnostic.message = "`" + name + "` is `" + computed +
                       "` for this launch, and the launch states `" + stated +
                       "`: Triton takes what `@triton.heuristics` computes";
  diagnostic.notes.push_back("leave `" + name + "` out of the launch block");
  return diagnostic;
}

std::vector<Diagnostic> addComputed(const compiler::CompileRequest &request,
                                    const std::string &kernel, profiler::LaunchPlan &plan) {
  std::vector<Diagnostic> diagnostics;
  if (request.entry != compiler::StageId::Ast)
    return diagnostics;
  const ComputingKernel found = computingKernel(request.text, kernel);
  if (!found.function)
    return diagnostics;
  int64_t stepsLeft = inference::kMaxHeuristicSteps;
  for (const auto &[name, heuristic] : found.function->heuristics) {
    if (!inference::isComputable(*found.function, name))
      continue;
    auto &values = inference::isLaunchOption(name) ? plan.options : plan.constexprs;
    inference::KnownArguments known = knownArguments(plan);
    // The value that is to be computed is none of its own arguments.
    known.values.erase(name);
    const auto value = inference::heuristicValue(found.index, *heuristic, known, stepsLeft);
    if (!value)
      continue;
    const auto [stated, isAdded] = values.insert({name, *value});
    const auto &chosen = request.selection;
    if (!isAdded && stated->second != *value && !chosen.constexprs.contains(name) &&
        !chosen.options.contains(name))
      diagnostics.push_back(statedOtherwise(name, stated->second, *value, *heuristic));
  }
  return diagnostics;
}

static Diagnostic assumed(const compiler::Assumption &assumption, const ast::Expr &heuristic) {
  Diagnostic diagnostic;
  diagnostic.kind = compiler::DiagnosticKind::LaunchBlockInvalid;
  diagnostic.severity = compiler::Severity::Warning;
  diagnostic.range = heuristic.range;
  diagnostic.cause.subject = assumption.parameter;
  diagnostic.message = "what `@triton.heuristics` computes `" + assumption.parameter +
                       "` with cannot be evaluated here, so that it is taken as `" +
                       assumption.text + "`";
  diagnostic.notes.push_back("state it under `[constexprs]` in the launch block");
  return diagnostic;
}

std::vector<Diagnostic> assumedComputed(const compiler::CompileRequest &request,
                                        const std::string &kernel,
                                        const std::vector<compiler::Assumption> &assumptions) {
  std::vector<Diagnostic> diagnostics;
  if (request.entry != compiler::StageId::Ast || assumptions.empty())
    return diagnostics;
  const ComputingKernel found = computingKernel(request.text, kernel);
  if (!found.function)
    return diagnostics;
  for (const auto &[name, heuristic] : found.function->heuristics) {
    const auto guess = std::ranges::find(assumptions, name, &compiler::Assumption::parameter);
    if (guess != assumptions.end())
      diagnostics.push_back(assumed(*guess, *heuristic));
  }
  return diagnostics;
}

} // namespace tilescope::app
