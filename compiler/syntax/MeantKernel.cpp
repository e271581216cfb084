// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/MeantKernel.h"

#include "compiler/syntax/Ast.h"

namespace tilescope::compiler::ast {

const JitFunction *returningKernel(const ModuleIndex &index) {
  const JitFunction *meant = nullptr;
  for (const JitFunction &function : index.functions) {
    if (!function.returnsValue || (meant && !function.usedByOthers))
      return nullptr;
    if (!function.usedByOthers)
      meant = &function;
  }
  return meant;
}

const Return *valueReturn(const FunctionDef &function) {
  const Return *found = nullptr;
  for (const Stmt *statement : function.body)
    walk(*statement, [&](const Node &node) {
      const auto *result = as<Return>(&node);
      const auto *constant = result && result->value ? as<Constant>(result->value) : nullptr;
      const bool isNone = constant && constant->constantKind == ConstantKind::None;
      if (!found && result && result->value && !isNone)
        found = result;
      return !is<FunctionDef>(&node) && !is<ClassDef>(&node);
    });
  return found;
}

static bool usesLanguage(const FunctionDef &function) {
  bool uses = false;
  for (const Stmt *statement : function.body)
    walk(*statement, [&](const Node &node) {
      const auto *attribute = as<Attribute>(&node);
      const auto *base = attribute ? as<Name>(attribute->value) : nullptr;
      uses |= base && base->id == "tl";
      return !uses;
    });
  return uses;
}

/// Whether nothing decorates a function but what triton tunes kernels with.
static bool isUndecorated(const FunctionDef &function, const ModuleIndex &index) {
  for (const Expr *decorator : function.decoratorList) {
    const auto *call = as<Call>(decorator);
    const std::string path = index.resolve(call ? *call->func : *decorator);
    if (path != "triton.autotune" && path != "triton.heuristics")
      return false;
  }
  return true;
}

const FunctionDef *undecoratedKernel(const SyntaxTree &tree, const ModuleIndex &index) {
  if (!index.functions.empty())
    return nullptr;
  const FunctionDef *only = nullptr, *onlyStoring = nullptr;
  size_t count = 0, numStoring = 0;
  for (const Stmt *statement : tree.module->body) {
    const auto *function = as<FunctionDef>(statement);
    if (!function || !isUndecorated(*function, index))
      continue;
    if (usesLanguage(*function) || !function->decoratorList.empty())
      return function;
    only = function;
    ++count;
    if (valueReturn(*function))
      continue;
    onlyStoring = function;
    ++numStoring;
  }
  return count == 1 ? only : numStoring == 1 ? onlyStoring : nullptr;
}

} // namespace tilescope::compiler::ast
