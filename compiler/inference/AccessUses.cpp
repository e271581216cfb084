// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
// What accesses to memory say of pointers and descriptors.
#include "compiler/inference/UseAnalyzer.h"

#include <algorithm>

namespace tilescope::compiler::inference {

using namespace ast;

void UseAnalyzer::readAccess(const Call &call) {
  std::string name = languageCall(call);
  auto *method = as<Attribute>(call.func);
  if (name == "load" || name == "store" || name.starts_with("atomic_"))
    readAddress(argument(call, 0, "pointer"));
  bool isDescribed = name.ends_with("_tensor_descriptor") || name.ends_with("_descriptor_load") ||
                     name.ends_with("_descriptor_store");
  if (isDescribed && !name.starts_with("make")) {
    bool isStore = name.find("store") != name.npos;
    // `tl.store_tensor_descriptor(desc, offsets, value)`, `tl._experimental_descriptor_store(
    // desc, value, offsets)`
    bool isValueFirst = isStore && !name.starts_with("store");
    readDescriptorAccess(argument(call, 0, "desc"), argument(call, isValueFirst ? 2 : 1, "offsets"),
                         isStore ? argument(call, isValueFirst ? 1 : 2, "value") : nullptr,
                         isStore ? nullptr : argument(call, 2, "block_shape"));
  } else if (name == "load") {
    markAlternatives(argument(call, 0, "pointer"), &ParameterUse::isLoaded);
  } else if (name == "store") {
    markAlternatives(argument(call, 0, "pointer"), &ParameterUse::isStored);
    if (ParameterUse *use = pointerOf(argument(call, 0, "pointer"))) {
      const Expr *value = argument(call, 1, "value");
      if (std::string type = castTypeOf(value); !type.empty())
        use->storedAs = type;
      else if (type = storedType(value); !type.empty() && use->storedAs.empty() && !use->isLoaded) {
        // A condition in the place of the value may be the mask.
        const Expr *mask = argument(call, 2, "mask");
        if (type != "i1" || !mask || isBoolean(mask))
          use->storedAs = type;
      }
    }
  } else if (name.starts_with("atomic_")) {
    if (ParameterUse *use = pointerOf(argument(call, 0, "pointer"))) {
      use->isStored = true;
      const Expr *value = argument(call, 1, "val");
      auto *number = as<Constant>(value);
      if (const std::string type = castTypeOf(value); !type.empty())
        use->storedAs = type;
      else if (number && number->constantKind == ConstantKind::Int && use->storedAs.empty())
        use->storedAs = "i32";
      use->isLock |= name == "atomic_cas" || name == "atomic_xchg" || name == "atomic_and" ||
                     name == "atomic_or" || name == "atomic_xor" || name == "atomic_poll";
    }
  } else if (name == "make_block_ptr" || name.ends_with("make_tensor_descriptor")) {
    if (ParameterUse *use = pointerOf(argument(call, 0, "base")))
      use->isLoaded = true;
  } else if (method && name.empty() && readDescriptorMethod(call, *method)) {
    return;
  } else if (method && name.empty() && (method->attr == "load" || method->attr == "store")) {
    if (ParameterUse *use = pointerOf(method->value))
      (method->attr == "load" ? use->isLoaded : use->isStored) = true;
  } else {
    readForwarded(call);
  }
}

void UseAnalyzer::readAddress(const Expr *address) {
  markIndices(address);
  Summands summands;
  collectSummands(address, summands);
  if (summands.hasConsecutive)
    for (const BinOp *product : summands.products)
      for (const Expr *side : {product->left, product->right})
        if (ParameterUse *use = parameterOf(side))
          use->isOuterStride = true;
}

void UseAnalyzer::collectSummands(const Expr *expr, Summands &summands) {
  if (auto *operation = as<BinOp>(expr)) {
    // Of pairs, `2 * i` and `2 * i + 1` count elements themselves.
    const bool isPair = operation->op == BinaryOpKind::Mult &&
                        (is<Constant>(operation->left) || is<Constant>(operation->right));
    if (isPair)
      collectSummands(is<Constant>(operation->left) ? operation->right : operation->left, summands);
    else if (operation->op == BinaryOpKind::Mult)
      summands.products.push_back(operation);
    else
      collectSummands(operation->left, summands);
    if (operation->op == BinaryOpKind::Add || operation->op == BinaryOpKind::Sub)
      collectSummands(operation->right, summands);
  } else if (auto *part = as<Subscript>(expr)) {
    collectSummands(part->value, summands);
  } else if (auto *call = as<Call>(expr)) {
    const std::string name = languageCall(*call);
    if (name == "arange" || name == "program_id")
      summands.hasConsecutive = true;
    else if ((name == "multiple_of" || name == "max_contiguous") && !call->args.empty())
      collectSummands(call->args[0], summands);
  } else if (auto *name = as<Name>(expr); name && summands.followed.insert(name->id).second) {
    summands.hasConsecutive |= m_counters.contains(name->id);
    if (auto found = m_definitions.find(name->id); found != m_definitions.end())
      for (const Expr *definition : found->second)
        collectSummands(definition, summands);
  }
}

void UseAnalyzer::markAlternatives(const Expr *address, bool ParameterUse::*flag) {
  if (ParameterUse *use = pointerOf(address))
    use->*flag = true;
  markAddressed(address);
  const Expr *first = address;
  while (auto *sum = as<BinOp>(first))
    first = sum->left;
  auto *name = as<Name>(first);
  auto found = name ? m_definitions.find(name->id) : m_definitions.end();
  if (found == m_definitions.end())
    return;
  for (const Expr *definition : found->second) {
    bool isAdded = std::any_of(m_sums.begin(), m_sums.end(),
                               [&](const AugAssign *sum) { return sum->value == definition; });
    if (ParameterUse *use = isAdded ? nullptr : parameterOf(definition))
      use->*flag = true;
  }
}

void UseAnalyzer::markAddressed(const Expr *address) {
  if (auto *sum = as<BinOp>(address)) {
    markAddressed(sum->left);
    markAddressed(sum->right);
  } else if (auto *name = as<Name>(address)) {
    if (ParameterUse *use = parameterOf(name))
      use->isAddressed = true;
  }
}

Seq<Expr> UseAnalyzer::itemsOf(const Expr *expr) {
  if (auto *list = as<List>(expr))
    return list->elts;
  auto *tuple = as<Tuple>(expr);
  return tuple ? tuple->elts : Seq<Expr>();
}

bool UseAnalyzer::readDescriptorAccess(const Expr *descriptor, const Expr *offsets,
                                       const Expr *value, const Expr *shape) {
  auto *self = as<Name>(descriptor);
  ParameterUse *use = self ? parameterOf(self) : nullptr;
  const Seq<Expr> starts = itemsOf(offsets), extents = itemsOf(shape);
  if (!use || starts.empty() || m_definitions.contains(self->id))
    return false;
  use->isDescriptor = true;
  use->blockExtents.resize(std::max(use->blockExtents.size(), starts.size()));
  for (size_t i = 0; i < starts.size(); ++i)
    if (use->blockExtents[i].empty()) {
      auto *extent = i < extents.size() ? as<Name>(extents[i]) : nullptr;
      use->blockExtents[i] = extent ? std::string(extent->id) : extentOf(starts[i]);
    }
  if (value)
    use->storedAs = castTypeOf(value);
  return true;
}

bool UseAnalyzer::readDescriptorMethod(const Call &call, const Attribute &method) {
  bool isAccess =
      method.attr == "load" || method.attr == "store" || method.attr.starts_with("atomic_");
  return isAccess && !call.args.empty() &&
         readDescriptorAccess(method.value, call.args[0],
                              call.args.size() > 1 ? call.args[1] : nullptr);
}

} // namespace tilescope::compiler::inference
