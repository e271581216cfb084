// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/SelectKernel.h"

#include "compiler/syntax/MeantKernel.h"
#include "compiler/syntax/MissingImports.h"
#include "compiler/syntax/Parser.h"

#include "llvm/ADT/StringSet.h"

#include <algorithm>
#include <functional>

namespace tilescope::compiler::frontend {

static bool returnsValue(const ast::FunctionDef &function) {
  bool returns = false;
  for (const ast::Stmt *statement : function.body)
    ast::walk(*statement, [&](const ast::Node &node) {
      if (const auto *result = ast::as<ast::Return>(&node); result && result->value) {
        const auto *constant = ast::as<ast::Constant>(result->value);
        returns |= !constant || constant->constantKind != ast::ConstantKind::None;
      }
      return !ast::is<ast::FunctionDef>(&node);
    });
  return returns;
}

/// The names that the bodies of the jitted functions among `functions` call.
static llvm::StringSet<> calledNames(const std::vector<ScopedFunction> &functions) {
  llvm::StringSet<> called;
  for (const ScopedFunction &function : functions)
    for (const ast::Stmt *statement : function.definition->body)
      ast::walk(*statement, [&](const ast::Node &node) {
        if (const auto *call = ast::as<ast::Call>(&node))
          if (const auto *name = ast::as<ast::Name>(call->func);
              name && name->id != function.definition->name)
            called.insert(name->id);
        return true;
      });
  return called;
}

std::vector<ScopedFunction> launchableFunctions(const SourceModule &module) {
  std::vector<ScopedFunction> functions = allFunctions(module);
  std::erase_if(functions, [](const ScopedFunction &function) {
    return !readDecorators(*function.scope, *function.definition).isJit;
  });
  const ast::ModuleIndex index = ast::indexModule(*module.tree);
  const std::vector<const ast::JitFunction *> meant = ast::returningKernels(index);
  const auto isMeant = [&](const ScopedFunction &function) {
    return std::ranges::find(meant, function.definition, &ast::JitFunction::def) != meant.end();
  };
  llvm::StringSet<> called = calledNames(functions);
  std::erase_if(functions, [&](const ScopedFunction &function) {
    return !isMeant(function) &&
           (returnsValue(*function.definition) || called.contains(function.definition->name));
  });
  // A kernel that can be launched comes before one that cannot yet.
  std::ranges::stable_partition(functions, std::not_fn(isMeant));
  return functions;
}

static Diagnostic noKernel(SourceRange place, std::string message) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::NoKernel;
  diagnostic.range = place;
  diagnostic.message = std::move(message);
  return diagnostic;
}

/// Where a function lacks the decorator, that is the error. Returns whether there is one.
static bool addMissingDecorator(EmittedModule &result, const SourceModule &module,
                                const ast::ModuleIndex &index, const std::string &wanted) {
  const ast::FunctionDef *function = ast::undecoratedKernel(*module.tree, index);
  if (!function || (!wanted.empty() && wanted != function->name))
    return false;
  SourceRange place = function->nameRange;
  place.file = module.file;
  result.diagnostics.push_back(noKernel(
      place, "`" + std::string(function->name) +
                 "` is a plain Python function: a kernel is decorated with `@triton.jit`"));
  const bool isImported = index.imports.contains("triton");
  const Position begin = {function->nameRange.begin.line, 0};
  DiagnosticFix fix{{begin, begin, module.file}, "@triton.jit\n", "add `@triton.jit`"};
  if (!isImported) {
    const std::optional<DiagnosticFix> imports = ast::importFix(*module.tree, "triton");
    const Position place = imports->range.begin;
    fix.range.begin = place;
    fix.replacement =
        imports->replacement + std::string(module.tree->text({place, begin})) + fix.replacement;
    fix.title = "add `@triton.jit` and what it is imported from";
  }
  // Other decorators may stand above, and need the imports themselves.
  if (isImported || function->decoratorList.empty())
    result.diagnostics.back().fixes.push_back(std::move(fix));
  else
    result.diagnostics.back().notes.push_back("import it first: `import triton`");
  return true;
}

/// Where the decorator is written as something else, that is the error. Returns whether it is.
static bool addMisspelledDecorator(EmittedModule &result, const SourceModule &module,
                                   const ast::ModuleIndex &index, const std::string &wanted) {
  const ast::Expr *decorator = ast::misspelledJit(*module.tree, index, wanted);
  if (!decorator)
    return false;
  const auto *call = ast::as<ast::Call>(decorator);
  SourceRange place = call ? call->func->range : decorator->range;
  const std::string written(module.tree->text(place));
  place.file = module.file;
  result.diagnostics.push_back(noKernel(
      place, "`@" + written + "` does not exist: a kernel is decorated with `@triton.jit`"));
  result.diagnostics.back().fixes.push_back({place, "triton.jit", "write `@triton.jit`"});
  return true;
}

/// Where all functions return values, that is why there is no kernel. Returns whether they do.
static bool addHelpersOnly(EmittedModule &result, const SourceModule &module,
                           const ast::ModuleIndex &index) {
  if (index.functions.empty() ||
      !std::ranges::all_of(index.functions, &ast::JitFunction::returnsValue))
    return false;
  const ast::JitFunction &first = index.functions.front();
  const size_t others = index.functions.size() - 1;
  SourceRange place = first.def->nameRange;
  place.file = module.file;
  result.diagnostics.push_back(noKernel(
      place, "this file has no kernel: `" + first.name + "`" +
                 (others == 0 ? std::string(" returns a value")
                  : others == 1
                      ? " and `" + index.functions.back().name + "` return values"
                      : " and its " + std::to_string(others) + " other functions return values") +
                 ", which only functions do that kernels call"));
  result.diagnostics.back().notes = {
      "a kernel is decorated with `@triton.jit`, returns nothing and stores its result with "
      "`tl.store`",
      "to launch one that a kernel of another file calls, open that file"};
  return true;
}

/// Says why a file has not the kernel that is wanted; nothing where it may be in what does not
/// parse.
static void addNoKernel(EmittedModule &result, const SourceModule &module,
                        const std::string &wanted, std::string message) {
  if (module.tree->hasErrors())
    return;
  const ast::ModuleIndex index = ast::indexModule(*module.tree);
  if (std::optional<Diagnostic> missing = ast::missingTritonImport(*module.tree, index))
    return result.diagnostics.push_back(std::move(*missing));
  if (addMisspelledDecorator(result, module, index, wanted) ||
      addMissingDecorator(result, module, index, wanted) ||
      (wanted.empty() && addHelpersOnly(result, module, index)))
    return;
  result.diagnostics.push_back(noKernel({}, std::move(message)));
  result.diagnostics.back().cause.subject = wanted;
}

ScopedFunction selectKernel(const SourceModule &module, const Selection &selection,
                            EmittedModule &result) {
  std::vector<ScopedFunction> candidates = launchableFunctions(module);
  if (selection.kernel.empty()) {
    if (!candidates.empty())
      return candidates.front();
    addNoKernel(result, module, "",
                "this file has no kernel: a kernel is a function decorated with `@triton.jit` that "
                "returns nothing");
    return {};
  }
  for (const ScopedFunction &function : allFunctions(module))
    if (function.definition->name == selection.kernel &&
        readDecorators(*function.scope, *function.definition).isJit)
      return function;
  std::string known;
  for (const ScopedFunction &function : candidates)
    known += (known.empty() ? "" : ", ") + std::string(function.definition->name);
  addNoKernel(result, module, selection.kernel,
              "this file has no `@triton.jit` function `" + selection.kernel + "`" +
                  (known.empty() ? "" : "; it has " + known));
  return {};
}

} // namespace tilescope::compiler::frontend
