// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/OneNumber.h"

#include "compiler/frontend/BlockAdvice.h"

#include "llvm/ADT/StringSwitch.h"

#include <string_view>

namespace tilescope::compiler::frontend {

static bool isNamed(const ast::Expr *expr, std::string_view name) {
  const auto *found = expr ? ast::as<ast::Name>(expr) : nullptr;
  return found && found->id == name;
}

/// How a statement adds to what `name` holds: `sum` of `name += x`, `max` of `name = tl.maximum(name, x)`; empty
/// for others.
static std::string_view collectedBy(const ast::Node &node, std::string_view name) {
  if (const auto *update = ast::as<ast::AugAssign>(&node))
    return update->op == ast::BinaryOpKind::Add && isNamed(update->target, name) ? "sum" : "";
  const auto *assign = ast::as<ast::Assign>(&node);
  if (!assign || assign->targets.size() != 1 || !isNamed(assign->targets.front(), name))
    return {};
  if (const auto *sum = ast::as<ast::BinOp>(assign->value))
    return sum->op == ast::BinaryOpKind::Add &&
                   (isNamed(sum->left, name) || isNamed(sum->right, name))
               ? "sum"
               : "";
  const auto *call = ast::as<ast::Call>(assign->value);
  const auto *callee = call ? ast::as<ast::Attribute>(call->func) : nullptr;
  if (!callee || call->args.size() != 2 ||
      !(isNamed(call->args[0], name) || isNamed(call->args[1], name)))
    return {};
  return llvm::StringSwitch<std::string_view>(callee->attr)
      .Case("maximum", "max")
      .Case("minimum", "min")
      .Default("");
}

/// How the loops of the function collect a name's elements; empty where they do not.
static std::string_view collected(const Frame &frame, std::string_view name) {
  std::string_view found;
  const auto visit = [&](const ast::Node &node) {
    if (found.empty())
      found = collectedBy(node, name);
    return found.empty();
  };
  for (const ast::Stmt *statement : frame.function->body)
    ast::walk(*statement, [&](const ast::Node &node) {
      const auto *loop = ast::as<ast::For>(&node);
      const auto *other = ast::as<ast::While>(&node);
      if (loop || other)
        for (const ast::Stmt *inner : loop ? loop->body : other->body)
          ast::walk(*inner, visit);
      return found.empty();
    });
  return found;
}

OneNumber oneNumberOf(const BuiltinCall &call, size_t parameter, size_t mask) {
  const Frame &frame = call.emitter.frame();
  const std::string given(call.text(parameter));
  const Tensor *value = call[parameter].tensor();
  const Tensor *block = value && value->isBlock() ? value : nullptr;
  const bool isMasked = call.isGiven(mask) && call[mask].tensor() && call[mask].tensor()->isBlock();
  // A number that is written once for each element of the mask.
  if (!block && isMasked)
    block = call[mask].tensor();
  if (!frame.function || given.empty() || !block || block->type.isPointer())
    return {};
  const std::string_view turns = collected(frame, given);
  const std::string_view reduction = llvm::StringSwitch<std::string_view>(call.builtin.name)
                                         .Case("store", turns.empty() ? "sum" : turns)
                                         .Case("atomic_add", "sum")
                                         .Case("atomic_max", "max")
                                         .Case("atomic_min", "min")
                                         .Default("");
  // What is left out of a maximum would need a number that is none of them.
  if (reduction.empty() || (isMasked && (reduction != "sum" || call.text(mask).empty())))
    return {};
  const bool isTruth = value && value->dtype() == DType::Int1;
  std::string elements = isTruth ? asFactor(given) + ".to(tl.int32)" : given;
  if (isMasked)
    elements = "tl.where(" + std::string(call.text(mask)) + ", " + elements + ", 0)";
  const char *words = reduction == "sum" ? "sum" : reduction == "max" ? "maximum" : "minimum";
  return {"tl." + std::string(reduction) + "(" + elements +
              (block->type.shape.size() == 1 ? ", axis=0)" : ")"),
          words, !turns.empty()};
}

} // namespace tilescope::compiler::frontend
