// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/Quotients.h"

namespace tilescope::compiler::inference {

using namespace ast;

bool isQuotient(const Expr *expr) {
  bool divides = false;
  if (expr)
    walk(*expr, [&](const Node &node) {
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
