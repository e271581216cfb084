// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/Quotients.h"

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

bool countsElements(std::string_view name) {
  return name == "argmax" || name == "argmin" || name == "histogram";
}

} // namespace tilescope::compiler::inference
