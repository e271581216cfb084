// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/onnx/OperatorRules.h"

namespace tilescope::model {

static llvm::StringMap<const OperatorRule *> allRules() {
  llvm::StringMap<const OperatorRule *> all;
  for (const std::span<const OperatorRule> family :
       {pointwiseRules(), comparisonRules(), reductionRules(), normalizationRules(),
        contractionRules(), convolutionRules(), shapeRules(), movementRules(), indexingRules(),
        resizeRules(), sourceRules(), attentionRules(), quantizationRules(), controlRules()})
    for (const OperatorRule &rule : family)
      all[rule.name] = &rule;
  return all;
}

const OperatorRule *findRule(const std::string &domain, const std::string &name) {
  static const llvm::StringMap<const OperatorRule *> kAll = allRules();
  return domain.empty() || domain == "ai.onnx" ? kAll.lookup(name) : nullptr;
}

} // namespace tilescope::model
