// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/IntegerRoles.h"

#include "compiler/analysis/IndexBounds.h"
#include "compiler/dialects/tt/ir/Dialect.h"

#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilescope::compiler {

/// Whether an integer is compared for equality with what was loaded: a label that is left out.
static bool isComparedWithData(Operation *user, Value value) {
  auto compare = dyn_cast<arith::CmpIOp>(user);
  if (!compare || (compare.getPredicate() != arith::CmpIPredicate::eq &&
                   compare.getPredicate() != arith::CmpIPredicate::ne))
    return false;
  const Value other = compare.getLhs() == value ? compare.getRhs() : compare.getLhs();
  return withoutCasts(other).getDefiningOp<tt::LoadOp>() != nullptr;
}

/// Whether addresses, masks or bounds of loops are made of an integer.
static bool reachesIndex(Value value, int depth = 0) {
  static constexpr int kMaxDepth = 12;
  return depth < kMaxDepth &&
         llvm::any_of(
             value.getUsers(),
             [&](Operation *user) {
               if (isComparedWithData(user, value))
                 return false;
               if (isa<tt::AddPtrOp, arith::CmpIOp, scf::ForOp>(user))
                 return true;
               return user->getNumResults() == 1 &&
                      getElementTypeOrSelf(user->getResult(0).getType()).isInteger() &&
                      reachesIndex(user->getResult(0), depth + 1);
             });
}

/// Whether an integer is only added to others, or taken from them.
static bool isMovingOn(Value value) {
  return llvm::all_of(value.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, arith::ExtSIOp>(user))
      return isMovingOn(user->getResult(0));
    return isa<tt::AddPtrOp, arith::AddIOp>(user) ||
           (isa<arith::SubIOp>(user) && use.getOperandNumber() == 1);
  });
}

/// Whether an integer only ends loops, of whose counters no index is made.
static bool endsTurns(Value value) {
  return llvm::all_of(value.getUses(), [](OpOperand &use) {
    if (auto loop = dyn_cast<scf::ForOp>(use.getOwner()))
      return use.get() == loop.getUpperBound() && use.get() != loop.getLowerBound() &&
             use.get() != loop.getStep() && !reachesIndex(loop.getInductionVar());
    return isa<arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp>(use.getOwner()) &&
           endsTurns(use.getOwner()->getResult(0));
  });
}

IntegerRole roleOf(BlockArgument argument) {
  if (argument.use_empty())
    return IntegerRole::Unused;
  if (endsTurns(argument))
    return IntegerRole::Turns;
  if (isMovingOn(argument))
    return IntegerRole::Offset;
  return reachesIndex(argument) ? IntegerRole::PartOfIndex : IntegerRole::Data;
}

const char *usualValue(IntegerRole role) {
  return role == IntegerRole::Offset   ? "0"
         : role == IntegerRole::Unused ? "16"
         : role == IntegerRole::Turns  ? "3"
                                       : "2";
}

} // namespace tilescope::compiler
