// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/model/onnx/Node.h"

#include <span>

namespace tilescope::model {

/// How an operator of the standard becomes operations of `tm`. Differences between versions of the
/// operator are the rule's own.
struct OperatorRule {
  const char *name;
  /// False after a fault, which the node keeps.
  bool (*read)(Node &node);
};

/// Of two operands that are broadcast, with a result of their elements' type.
template <typename Op> bool readBinary(Node &node) {
  if (!node.expectOperands(2, 2))
    return false;
  const mlir::Value second = node.secondOperand();
  return second &&
         node.finish(node.emit<Op>(node.broadcast({node.operand(0), second}, node.element(0)),
                                   node.operand(0), second));
}

/// One file for each family.
std::span<const OperatorRule> pointwiseRules();
std::span<const OperatorRule> comparisonRules();
std::span<const OperatorRule> reductionRules();
std::span<const OperatorRule> normalizationRules();
std::span<const OperatorRule> contractionRules();
std::span<const OperatorRule> convolutionRules();
std::span<const OperatorRule> shapeRules();
std::span<const OperatorRule> movementRules();
std::span<const OperatorRule> indexingRules();
std::span<const OperatorRule> resizeRules();
std::span<const OperatorRule> sourceRules();
std::span<const OperatorRule> attentionRules();
std::span<const OperatorRule> quantizationRules();
std::span<const OperatorRule> controlRules();

/// Null: the operator is not supported.
const OperatorRule *findRule(const std::string &domain, const std::string &name);

} // namespace tilescope::model
