// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/HostCalls.h"

#include <algorithm>
#include <string>

namespace tilescope::compiler::ast {

/// Whether a function is compiled, by whatever decorator: in kernels, functions are called.
static bool isCompiled(const FunctionDef &function) {
  return std::ranges::any_of(function.decoratorList, [](const Expr *decorator) {
    const auto *call = as<Call>(decorator);
    const Expr *called = call ? call->func : decorator;
    const auto *member = as<Attribute>(called);
    const auto *name = as<Name>(called);
    return (member && member->attr.ends_with("jit")) || (name && name->id.ends_with("jit"));
  });
}

/// Whether a name is something else in a function, or in the file, than the kernel.
static bool isBoundIn(const Node &scope, std::string_view name) {
  bool isBound = false;
  walk(scope, [&](const Node &node) {
    const auto *bound = as<Name>(&node);
    const auto *parameter = as<Arg>(&node);
    isBound |= (bound && bound->id == name && bound->ctx != ExprContext::Load) ||
               (parameter && parameter->arg == name);
    return !isBound;
  });
  return isBound;
}

static bool isHostFunction(const ModuleIndex &index, std::string_view name) {
  return std::ranges::any_of(index.otherDefinitions, [&](const Stmt *definition) {
    const auto *function = as<FunctionDef>(definition);
    return function && function->name == name;
  });
}

/// `triton.cdiv(n, BLOCK)` in the names of the kernel, as far as they are as usual.
static std::string programsOf(const JitFunction &kernel) {
  std::string count = "n", block = "BLOCK";
  for (const ParameterInfo &parameter : kernel.parameters) {
    if (parameter.annotationKind == AnnotationKind::Constexpr)
      block = parameter.name;
    else if (parameter.name.starts_with("n"))
      count = parameter.name;
  }
  return "triton.cdiv(" + count + ", " + block + ")";
}

static Diagnostic warningOf(const JitFunction &kernel, const Name &called) {
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::BadCall;
  diagnostic.severity = Severity::Warning;
  diagnostic.range = called.range;
  diagnostic.message = "`" + kernel.name +
                       "` is a kernel: its launch says in brackets how many programs run it, `" +
                       kernel.name + "[grid](…)`";
  diagnostic.notes = {"a grid is a tuple of up to three numbers, such as `(" + programsOf(kernel) +
                          ",)`",
                      "a kernel returns nothing: the results are in the arrays that it stores to"};
  return diagnostic;
}

std::vector<Diagnostic> hostCalls(const ModuleIndex &index, const Module &module) {
  std::vector<Diagnostic> found;
  for (const Stmt *statement : module.body) {
    const auto *function = as<FunctionDef>(statement);
    if (function && isCompiled(*function))
      continue;
    walk(*statement, [&](const Node &node) {
      const auto *inner = as<FunctionDef>(&node);
      if (inner && isCompiled(*inner))
        return false;
      const auto *call = as<Call>(&node);
      const auto *called = call ? as<Name>(call->func) : nullptr;
      const JitFunction *kernel = called ? index.findFunction(called->id) : nullptr;
      if (kernel && kernel->isKernel() && !isHostFunction(index, called->id) &&
          !isBoundIn(*statement, called->id))
        found.push_back(warningOf(*kernel, *called));
      return true;
    });
  }
  return found;
}

} // namespace tilescope::compiler::ast
