// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/FractionIndex.h"

#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tilescope::compiler {

static bool isRounding(Operation *op) {
  return isa_and_nonnull<arith::ExtFOp, arith::TruncFOp, math::FloorOp>(op);
}

std::optional<unsigned> wholeOfFraction(Value value, const IndexBounds &bounds) {
  Operation *op = withoutCasts(value).getDefiningOp();
  if (isRounding(op))
    return wholeOfFraction(op->getOperand(0), bounds);
  if (!isa_and_nonnull<arith::MulFOp>(op))
    return std::nullopt;
  for (Value factor : op->getOperands())
    if (auto whole = withoutCasts(factor).getDefiningOp<arith::SIToFPOp>())
      if (const std::optional<unsigned> argument = bounds.argumentOf(whole.getIn()))
        return argument;
  return std::nullopt;
}

static bool isAddress(Value index, int depth = 0) {
  static constexpr int kMaxDepth = 6;
  return depth < kMaxDepth &&
         llvm::any_of(
             index.getUsers(),
             [&](Operation *user) {
               if (auto add = dyn_cast<tt::AddPtrOp>(user))
                 return add.getOffset() == index;
               return user->getNumResults() == 1 &&
                      getElementTypeOrSelf(user->getResult(0).getType()).isInteger() &&
                      !isa<arith::CmpIOp>(user) && isAddress(user->getResult(0), depth + 1);
             });
}

/// `isProduct`: it was multiplied on the way.
static bool becomesIndex(Value value, bool isProduct, int depth = 0) {
  static constexpr int kMaxDepth = 6;
  return depth < kMaxDepth &&
         llvm::any_of(
             value.getUsers(),
             [&](Operation *user) {
               if (isa<arith::FPToSIOp>(user))
                 return isProduct && isAddress(user->getResult(0));
               return (isa<arith::MulFOp>(user) || isRounding(user)) &&
                      becomesIndex(user->getResult(0), isProduct || isa<arith::MulFOp>(user),
                                   depth + 1);
             });
}

bool isMadeIndex(Value loaded) { return becomesIndex(loaded, false); }

} // namespace tilescope::compiler
