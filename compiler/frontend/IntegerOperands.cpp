// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/IntegerOperands.h"

namespace tilescope::compiler::frontend {

bool areIntegers(const Frame &frame, const std::vector<const ast::Expr *> &operands) {
  bool areAll = true;
  for (const ast::Expr *operand : operands)
    ast::walk(*operand, [&](const ast::Node &node) {
      const auto *constant = ast::as<ast::Constant>(&node);
      const auto *name = ast::as<ast::Name>(&node);
      const Value *value = name ? frame.locals.find(name->id) : nullptr;
      const Tensor *tensor = value ? value->tensor() : nullptr;
      const bool isInt = constant ? constant->intValue.has_value()
                         : name
                             ? (tensor ? !tensor->type.isPointer() && isInteger(tensor->dtype())
                                       : value && value->constant() && value->constant()->isInt())
                             : ast::is<ast::BinOp>(&node) || ast::is<ast::UnaryOp>(&node);
      const auto *operation = ast::as<ast::BinOp>(&node);
      areAll &= isInt && !(operation && operation->op == ast::BinaryOpKind::Div);
      return areAll;
    });
  return areAll;
}

} // namespace tilescope::compiler::frontend
