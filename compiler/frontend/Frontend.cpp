// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/Frontend.h"

#include "compiler/constant/Operators.h"
#include "compiler/frontend/Emitter.h"
#include "compiler/frontend/GeneratedSignature.h"
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

/// The request's selection with what it leaves open filled in by guesses, which `result` records.
static Selection completeSelection(const SourceModule &document, const ast::FunctionDef &definition,
                                   const Selection &given, const InferenceStyle &style,
                                   EmittedModule &result) {
  ast::ModuleIndex index = ast::indexModule(*document.tree);
  for (const ast::JitFunction &function : index.functions) {
    if (function.def != &definition)
      continue;
    Selection declared = given;
    readGeneratedSignature(*document.tree, definition, declared);
    InferredSelection inferred = inferSelection(index, function, declared, style);
    result.assumptions = std::move(inferred.assumptions);
    return std::move(inferred.selection);
  }
  return given;
}

static void emitSelected(mlir::MLIRContext &context, const CompileRequest &request,
                         ModuleTable &modules, const InferenceStyle &style, std::stop_token stop,
                         EmittedModule &result) {
  const SourceModule &document = modules.document();
  auto [scope, definition] = selectKernel(document, request.selection, result);
  if (!definition)
    return;
  result.kernel = definition->name;
  const Selection selection =
      completeSelection(document, *definition, request.selection, style, result);
  EmitterOptions options;
  options.kernelOptions = kernelOptions(selection, result);
  options.rules = targetRules(selection, options.kernelOptions);
  options.collectFacts = request.collectFacts;
  options.stop = stop;
  for (const auto &[name, value] : options.kernelOptions)
    result.options[name] = constant::str(*value.constant());
  Emitter emitter(&context, modules, std::move(options));
  noteUnknownDecorators(emitter, *scope, *definition);
  FunctionObject function(namesOf(*scope), *definition, FunctionObject::Kind::Jit);
  result.module = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  try {
    std::vector<KernelArgument> arguments = emitter.inModule(
        function.module, [&] { return specialize(emitter, function, selection, result); });
    if (!hasErrors(result.diagnostics))
      for (const KernelParameterLeaf &leaf :
           emitter.emitKernel(*result.module, function, arguments)) {
        result.signature[leaf.name] = toSignature(leaf.type) + ":16";
        result.parameters.push_back({leaf.name, toSignature(leaf.type)});
      }
  } catch (const Failure &failure) {
    emitter.report(failure.diagnostic);
  } catch (const PoisonUsed &) {
  }
  for (Diagnostic &diagnostic : emitter.takeDiagnostics())
    result.diagnostics.push_back(std::move(diagnostic));
  result.values = emitter.takeFacts();
}

/// In the order in which they are tried.
static constexpr InferenceStyle kStyles[] = {
    {},
    {.hasEqualExtents = true},
    {.isComplete = false},
    {.isComplete = false, .hasEqualExtents = true},
    {.index = "i32"},
    {.factor = "fp32"},
    {.factor = "bf16"},
    {.isComplete = false, .hasEqualExtents = true, .factor = "fp32"},
};

/// When the kernel is wrong for what was guessed, other guesses follow; when it is wrong for all of
/// them, the first ones tell how.
static void emitByGuesses(mlir::MLIRContext &context, const CompileRequest &request,
                          ModuleTable &modules, size_t numStyles, std::stop_token stop,
                          EmittedModule &result) {
  emitSelected(context, request, modules, kStyles[0], stop, result);
  for (size_t i = 1; i < numStyles; ++i) {
    // What expands without end takes long, whatever is guessed.
    bool isEndless = std::ranges::any_of(result.diagnostics, [](const Diagnostic &diagnostic) {
      return diagnostic.kind == DiagnosticKind::UnrollTooLarge;
    });
    if (!hasErrors(result.diagnostics) || result.assumptions.empty() || isEndless)
      return;
    EmittedModule attempt;
    emitSelected(context, request, modules, kStyles[i], stop, attempt);
    if (hasErrors(attempt.diagnostics))
      continue;
    attempt.kernels = std::move(result.kernels);
    result = std::move(attempt);
  }
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
  for (const ScopedFunction &function : launchableFunctions(modules.document()))
    result.kernels.emplace_back(function.definition->name);
  std::vector<Diagnostic> syntax = std::move(result.diagnostics);
  result.diagnostics.clear();
  try {
    emitByGuesses(context, request, modules, isBroken ? 1 : std::size(kStyles), stop, result);
  } catch (const Cancelled &) {
    result.cancelled = true;
  }
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
