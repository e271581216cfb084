// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Strides, and arithmetic that the kernel could spare itself: divisions by what a `tl.constexpr` could say, and
// exponentials whose scale could hold the logarithm's base.
#include "compiler/pipeline/ComputeFacts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace tilescope::compiler {

static int64_t elementsOf(Type type) {
  auto block = dyn_cast<RankedTensorType>(type);
  return block ? block.getNumElements() : 1;
}

static LoopLikeOpInterface loopAround(Operation *op) {
  return op->getParentOfType<LoopLikeOpInterface>();
}

static bool isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::FloorDivSIOp,
             arith::CeilDivSIOp>(op);
}

static bool isIntegerArithmetic(Operation *op) {
  return isDivision(op) ||
         isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ExtSIOp, arith::ExtUIOp,
             arith::TruncIOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp,
             arith::IndexCastOp, tt::SplatOp, tt::BroadcastOp>(op);
}

/// The first argument that a value depends on, if it depends on arguments and constants alone.
static BlockArgument argumentBehind(Value value) {
  SmallVector<Value> work{value};
  llvm::DenseSet<Value> seen;
  BlockArgument found;
  while (!work.empty()) {
    const Value next = work.pop_back_val();
    if (!seen.insert(next).second || matchPattern(next, m_Constant()))
      continue;
    Operation *op = next.getDefiningOp();
    if (op && isIntegerArithmetic(op)) {
      llvm::append_range(work, op->getOperands());
      continue;
    }
    auto argument = dyn_cast<BlockArgument>(next);
    if (!argument || !isa<tt::FuncOp>(argument.getOwner()->getParentOp()))
      return {};
    if (!found || argument.getArgNumber() < found.getArgNumber())
      found = argument;
  }
  return found;
}

/// A loop without loops in it: its iterations are many and short.
static bool isInInnermostLoop(Operation *op) {
  LoopLikeOpInterface loop = loopAround(op);
  return loop && !loop->walk([&](LoopLikeOpInterface inner) {
                        return inner == loop ? WalkResult::advance() : WalkResult::interrupt();
                      })
                      .wasInterrupted();
}

static void addDivision(Operation *op, const std::vector<KernelParameter> &parameters,
                        const StageSources &sources, ComputeFacts &facts) {
  if (!isDivision(op))
    return;
  const BlockArgument argument = argumentBehind(op->getOperand(1));
  // What arguments alone determine is computed once.
  if (!argument || argumentBehind(op->getOperand(0)) ||
      matchPattern(op->getOperand(0), m_Constant()))
    return;
  facts.runtimeDivisions.push_back({sources.of(op), parameters[argument.getArgNumber()].name,
                                    elementsOf(op->getResult(0).getType()), isInInnermostLoop(op)});
}

/// The product with a factor that the loop does not change, of which the value is computed by
/// additions and choices.
static Operation *scalingOf(Value value, LoopLikeOpInterface loop) {
  constexpr int kMostSteps = 8;
  for (int step = 0; step < kMostSteps; ++step) {
    Operation *op = value.getDefiningOp();
    if (!op || !loop->isProperAncestor(op))
      return nullptr;
    if (isa<arith::MulFOp>(op)) {
      const auto isFactor = [&](Value operand) {
        Operation *made = operand.getDefiningOp();
        return loop.isDefinedOutsideOfLoop(operand) || matchPattern(operand, m_Constant()) ||
               (isa_and_nonnull<tt::SplatOp>(made) &&
                loop.isDefinedOutsideOfLoop(made->getOperand(0)));
      };
      return isFactor(op->getOperand(0)) || isFactor(op->getOperand(1)) ? op : nullptr;
    }
    if (isa<arith::SelectOp>(op))
      value = op->getOperand(1);
    else if (isa<arith::SubFOp, arith::AddFOp>(op))
      value = op->getOperand(0);
    else
      return nullptr;
  }
  return nullptr;
}

static void addExponential(math::ExpOp op, const StageSources &sources, ComputeFacts &facts) {
  LoopLikeOpInterface loop = loopAround(op);
  const auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!loop || !type || !type.getElementType().isF32())
    return;
  const bool hasProduct =
      loop->walk([](tt::DotOp) { return WalkResult::interrupt(); }).wasInterrupted();
  Operation *scaling = hasProduct ? scalingOf(op.getOperand(), loop) : nullptr;
  if (scaling)
    facts.scaledExponentials.push_back(
        {sources.of(op), sources.of(scaling), type.getNumElements()});
}

/// The argument that fills a block, or is a factor as it stands.
static BlockArgument filledWith(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tt::SplatOp, tt::BroadcastOp, arith::ExtSIOp>(op))
      return {};
    value = op->getOperand(0);
  }
  auto argument = cast<BlockArgument>(value);
  return isa<tt::FuncOp>(argument.getOwner()->getParentOp()) ? argument : BlockArgument();
}

/// The arguments that multiply blocks in what an address is computed from, in the same iteration.
static void addStrides(Operation *op, const std::vector<KernelParameter> &parameters,
                       const StageSources &sources, ComputeFacts &facts) {
  if (!isa<tt::LoadOp, tt::StoreOp>(op) || !isa<RankedTensorType>(op->getOperand(0).getType()))
    return;
  SmallVector<Value> work{op->getOperand(0)};
  llvm::DenseSet<Value> seen;
  while (!work.empty()) {
    const Value next = work.pop_back_val();
    Operation *made = next.getDefiningOp();
    if (!seen.insert(next).second || !made)
      continue;
    if (isa<arith::MulIOp>(made) && isa<RankedTensorType>(next.getType()))
      for (Value factor : made->getOperands())
        if (const BlockArgument argument = filledWith(factor))
          facts.strides.push_back({sources.of(op), parameters[argument.getArgNumber()].name});
    if (isa<tt::AddPtrOp, tt::ExpandDimsOp>(made) || isIntegerArithmetic(made))
      llvm::append_range(work, made->getOperands());
  }
}

void addArithmetic(tt::FuncOp kernel, const std::vector<KernelParameter> &parameters,
                   const StageSources &sources, ComputeFacts &facts) {
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    addDivision(op, parameters, sources, facts);
    addStrides(op, parameters, sources, facts);
    if (auto exponential = dyn_cast<math::ExpOp>(op))
      addExponential(exponential, sources, facts);
  });
}

} // namespace tilescope::compiler
