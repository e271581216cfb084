// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/Fillers.h"

#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tilescope::compiler {

bool isInfinite(Filler filler) {
  return filler == Filler::MinusInfinity || filler == Filler::Infinity;
}

bool isReduction(Operation *op) { return isa<tt::ReduceOp, tt::ScanOp>(op); }

bool keepsElements(Operation *op) {
  return isa<arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp, arith::ExtUIOp, tt::ExpandDimsOp,
             tt::BroadcastOp, tt::ReshapeOp, tt::TransOp, tt::SplatOp>(op);
}

/// Of `tl.argmax` and `tl.argmin`, which compare values that have their indices with them.
static Filler fillerOfIndexed(tt::ReduceOp reduce) {
  if (reduce.getSrcs().size() != 2)
    return Filler::Unknown;
  Block &block = reduce.getCombineOp().front();
  for (arith::CmpFOp compare : block.getOps<arith::CmpFOp>()) {
    if (compare.getLhs() != block.getArgument(0) || compare.getRhs() != block.getArgument(2))
      continue;
    if (compare.getPredicate() == arith::CmpFPredicate::OGT)
      return Filler::MinusInfinity;
    if (compare.getPredicate() == arith::CmpFPredicate::OLT)
      return Filler::Infinity;
  }
  return Filler::Unknown;
}

Filler fillerOf(Operation *reduction) {
  Operation *combiner = nullptr;
  auto reduce = dyn_cast<tt::ReduceOp>(reduction);
  if (reduce)
    combiner = reduce.getSingleCombiner();
  if (!combiner)
    return reduce ? fillerOfIndexed(reduce) : Filler::Unknown;
  if (isa<arith::AddFOp, arith::AddIOp, arith::OrIOp, arith::XOrIOp>(combiner))
    return Filler::Zero;
  if (isa<arith::MaxNumFOp, arith::MaximumFOp>(combiner))
    return Filler::MinusInfinity;
  return isa<arith::MinNumFOp, arith::MinimumFOp>(combiner) ? Filler::Infinity : Filler::Unknown;
}

static Filler opposite(Filler filler) {
  return filler == Filler::MinusInfinity ? Filler::Infinity
         : filler == Filler::Infinity    ? Filler::MinusInfinity
                                         : Filler::Unknown;
}

/// Whether a loop hands the value from one iteration to the next.
static bool isCarried(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && isa<scf::ForOp>(argument.getOwner()->getParentOp()) &&
         argument.getArgNumber() > 0;
}

Filler before(Operation *op, Value source, Filler filler) {
  if (!op || op->getNumRegions() > 0 || keepsElements(op))
    return filler;
  if (isa<math::ExpOp, math::Exp2Op>(op) && filler == Filler::Zero)
    return Filler::MinusInfinity;
  if (isa<arith::MulFOp, arith::MulIOp>(op) && filler == Filler::Zero)
    return Filler::Zero;
  if (isa<arith::DivFOp>(op) && filler == Filler::Zero && source == op->getOperand(0))
    return Filler::Zero;
  // What a loop adds up is not changed by it either.
  if (isa<arith::AddFOp, arith::AddIOp>(op) && filler == Filler::Zero &&
      llvm::any_of(op->getOperands(), isCarried))
    return Filler::Zero;
  if (isa<arith::AddFOp>(op) && isInfinite(filler))
    return filler;
  // A running maximum; not so `maximum(x, 0)`, where 0 is as good.
  const bool isRunning = (filler == Filler::MinusInfinity && isa<arith::MaxNumFOp>(op)) ||
                         (filler == Filler::Infinity && isa<arith::MinNumFOp>(op));
  if (isRunning && llvm::none_of(op->getOperands(),
                                 [](Value operand) { return matchPattern(operand, m_Constant()); }))
    return filler;
  if (isa<arith::SubFOp>(op) && isInfinite(filler))
    return source == op->getOperand(0) ? filler : opposite(filler);
  return Filler::Unknown;
}

std::string fillerCode(Filler filler, Value value) {
  switch (filler) {
  case Filler::Zero:
    return isa<FloatType>(getElementTypeOrSelf(value.getType())) ? "0.0" : "0";
  case Filler::MinusInfinity:
    return "float(\"-inf\")";
  case Filler::Infinity:
    return "float(\"inf\")";
  case Filler::Unknown:
    break;
  }
  return {};
}

bool fits(double number, Filler filler) {
  static constexpr double kLarge = 1e4;
  switch (filler) {
  case Filler::Zero:
    return number == 0;
  case Filler::MinusInfinity:
    return number <= -kLarge;
  case Filler::Infinity:
    return number >= kLarge;
  case Filler::Unknown:
    break;
  }
  return true;
}

bool combinesExtremes(Operation *op) {
  return isa_and_nonnull<arith::AddFOp, arith::SubFOp>(op) &&
         llvm::all_of(op->getOperands(), [](Value operand) {
           Operation *reduction = operand.getDefiningOp();
           return reduction && isReduction(reduction) && isInfinite(fillerOf(reduction));
         });
}

} // namespace tilescope::compiler
