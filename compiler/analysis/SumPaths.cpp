// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/SumPaths.h"

#include "compiler/analysis/IndexBounds.h"
#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler {

/// Whether an analysis of indices goes on from the result to the operands.
static bool isFollowed(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp, arith::DivUIOp,
             arith::RemSIOp, arith::RemUIOp, arith::MaxSIOp, arith::MinSIOp, arith::SelectOp,
             arith::AndIOp, arith::OrIOp, tt::AddPtrOp>(op);
}

bool hasCountlessPaths(FunctionOpInterface kernel) {
  static constexpr uint64_t kMostPaths = 1 << 14;
  llvm::DenseMap<Value, uint64_t> paths;
  const WalkResult walked = kernel.walk([&](Operation *op) {
    if (!isFollowed(op))
      return WalkResult::advance();
    uint64_t number = 0;
    for (Value operand : op->getOperands())
      number += std::max<uint64_t>(paths.lookup(withoutCasts(operand)), 1);
    paths[op->getResult(0)] = number;
    return number > kMostPaths ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walked.wasInterrupted();
}

} // namespace tilescope::compiler
