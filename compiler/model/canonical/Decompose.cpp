// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/canonical/Decompose.h"

using namespace mlir;

namespace tilescope::model {

static bool hasNumbers(Operation &operation) {
  const auto isStatic = [](Type type) { return cast<RankedTensorType>(type).hasStaticShape(); };
  return llvm::all_of(operation.getOperandTypes(), isStatic) &&
         llvm::all_of(operation.getResultTypes(), isStatic);
}

void decompose(func::FuncOp function) {
  Block &body = function.getBody().front();
  OpBuilder builder(function.getContext());
  for (Operation &operation : llvm::make_early_inc_range(body.without_terminator())) {
    if (!hasNumbers(operation))
      continue;
    builder.setInsertionPoint(&operation);
    TensorOps ops(builder, operation.getLoc());
    for (const auto rule :
         {decomposeNorm, decomposeAttention, decomposeEinsum, decomposeMovement, decomposeNumbers,
          decomposePooling, decomposeResize, decomposeSequence}) {
      const Replacement values = rule(&operation, ops);
      if (values.empty())
        continue;
      // Results that nothing uses may stand for themselves.
      for (auto [result, value] : llvm::zip_equal(operation.getResults(), values))
        if (value != result)
          result.replaceAllUsesWith(value);
      operation.erase();
      break;
    }
  }
  // Results that nothing uses: statistics of norms, weights of attention.
  for (Operation &operation : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&operation))
      operation.erase();
}

} // namespace tilescope::model
