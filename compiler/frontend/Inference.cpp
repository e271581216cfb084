// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Guesses the types of parameters from how they are used, for kernels that say nothing about their
// arguments. The address of a load begins with its pointer: `x_ptr + row * stride + columns`.
#include "compiler/frontend/Specialization.h"

#include "llvm/ADT/StringSet.h"

#include <algorithm>

namespace tilescope::compiler::frontend {

namespace {
/// The uses of one function's parameters as addresses.
struct Uses {
  const SourceModule &module;
  const ast::FunctionDef &function;
  llvm::StringMap<std::vector<const ast::Expr *>> definitions;
  llvm::StringSet<> pointers;
  int depth = 0;
};
} // namespace

static bool isParameter(const ast::FunctionDef &function, std::string_view name) {
  return std::ranges::any_of(function.args->args,
                             [&](const ast::Arg *arg) { return arg->arg == name; });
}

/// The leftmost operand of sums leads to the pointer, through local variables.
static void markAddress(Uses &uses, const ast::Expr &address, llvm::StringSet<> &seen) {
  const ast::Expr *expr = &address;
  while (true) {
    if (const auto *sum = ast::as<ast::BinOp>(expr)) {
      if (sum->op != ast::BinaryOpKind::Add && sum->op != ast::BinaryOpKind::Sub)
        return;
      expr = sum->left;
    } else if (const auto *part = ast::as<ast::Subscript>(expr)) {
      expr = part->value;
    } else if (const auto *call = ast::as<ast::Call>(expr)) {
      // `p.to(...)`, `tl.multiple_of(p, 16)`, `tl.make_block_ptr(base=p, ...)`
      const auto *access = ast::as<ast::Attribute>(call->func);
      if (!call->args.empty())
        expr = access && access->attr == "to" ? access->value : call->args.front();
      else if (!call->keywords.empty() && call->keywords.front()->arg == "base")
        expr = call->keywords.front()->value;
      else
        return;
    } else {
      break;
    }
  }
  const auto *name = ast::as<ast::Name>(expr);
  if (!name || !seen.insert(name->id).second)
    return;
  if (auto found = uses.definitions.find(name->id); found != uses.definitions.end())
    for (const ast::Expr *definition : found->second)
      markAddress(uses, *definition, seen);
  if (isParameter(uses.function, name->id))
    uses.pointers.insert(name->id);
}

static llvm::StringSet<> pointerParameters(const SourceModule &module,
                                           const ast::FunctionDef &function, int depth);

/// An argument whose parameter is a pointer is one.
static void markForwarded(Uses &uses, const ast::Call &call) {
  const auto *callee = ast::as<ast::Name>(call.func);
  auto binding = callee ? uses.module.bindings.find(callee->id) : uses.module.bindings.end();
  if (binding == uses.module.bindings.end() || !binding->second.function || uses.depth > 3)
    return;
  const ast::FunctionDef &function = *binding->second.function;
  llvm::StringSet<> pointers = pointerParameters(uses.module, function, uses.depth + 1);
  llvm::StringSet<> seen;
  for (size_t i = 0; i < call.args.size() && i < function.args->args.size(); ++i)
    if (pointers.contains(function.args->args[i]->arg))
      markAddress(uses, *call.args[i], seen);
  for (const ast::Keyword *keyword : call.keywords)
    if (keyword->arg && pointers.contains(*keyword->arg))
      markAddress(uses, *keyword->value, seen);
}

static bool isAccess(std::string_view name) {
  return name == "load" || name == "store" || name.starts_with("atomic_") ||
         name == "make_block_ptr" || name.ends_with("make_tensor_descriptor");
}

static llvm::StringSet<> pointerParameters(const SourceModule &module,
                                           const ast::FunctionDef &function, int depth) {
  Uses uses{module, function, {}, {}, depth};
  std::vector<const ast::Call *> calls;
  for (const ast::Stmt *statement : function.body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const ast::Expr *target = nullptr, *value = nullptr;
      if (const auto *assign = ast::as<ast::Assign>(&node)) {
        target = assign->targets.front();
        value = assign->value;
      } else if (const auto *assign = ast::as<ast::AnnAssign>(&node)) {
        target = assign->target;
        value = assign->value;
      } else if (const auto *call = ast::as<ast::Call>(&node)) {
        calls.push_back(call);
      }
      if (const auto *name = ast::as<ast::Name>(target); name && value)
        uses.definitions[name->id].push_back(value);
      return true;
    });
  for (const ast::Call *call : calls) {
    const auto *access = ast::as<ast::Attribute>(call->func);
    llvm::StringSet<> seen;
    if (!access || !isAccess(access->attr)) {
      markForwarded(uses, *call);
    } else if (!call->args.empty()) {
      markAddress(uses, *call->args.front(), seen);
    } else {
      for (const ast::Keyword *keyword : call->keywords)
        if (keyword->arg == "pointer" || keyword->arg == "base")
          markAddress(uses, *keyword->value, seen);
    }
  }
  return uses.pointers;
}

static bool soundsLikeFloat(std::string_view name) {
  static constexpr std::string_view kWords[] = {
      "eps", "scale",       "alpha", "beta", "gamma", "theta", "momentum",
      "lr",  "temperature", "decay", "p",    "prob",  "slope"};
  return std::ranges::any_of(kWords, [&](std::string_view word) {
    return name == word ||
           (word.size() > 1 && (name.starts_with(std::string(word) + "_") ||
                                name.ends_with("_" + std::string(word)))) ||
           name == "dropout_p";
  });
}

std::string inferParameterType(const SourceModule &module, const ast::FunctionDef &function,
                               std::string_view parameter) {
  bool soundsLikePointer = parameter.ends_with("ptr") || parameter.ends_with("Ptr") ||
                           parameter.ends_with("PTR") || parameter.ends_with("pointer") ||
                           parameter.ends_with("ptrs");
  if (soundsLikePointer || pointerParameters(module, function, 0).contains(parameter))
    return "*fp32:16";
  return soundsLikeFloat(parameter) ? "fp32" : "i32";
}

} // namespace tilescope::compiler::frontend
