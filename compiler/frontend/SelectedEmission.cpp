// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/SelectedEmission.h"

#include "compiler/constant/Operators.h"
#include "compiler/frontend/Specialization.h"
#include "compiler/frontend/UndeclaredConstexprs.h"
#include "compiler/inference/GeneratedSignature.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

bool hasErrors(const std::vector<Diagnostic> &diagnostics) {
  return std::ranges::any_of(diagnostics, [](const Diagnostic &diagnostic) {
    return diagnostic.severity == Severity::Error;
  });
}

static void noteUnknownDecorators(Emitter &emitter, const SourceModule &module,
                                  const ast::FunctionDef &function) {
  for (const ast::Expr *decorator : readDecorators(module, function).unknown) {
    if (inference::hasGeneratedSignature(*decorator))
      continue;
    const auto *call = ast::as<ast::Call>(decorator);
    std::string_view name = module.tree->text(call ? call->func->range : decorator->range);
    emitter.note(DiagnosticKind::DecoratorIgnored, decorator->range,
                 "decorator `" + std::string(name) + "` is not Triton's: it is ignored");
  }
}

static void emitInto(const Emission &emission, Emitter &emitter, const FunctionObject &function,
                     const Selection &selection, EmittedModule &result) {
  result.module = mlir::ModuleOp::create(mlir::UnknownLoc::get(&emission.context));
  try {
    std::vector<KernelArgument> arguments = emitter.inModule(
        function.module, [&] { return specialize(emitter, function, selection, result); });
    if (hasErrors(result.diagnostics))
      return;
    for (const KernelParameterLeaf &leaf :
         emitter.emitKernel(*result.module, function, arguments)) {
      result.signature[leaf.name] = toSignature(SignatureType(leaf.type, SignatureHint::Divisible));
      result.parameters.push_back({leaf.name, toSignature(leaf.type)});
      result.assumptions.push_back({leaf.name, result.signature[leaf.name], false,
                                    Assumption::Source::Kernel,
                                    "what the function returns is stored there"});
    }
  } catch (const Failure &failure) {
    emitter.report(failure.diagnostic);
  } catch (const PoisonUsed &) {
  }
}

EmittedModule emitSelected(const Emission &emission, ScopedFunction kernel,
                           const InferredSelection &inferred, const EmissionMode &mode) {
  const Selection &selection = inferred.selection;
  auto [scope, definition] = kernel;
  EmittedModule result;
  result.kernel = definition->name;
  result.assumptions = inferred.assumptions;
  EmitterOptions options;
  options.kernelOptions = kernelOptions(selection, result);
  options.rules = targetRules(selection, options.kernelOptions);
  options.collectFacts = mode.collectsFacts;
  options.keepsBindings = emission.keepsBindings && !mode.isTrial;
  options.stopsAtFirstError = mode.isTrial;
  options.callObserved = mode.callObserved;
  options.stop = emission.stop;
  for (const auto &[name, value] : options.kernelOptions)
    result.options[name] = constant::str(*value.constant());
  Emitter emitter(&emission.context, emission.modules, std::move(options));
  noteUnknownDecorators(emitter, *scope, *definition);
  FunctionObject function(namesOf(*scope), *definition, FunctionObject::Kind::Jit);
  try {
    emitInto(emission, emitter, function, selection, result);
  } catch (const FirstError &) {
  }
  for (Diagnostic &diagnostic : emitter.takeDiagnostics())
    result.diagnostics.push_back(std::move(diagnostic));
  result.values = emitter.takeFacts();
  if (!mode.isTrial)
    reportUndeclaredConstexprs(emission, kernel, selection, result);
  return result;
}

} // namespace tilescope::compiler::frontend
