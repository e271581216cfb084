// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/Quotients.h"

#include "compiler/inference/NameWords.h"

namespace tilescope::compiler::inference {

using namespace ast;

bool isCastQuotient(const Call *call) {
  auto *method = call ? as<Attribute>(call->func) : nullptr;
  bool divides = false;
  if (method)
    walk(*method->value, [&](const Node &node) {
      auto *operation = as<BinOp>(&node);
      divides |= operation && operation->op == BinaryOpKind::Div;
      return !divides;
    });
  return divides;
}

bool isCastProduct(const Call *call) {
  auto *method = call ? as<Attribute>(call->func) : nullptr;
  if (!method || method->attr != "to" || call->args.size() != 1)
    return false;
  auto *product = as<BinOp>(method->value);
  auto *type = as<Attribute>(call->args[0]);
  // Of integers, wider ones would be made.
  return product && product->op == BinaryOpKind::Mult && type && type->attr == "int32";
}

bool isNamedNumber(std::string_view name) {
  const std::string small = lowered(name);
  return small == "n" || small == "k" || small.starts_with("n_") || small.starts_with("num") ||
         hasAnyWord(small, {"bins", "nbins", "buckets", "levels", "classes", "size", "entries"});
}

bool countsElements(std::string_view name) {
  return name == "argmax" || name == "argmin" || name == "histogram";
}

} // namespace tilescope::compiler::inference
