// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ExpressionRoundings.h"

#include "compiler/syntax/Ast.h"
#include "compiler/syntax/Parser.h"

#include <string_view>

namespace tilescope::app {

namespace ast = compiler::ast;

compiler::RoundingFacts roundingsWithin(const std::string &text,
                                        compiler::RoundingFacts roundings) {
  const ast::ParsedExpression parsed = ast::parseExpression(text);
  if (!parsed.expr)
    return roundings;
  bool hasProduct = false, hasSum = false;
  ast::walk(*parsed.expr, [&](const ast::Node &node) {
    const auto *binary = ast::as<ast::BinOp>(&node);
    hasProduct |= binary && binary->op == ast::BinaryOpKind::MatMult;
    const auto *call = ast::as<ast::Call>(&node);
    const std::string_view called =
        call ? parsed.tree->text(call->func->range) : std::string_view();
    hasProduct |= called.ends_with("matmul");
    for (const char *name : {"sum", "mean", "prod", "std", "var"})
      hasSum |= called.ends_with(name);
    return true;
  });
  const auto coarsen = [&](const compiler::Precision &precision) {
    if (precision.epsilon > roundings.operations.epsilon)
      roundings.operations = precision;
  };
  if (!hasProduct)
    coarsen(roundings.factors);
  if (!hasProduct && !hasSum)
    for (const compiler::Precision &each : {roundings.sums, roundings.steps.precision})
      coarsen(each);
  return roundings;
}

} // namespace tilescope::app
