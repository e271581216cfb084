// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/model/torch_export/AtenNode.h"

#include <span>

namespace tilescope::model {

/// How an operator of PyTorch becomes operations of `tm`.
struct AtenRule {
  /// Without its overload, and without the `_` of those that change their operand in place.
  const char *name;
  /// False after a fault, which the node keeps.
  bool (*read)(AtenNode &node);
  /// Else it takes no part in what the model computes, and its operands may be missing.
  bool needsOperands = true;
};

/// One file for each family.
std::span<const AtenRule> atenActivationRules();
std::span<const AtenRule> atenArithmeticRules();
std::span<const AtenRule> atenComparisonRules();
std::span<const AtenRule> atenContractionRules();
std::span<const AtenRule> atenConversionRules();
std::span<const AtenRule> atenConvolutionRules();
std::span<const AtenRule> atenIndexingRules();
std::span<const AtenRule> atenMovementRules();
std::span<const AtenRule> atenNormalizationRules();
std::span<const AtenRule> atenPoolingRules();
std::span<const AtenRule> atenReductionRules();
std::span<const AtenRule> atenReorderRules();
std::span<const AtenRule> atenResizeRules();
std::span<const AtenRule> atenShapeRules();
std::span<const AtenRule> atenSourceRules();

/// Null: the operator is not supported.
const AtenRule *findAtenRule(const OperatorName &name);

} // namespace tilescope::model
