// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/Runs.h"

#include "compiler/conversion/tt_to_cpu/Elementwise.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"
#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/DenseSet.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tilescope::cpu {

bool mayBeRun(Value pointers) {
  SmallVector<Value> open{pointers};
  llvm::DenseSet<Value> seen;
  while (!open.empty()) {
    Value value = open.pop_back_val();
    Operation *op = value.getDefiningOp();
    // Of a scalar, all lanes are one.
    if (!op || !isa<RankedTensorType>(value.getType()) || !seen.insert(value).second)
      continue;
    if (isDivision(op))
      return true;
    if (isElementwise(op) || isa<tt::BroadcastOp, tt::ExpandDimsOp, tt::TransOp>(op))
      open.append(op->operand_begin(), op->operand_end());
  }
  return false;
}

Value emitIsRun(OpBuilder &b, Location loc, Value tile, int64_t step, Value mask) {
  const int64_t lanes = lanesOf(tile);
  Value first = vector::ExtractOp::create(b, loc, tile, 0);
  Value isNext = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, tile,
                                       ramp(b, loc, first, step, lanes));
  if (mask) {
    Value isOff = arith::XOrIOp::create(b, loc, mask, integerLike(b, loc, mask, 1));
    isNext = arith::OrIOp::create(b, loc, isNext, isOff);
  }
  Value isRun = vector::ReductionOp::create(b, loc, vector::CombiningKind::AND, isNext);
  const unsigned width = first.getType().getIntOrFloatBitWidth();
  if (width == 64)
    return isRun;
  // The ramp must not begin again at the least number.
  Value most = integerLike(b, loc, first,
                           APInt::getSignedMaxValue(width).getSExtValue() - (lanes - 1) * step);
  Value fits = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, first, most);
  return arith::AndIOp::create(b, loc, isRun, fits);
}

} // namespace tilescope::cpu
