// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/Frontend.h"

#include "compiler/frontend/GuessedEmission.h"
#include "compiler/frontend/SelectKernel.h"
#include "compiler/frontend/Specialization.h"
#include "compiler/syntax/DedentedLines.h"
#include "compiler/syntax/HostLaunch.h"
#include "compiler/syntax/MeantKernel.h"
#include "compiler/syntax/MissingImports.h"
#include "compiler/syntax/MisspelledAnnotation.h"
#include "compiler/syntax/Parser.h"
#include "compiler/syntax/ReturnedStore.h"

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

/// What is meant as a kernel stores its result; a function that another file calls is not.
static void checkReturn(const ast::SyntaxTree &tree, const ast::ModuleIndex &index,
                        const ast::FunctionDef &kernel, EmittedModule &result) {
  const auto meant = std::ranges::find(index.functions, &kernel, &ast::JitFunction::def);
  const bool isCalled = std::ranges::any_of(result.assumptions, [](const Assumption &each) {
    return each.source == Assumption::Source::Caller;
  });
  if (meant == index.functions.end() || isCalled || !ast::isReturningKernel(index, *meant))
    return;
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::ReturnType;
  diagnostic.range = ast::valueReturn(kernel)->range;
  diagnostic.message = "`" + meant->name +
                       "` returns a value, but a kernel returns nothing: store the result with "
                       "`tl.store`";
  diagnostic.notes.push_back("only a function that a kernel calls can return a value");
  if (std::optional<DiagnosticFix> store = ast::storeOfReturned(tree, index, *meant))
    diagnostic.fixes.push_back(std::move(*store));
  else if (std::optional<DiagnosticFix> added = ast::storeInNewArgument(tree, index, *meant))
    diagnostic.fixes.push_back(std::move(*added));
  // What the caller passed is no result that is still to be stored.
  const auto *value = ast::as<ast::Name>(ast::valueReturn(kernel)->value);
  if (diagnostic.fixes.empty() && value && meant->findParameter(value->id))
    diagnostic.fixes.push_back({diagnostic.range, "return", "write `return`"});
  result.diagnostics.push_back(std::move(diagnostic));
}

/// Whether there is one, which is then the only error.
static bool addMisspelledConstexprs(const ast::SyntaxTree &tree, const ast::ModuleIndex &index,
                                    const ast::JitFunction &function, EmittedModule &result) {
  const size_t before = result.diagnostics.size();
  for (const ast::ParameterInfo &parameter : function.parameters)
    if (std::optional<Diagnostic> misspelled = ast::misspelledConstexpr(tree, index, parameter))
      result.diagnostics.push_back(std::move(*misspelled));
  return result.diagnostics.size() != before;
}

static void emitRequested(const Emission &emission, bool isBroken, EmittedModule &result) {
  const CompileRequest &request = emission.request;
  const SourceModule &document = emission.modules.document();
  ScopedFunction kernel = selectKernel(document, request.selection, result);
  if (!kernel.definition)
    return;
  ast::ModuleIndex index = ast::indexModule(*document.tree);
  auto function = std::ranges::find(index.functions, kernel.definition, &ast::JitFunction::def);
  if (function != index.functions.end() &&
      addMisspelledConstexprs(*document.tree, index, *function, result))
    return;
  result = function == index.functions.end()
               ? emitSelected(emission, kernel, {request.selection, {}},
                              {.collectsFacts = request.collectFacts})
               : emitGuessed(emission, index, *function, isBroken);
  if (isBroken || result.cancelled)
    return;
  checkReturn(*document.tree, index, *kernel.definition, result);
  for (Diagnostic &warning : ast::dedentedLines(*document.tree, index))
    result.diagnostics.push_back(std::move(warning));
  if (std::optional<Diagnostic> note = ast::hostLaunch(*document.tree, index))
    result.diagnostics.push_back(std::move(*note));
  for (size_t i = 0; function != index.functions.end() && i < function->parameters.size(); ++i)
    if (std::optional<Diagnostic> warning =
            ast::unboundAnnotation(*document.tree, function->parameters[i]))
      result.diagnostics.push_back(std::move(*warning));
}

EmittedModule emitTtir(mlir::MLIRContext &context, const CompileRequest &request,
                       std::shared_ptr<const ast::SyntaxTree> tree,
                       const EmissionOptions &options) {
  loadDialects(context);
  EmittedModule result;
  bool ownsTree = !tree;
  if (ownsTree)
    tree = ast::parseModule(request.text);
  bool isBroken = tree->hasErrors();
  if (ownsTree)
    result.diagnostics = tree->diagnostics;
  ModuleTable modules(request.path, tree, request.selection);
  std::vector<Diagnostic> syntax = std::move(result.diagnostics);
  result.diagnostics.clear();
  try {
    emitRequested({context, request, modules, options.stop, options.memory, options.keepsBindings},
                  isBroken, result);
  } catch (const Cancelled &) {
    result.cancelled = true;
  }
  ast::offerLanguageImport(*tree, result.diagnostics);
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
