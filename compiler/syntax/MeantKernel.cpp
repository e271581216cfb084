// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/MeantKernel.h"

#include "compiler/support/NearestName.h"
#include "compiler/syntax/Ast.h"

#include <array>
#include <optional>
#include <string>

namespace tilescope::compiler::ast {

/// The only one that nothing uses, where all functions return values; null in all other files.
static const JitFunction *onlyUnused(const ModuleIndex &index) {
  const JitFunction *meant = nullptr;
  for (const JitFunction &function : index.functions) {
    if (!function.returnsValue || (meant && !function.usedByOthers))
      return nullptr;
    if (!function.usedByOthers)
      meant = &function;
  }
  return meant;
}

/// Whether it does what programs of a grid do: it asks for its number, and accesses memory.
static bool worksAsProgram(const ModuleIndex &index, const JitFunction &function) {
  bool asks = false, accesses = false;
  for (const Stmt *statement : function.def->body)
    walk(*statement, [&](const Node &node) {
      const auto *call = as<Call>(&node);
      const std::string path = call ? index.resolve(*call->func) : std::string();
      const std::optional<std::string_view> member = languageMember(path);
      asks |= member == "program_id";
      accesses |=
          member == "load" || member == "store" || (member && member->starts_with("atomic_"));
      return !is<FunctionDef>(&node);
    });
  return asks && accesses;
}

namespace {
/// What functions that are not jitted, and classes, do with a jitted one.
struct HostUses {
  /// `kernel[grid](…)`
  bool isLaunched = false;
  bool isCalled = false;
};
} // namespace

static HostUses hostUses(const ModuleIndex &index, std::string_view name) {
  HostUses uses;
  for (const Stmt *definition : index.otherDefinitions)
    walk(*definition, [&](const Node &node) {
      const auto *call = as<Call>(&node);
      const auto *grid = call ? as<Subscript>(call->func) : nullptr;
      const auto *callee = as<Name>(grid ? grid->value : call ? call->func : nullptr);
      if (callee && callee->id == name)
        (grid ? uses.isLaunched : uses.isCalled) = true;
      return true;
    });
  return uses;
}

bool isReturningKernel(const ModuleIndex &index, const JitFunction &function) {
  if (!function.returnsValue || function.usedByOthers)
    return false;
  if (onlyUnused(index) == &function)
    return true;
  const HostUses uses = hostUses(index, function.name);
  return !uses.isCalled && (uses.isLaunched || worksAsProgram(index, function));
}

std::vector<const JitFunction *> returningKernels(const ModuleIndex &index) {
  std::vector<const JitFunction *> meant;
  for (const JitFunction &function : index.functions)
    if (isReturningKernel(index, function))
      meant.push_back(&function);
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

static bool isMeantAsJit(const Expr &decorator, const SyntaxTree &tree, const ModuleIndex &index) {
  static constexpr std::array<std::string_view, 1> kJit{"jit"};
  const auto *call = as<Call>(&decorator);
  const Expr &named = call ? *call->func : decorator;
  if (index.resolve(named) == "triton.language.jit")
    return true;
  if (const auto *member = as<Attribute>(&named))
    return index.resolve(*member->value) == "triton" && member->attr != "jit" &&
           !closestName(member->attr, kJit).empty();
  const auto *name = as<Name>(&named);
  if (!name || index.imports.contains(name->id) || index.findConstant(name->id))
    return false;
  for (const Stmt *statement : tree.module->body)
    if (const auto *function = as<FunctionDef>(statement); function && function->name == name->id)
      return false;
  return name->id == "jit" || !closestName(name->id, kJit).empty();
}

const Expr *misspelledJit(const SyntaxTree &tree, const ModuleIndex &index,
                          std::string_view wanted) {
  for (const Stmt *statement : tree.module->body) {
    const auto *function = as<FunctionDef>(statement);
    if (!function || (!wanted.empty() && function->name != wanted))
      continue;
    for (const Expr *decorator : function->decoratorList)
      if (isMeantAsJit(*decorator, tree, index))
        return decorator;
  }
  return nullptr;
}

} // namespace tilescope::compiler::ast
