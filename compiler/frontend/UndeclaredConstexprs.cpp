// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/UndeclaredConstexprs.h"

#include "compiler/constant/Evaluate.h"
#include "compiler/frontend/SelectKernel.h"
#include "compiler/frontend/Specialization.h"
#include "compiler/inference/GeneratedSignature.h"
#include "compiler/syntax/Parser.h"

#include <algorithm>
#include <optional>

namespace tilescope::compiler::frontend {

/// The type that a launch passes a number as; nothing for what it makes a constexpr, and for what
/// is not a number.
static std::optional<ScalarKind> passedType(const std::string &text) {
  const ast::ParsedExpression parsed = ast::parseExpression(text);
  const constant::Evaluation value =
      parsed.expr ? constant::evaluate(*parsed.expr, {}) : constant::Evaluation();
  if (!value)
    return std::nullopt;
  if (value.value->isBool())
    return ScalarKind::Int1;
  if (value.value->isFloat())
    return ScalarKind::Fp32;
  const std::optional<int64_t> number =
      value.value->isInt() ? value.value->toInt64() : std::optional<int64_t>();
  if (!number || *number == 1)
    return std::nullopt;
  return *number == static_cast<int32_t>(*number) ? ScalarKind::Int32 : ScalarKind::Int64;
}

/// A function that programs launch, with the types that Triton reads off what they pass.
static bool isLaunched(const ScopedFunction &kernel) {
  const SourceModule *module = kernel.scope;
  while (module->outer)
    module = module->outer;
  const bool isGenerated =
      std::ranges::any_of(kernel.definition->decoratorList, [](const ast::Expr *decorator) {
        return inference::hasGeneratedSignature(*decorator);
      });
  return !isGenerated &&
         std::ranges::any_of(launchableFunctions(*module), [&](const ScopedFunction &function) {
           return function.definition == kernel.definition;
         });
}

/// Whether a launch passes the constant: the one that is asked for, or the configurations of a
/// tuner. Other kernels, which may pass constexprs on to any parameter, are where guesses come
/// from.
static bool isPassedByLaunch(const Emission &emission, const ScopedFunction &kernel,
                             const std::string &name) {
  const auto tunes = [&](const ast::Expr *decorator) {
    return ast::is<ast::Call>(decorator) &&
           kernel.scope->tree->text(decorator->range).find("autotune") != std::string_view::npos;
  };
  return emission.request.selection.constexprs.contains(name) ||
         std::ranges::any_of(kernel.definition->decoratorList, tunes);
}

void reportUndeclaredConstexprs(const Emission &emission, ScopedFunction kernel,
                                const Selection &selection, EmittedModule &result) {
  std::vector<Diagnostic> found;
  for (const ast::Arg *parameter : parametersOf(*kernel.definition)) {
    const auto given = selection.constexprs.find(std::string(parameter->arg));
    if (given == selection.constexprs.end() ||
        isConstexprAnnotation(namesOf(*kernel.scope), parameter->annotation))
      continue;
    const std::optional<ScalarKind> type = passedType(given->second);
    if (!type || !isPassedByLaunch(emission, kernel, given->first) || !isLaunched(kernel))
      continue;
    Selection passed = selection;
    passed.constexprs.erase(given->first);
    passed.signature[given->first] = toSignature(SignatureType(*type));
    const EmittedModule trial = emitSelected(emission, kernel, {passed, {}}, {.isTrial = true});
    const auto error =
        std::ranges::find(trial.diagnostics, DiagnosticKind::NotConstexpr, &Diagnostic::kind);
    if (error == trial.diagnostics.end())
      continue;
    const std::string declaration = given->first + ": tl.constexpr";
    Diagnostic &diagnostic = found.emplace_back();
    diagnostic.kind = DiagnosticKind::NotConstexpr;
    diagnostic.range = parameter->range;
    diagnostic.message = "`" + given->first +
                         "` must be annotated with `tl.constexpr`: without it, a launch passes `" +
                         given->second + "` at run time";
    diagnostic.labels.push_back({error->range, "a constexpr is needed here"});
    diagnostic.fixes.push_back(
        {parameter->range, declaration, "annotate `" + given->first + "` with `tl.constexpr`"});
  }
  result.diagnostics.insert(result.diagnostics.end(), found.begin(), found.end());
}

} // namespace tilescope::compiler::frontend
