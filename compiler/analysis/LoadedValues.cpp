// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/LoadedValues.h"

#include "compiler/analysis/FractionIndex.h"
#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::compiler {

/// Whether an integer is taken apart: `x >> 4`, `x & 15`.
static bool isTakenApart(Value value) {
  const Type element = getElementTypeOrSelf(value.getType());
  return element.isInteger() && !element.isInteger(1) &&
         llvm::any_of(value.getUses(), [](OpOperand &use) {
           Operation *user = use.getOwner();
           if (isa<arith::ShRSIOp, arith::ShRUIOp>(user))
             return use.getOperandNumber() == 0;
           if (isa<arith::AndIOp>(user))
             return constantOf(user->getOperand(1 - use.getOperandNumber())).has_value();
           return user->getNumResults() == 1 &&
                  withoutCasts(user->getResult(0)) != user->getResult(0) &&
                  isTakenApart(user->getResult(0));
         });
}

static bool isEquality(arith::CmpIOp compare) {
  using enum arith::CmpIPredicate;
  return compare.getPredicate() == eq || compare.getPredicate() == ne;
}

/// Whether a loop ends at an integer, or indices are compared with it.
static bool isLength(Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto loop = dyn_cast<scf::ForOp>(user))
      return loop.getUpperBound() == use.get();
    if (auto compare = dyn_cast<arith::CmpIOp>(user))
      return use.getOperandNumber() == 1 && !isEquality(compare);
    return isa<tt::SplatOp, arith::TruncIOp, arith::ExtSIOp>(user) && isLength(user->getResult(0));
  });
}

/// Calls a function with each use of a value, whatever shape it takes on the way.
static void forEachUse(Value value, llvm::function_ref<void(OpOperand &)> visit) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (user->getNumResults() == 1 && withoutCasts(user->getResult(0)) != user->getResult(0))
      forEachUse(user->getResult(0), visit);
    else
      visit(use);
  }
}

/// Notes of which indices loaded integers are, by what they are compared with and counted in.
static void notePlaces(Value loaded, const IndexBounds &bounds, TensorAccess &access) {
  forEachUse(loaded, [&](OpOperand &use) {
    if (auto histogram = dyn_cast<tt::HistogramOp>(use.getOwner());
        histogram && use.getOperandNumber() == 0)
      access.bins = std::max(access.bins, histogram.getType().getShape().front());
    auto compare = dyn_cast<arith::CmpIOp>(use.getOwner());
    if (!compare || !isEquality(compare))
      return;
    const Value other = compare->getOperand(1 - use.getOperandNumber());
    if (const ArgumentSet ends = bounds.comparedWith(other);
        ends.size() == 1 && bounds.endsAsItIs(other))
      access.places.insert(*ends.begin());
  });
}

/// Whether a root or a logarithm is taken of a value, or of a sum with it; multiplied by one number, as a decaying
/// mean is.
static bool isRooted(Value value, int depth = 0) {
  static constexpr int kMaxDepth = 6;
  return depth < kMaxDepth &&
         llvm::any_of(
             value.getUses(),
             [&](OpOperand &use) {
               Operation *user = use.getOwner();
               if (isa<math::SqrtOp, math::RsqrtOp, math::LogOp, math::Log2Op, tt::PreciseSqrtOp>(
                       user))
                 return true;
               // Multiplied or divided by one number.
               const bool isScaled =
                   (isa<arith::MulFOp>(user) ||
                    (isa<arith::DivFOp>(user) && use.getOperandNumber() == 0)) &&
                   isa_and_nonnull<tt::SplatOp, arith::ConstantOp>(
                       user->getOperand(1 - use.getOperandNumber()).getDefiningOp());
               return (isScaled || isa<arith::AddFOp, arith::ExtFOp>(user)) &&
                      isRooted(user->getResult(0), depth + 1);
             });
}

void noteContents(Value loaded, const IndexBounds &bounds, TensorAccess &access) {
  access.isPacked |= isTakenApart(loaded);
  access.areLengths |= loaded.getType().isInteger() && isLength(loaded);
  access.isPositive |= isRooted(loaded) || isMadeIndex(loaded);
  if (getElementTypeOrSelf(loaded.getType()).isInteger())
    notePlaces(loaded, bounds, access);
}

} // namespace tilescope::compiler
