// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/Frontend.h"

#include "compiler/constant/Operators.h"
#include "compiler/frontend/Emitter.h"
#include "compiler/frontend/GeneratedSignature.h"
#include "compiler/frontend/GuessLimits.h"
#include "compiler/frontend/GuessRepair.h"
#include "compiler/frontend/SignatureInference.h"
#include "compiler/frontend/Specialization.h"
#include "compiler/syntax/Parser.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Verifier.h"

#include <algorithm>

namespace tilescope::compiler {

using namespace frontend;

static bool hasErrors(const std::vector<Diagnostic> &diagnostics) {
  return std::ranges::any_of(diagnostics, [](const Diagnostic &diagnostic) {
    return diagnostic.severity == Severity::Error;
  });
}

static void loadDialects(mlir::MLIRContext &context) {
  context.loadDialect<tt::TTDialect, mlir::arith::ArithDialect, mlir::gpu::GPUDialect,
                      mlir::math::MathDialect, mlir::scf::SCFDialect, mlir::ub::UBDialect,
                      mlir::LLVM::LLVMDialect>();
}

/// What the IR's own checks find is a defect of the frontend; the message says so.
static void verifyModule(EmittedModule &result) {
  std::string text;
  mlir::ScopedDiagnosticHandler handler(result.module->getContext(),
                                        [&](mlir::Diagnostic &diagnostic) {
                                          text += diagnostic.str() + "\n";
                                          return mlir::success();
                                        });
  if (mlir::succeeded(mlir::verify(*result.module)))
    return;
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::Internal;
  diagnostic.message = "the emitted IR is not valid";
  diagnostic.notes.push_back(text);
  result.diagnostics.push_back(std::move(diagnostic));
}

static void noteUnknownDecorators(Emitter &emitter, const SourceModule &module,
                                  const ast::FunctionDef &function) {
  for (const ast::Expr *decorator : readDecorators(module, function).unknown) {
    if (hasGeneratedSignature(*decorator))
      continue;
    const auto *call = ast::as<ast::Call>(decorator);
    std::string_view name = module.tree->text(call ? call->func->range : decorator->range);
    emitter.note(DiagnosticKind::DecoratorIgnored, decorator->range,
                 "decorator `" + std::string(name) + "` is not Triton's: it is ignored");
  }
}

namespace {
/// What all emissions of one request share.
struct Emission {
  mlir::MLIRContext &context;
  const CompileRequest &request;
  ModuleTable &modules;
  std::stop_token stop;
  ScopedFunction kernel;
};
} // namespace

static void emitKernel(Emission &emission, Emitter &emitter, const FunctionObject &function,
                       const Selection &selection, EmittedModule &result) {
  result.module = mlir::ModuleOp::create(mlir::UnknownLoc::get(&emission.context));
  try {
    std::vector<KernelArgument> arguments = emitter.inModule(
        function.module, [&] { return specialize(emitter, function, selection, result); });
    if (hasErrors(result.diagnostics))
      return;
    for (const KernelParameterLeaf &leaf :
         emitter.emitKernel(*result.module, function, arguments)) {
      result.signature[leaf.name] = toSignature(leaf.type) + ":16";
      result.parameters.push_back({leaf.name, toSignature(leaf.type)});
    }
  } catch (const Failure &failure) {
    emitter.report(failure.diagnostic);
  } catch (const PoisonUsed &) {
  }
}

/// One emission. A trial ends at the first error.
static EmittedModule emitSelected(Emission &emission, const InferredSelection &inferred,
                                  bool isTrial) {
  const Selection &selection = inferred.selection;
  auto [scope, definition] = emission.kernel;
  EmittedModule result;
  result.kernel = definition->name;
  result.assumptions = inferred.assumptions;
  EmitterOptions options;
  options.kernelOptions = kernelOptions(selection, result);
  options.rules = targetRules(selection, options.kernelOptions);
  options.collectFacts = emission.request.collectFacts && !isTrial;
  options.stopsAtFirstError = isTrial;
  options.stop = emission.stop;
  for (const auto &[name, value] : options.kernelOptions)
    result.options[name] = constant::str(*value.constant());
  Emitter emitter(&emission.context, emission.modules, std::move(options));
  noteUnknownDecorators(emitter, *scope, *definition);
  FunctionObject function(namesOf(*scope), *definition, FunctionObject::Kind::Jit);
  try {
    emitKernel(emission, emitter, function, selection, result);
  } catch (const FirstError &) {
  }
  for (Diagnostic &diagnostic : emitter.takeDiagnostics())
    result.diagnostics.push_back(std::move(diagnostic));
  result.values = emitter.takeFacts();
  return result;
}

static std::optional<Objection> objectionTo(EmittedModule &emitted) {
  auto error = std::ranges::find(emitted.diagnostics, Severity::Error, &Diagnostic::severity);
  if (error != emitted.diagnostics.end())
    return Objection{*error, 0};
  return objectionToSize(*emitted.module);
}

static int64_t numOperationsOf(EmittedModule &emitted) {
  int64_t count = 0;
  if (emitted.module)
    emitted.module->walk([&](mlir::Operation *) { ++count; });
  return count;
}

/// Whole sets of guesses, in the order in which they are tried when changing single ones is not
/// enough.
static constexpr InferenceStyle kOtherStyles[] = {
    {.hasEqualExtents = true},
    {.isComplete = false},
    {.isComplete = false, .hasEqualExtents = true},
    {.index = "i32"},
    {.factor = "fp32"},
    {.factor = "bf16"},
    {.isComplete = false, .hasEqualExtents = true, .factor = "fp32"},
};

/// When the kernel is wrong for what was guessed, other guesses follow. When it is wrong for all of
/// them, the first ones tell how, unless what is left to say holds for every guess.
static EmittedModule emitByGuesses(Emission &emission, const ast::ModuleIndex &index,
                                   const ast::JitFunction &kernel, bool isBroken) {
  Selection given = emission.request.selection;
  readGeneratedSignature(*emission.modules.document().tree, *kernel.def, given);
  InferredSelection first = inferSelection(index, kernel, given);
  EmittedModule result = emitSelected(emission, first, false);
  std::optional<Objection> objection = objectionTo(result);
  if (isBroken || !objection || first.assumptions.empty())
    return result;
  Trial tryOut = [&](const Selection &selection) {
    EmittedModule emitted = emitSelected(emission, {selection, {}}, true);
    return objectionTo(emitted);
  };
  const Selection start = first.selection;
  Repair best = repairGuesses(index, kernel, given, std::move(first), *objection,
                              numOperationsOf(result), tryOut);
  auto isMendable = [&] {
    // What expands without end takes long, whatever is guessed.
    return best.objection && best.objection->excess == 0 &&
           best.objection->error.kind != DiagnosticKind::UnrollTooLarge &&
           isGuessable(index, best.objection->error);
  };
  for (const InferenceStyle &style : kOtherStyles) {
    if (!isMendable())
      break;
    InferredSelection other = inferSelection(index, kernel, given, style);
    if (std::optional<Objection> fault = tryOut(other.selection); !fault || fault->excess != 0)
      best = {std::move(other), fault};
  }
  return isMendable() || best.inferred.selection == start
             ? std::move(result)
             : emitSelected(emission, best.inferred, false);
}

static void emitRequested(mlir::MLIRContext &context, const CompileRequest &request,
                          ModuleTable &modules, bool isBroken, std::stop_token stop,
                          EmittedModule &result) {
  ScopedFunction kernel = selectKernel(modules.document(), request.selection, result);
  if (!kernel.definition)
    return;
  Emission emission{context, request, modules, stop, kernel};
  ast::ModuleIndex index = ast::indexModule(*modules.document().tree);
  auto function = std::ranges::find(index.functions, kernel.definition, &ast::JitFunction::def);
  result = function == index.functions.end()
               ? emitSelected(emission, {request.selection, {}}, false)
               : emitByGuesses(emission, index, *function, isBroken);
}

EmittedModule emitTtir(mlir::MLIRContext &context, const CompileRequest &request,
                       std::shared_ptr<const ast::SyntaxTree> tree, std::stop_token stop) {
  loadDialects(context);
  EmittedModule result;
  bool ownsTree = !tree;
  if (ownsTree)
    tree = ast::parseModule(request.text);
  bool isBroken = tree->hasErrors();
  if (ownsTree)
    result.diagnostics = tree->diagnostics;
  ModuleTable modules(request.path, tree, request.selection.importPaths);
  std::vector<Diagnostic> syntax = std::move(result.diagnostics);
  result.diagnostics.clear();
  try {
    emitRequested(context, request, modules, isBroken, stop, result);
  } catch (const Cancelled &) {
    result.cancelled = true;
  }
  for (const ScopedFunction &function : launchableFunctions(modules.document()))
    result.kernels.emplace_back(function.definition->name);
  result.files = modules.files();
  if (result.module && !isBroken && !result.cancelled && !hasErrors(result.diagnostics))
    verifyModule(result);
  if (isBroken || result.cancelled || hasErrors(result.diagnostics))
    result.module = nullptr;
  result.diagnostics.insert(result.diagnostics.begin(), syntax.begin(), syntax.end());
  return result;
}

std::vector<std::string> launchableKernels(const ast::SyntaxTree &tree) {
  // The tree outlives the scan.
  std::shared_ptr<const ast::SyntaxTree> alias(std::shared_ptr<void>(), &tree);
  std::unique_ptr<SourceModule> module = scanModule("", alias);
  std::vector<std::string> names;
  for (const ScopedFunction &function : launchableFunctions(*module))
    names.emplace_back(function.definition->name);
  return names;
}

} // namespace tilescope::compiler
