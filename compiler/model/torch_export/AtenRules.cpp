// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/torch_export/AtenRules.h"

namespace tilescope::model {

static llvm::StringMap<const AtenRule *> allRules() {
  llvm::StringMap<const AtenRule *> all;
  for (const std::span<const AtenRule> family :
       {atenActivationRules(), atenArithmeticRules(), atenComparisonRules(), atenContractionRules(),
        atenConversionRules(), atenConvolutionRules(), atenIndexingRules(), atenMovementRules(),
        atenNormalizationRules(), atenPoolingRules(), atenReductionRules(), atenReorderRules(),
        atenResizeRules(), atenShapeRules(), atenSourceRules()})
    for (const AtenRule &rule : family)
      all[rule.name] = &rule;
  return all;
}

const AtenRule *findAtenRule(const OperatorName &name) {
  static const llvm::StringMap<const AtenRule *> kAll = allRules();
  return kAll.lookup(name.base);
}

} // namespace tilescope::model
