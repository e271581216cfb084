// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/Passes.h"
#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace tilescope::cpu {

#define GEN_PASS_DEF_CARRYDISTANCES
#include "compiler/conversion/tt_to_cpu/Passes.h.inc"

namespace {
/// A block of which an iteration moves all elements on by one scalar.
struct MovingBlock {
  unsigned index = 0;
  /// Of integers, whose width the distance has, or of pointers.
  RankedTensorType type;
  /// A scalar, or the attribute of one.
  Value step;
  TypedAttr constantStep;
};
} // namespace

static bool findStep(Value steps, MovingBlock &block) {
  if (auto splat = steps.getDefiningOp<tt::SplatOp>()) {
    block.step = splat.getSrc();
    return true;
  }
  auto constant = steps.getDefiningOp<arith::ConstantOp>();
  auto elements = constant ? dyn_cast<SplatElementsAttr>(constant.getValue()) : nullptr;
  if (!elements)
    return false;
  block.constantStep = elements.getSplatValue<TypedAttr>();
  return true;
}

static std::optional<MovingBlock> findMoving(scf::ForOp loop, unsigned index) {
  Value argument = loop.getRegionIterArg(index);
  Operation *move = loop.getYieldedValues()[index].getDefiningOp();
  MovingBlock block;
  block.index = index;
  block.type = dyn_cast<RankedTensorType>(argument.getType());
  if (!block.type || !isa_and_nonnull<tt::AddPtrOp, arith::AddIOp>(move))
    return std::nullopt;
  const bool isFirst = move->getOperand(0) == argument;
  if (!isFirst && (isa<tt::AddPtrOp>(move) || move->getOperand(1) != argument))
    return std::nullopt;
  return findStep(move->getOperand(isFirst ? 1 : 0), block) ? std::optional(block) : std::nullopt;
}

/// Of pointers, 64 bits: many steps of 32 bits may lead farther than 32 bits do.
static Type distanceType(const MovingBlock &block) {
  Type element = block.type.getElementType();
  return isa<IntegerType>(element) ? element : IntegerType::get(element.getContext(), 64);
}

static Value stepAt(OpBuilder &b, Location loc, const MovingBlock &block) {
  Value step = block.step ? block.step : arith::ConstantOp::create(b, loc, block.constantStep);
  Type type = distanceType(block);
  return step.getType() == type ? step : Value(arith::ExtSIOp::create(b, loc, type, step));
}

/// The block at this distance from where it began.
static Value blockAt(OpBuilder &b, Location loc, const MovingBlock &block, Value first,
                     Value distance) {
  auto type = RankedTensorType::get(block.type.getShape(), distance.getType());
  Value distances = tt::SplatOp::create(b, loc, type, distance);
  if (isa<tt::PointerType>(block.type.getElementType()))
    return tt::AddPtrOp::create(b, loc, block.type, first, distances);
  return arith::AddIOp::create(b, loc, first, distances);
}

static void carryDistance(scf::ForOp loop, const MovingBlock &block) {
  IRRewriter rewriter(loop);
  const Location loc = loop.getLoc();
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getIntegerAttr(distanceType(block), 0));
  auto replaced = cast<LoopLikeOpInterface>(*loop).replaceWithAdditionalYields(
      rewriter, ValueRange{zero}, false,
      [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> added) -> SmallVector<Value> {
        return {arith::AddIOp::create(b, loc, added[0], stepAt(b, loc, block))};
      });
  if (failed(replaced))
    return;
  auto moved = cast<scf::ForOp>(replaced->getOperation());
  Value first = moved.getInitArgs()[block.index];
  // The block is yielded as it is, and thereby carried no longer once the loop is cleaned up.
  BlockArgument argument = moved.getRegionIterArg(block.index);
  rewriter.setInsertionPointToStart(moved.getBody());
  Value inside = blockAt(rewriter, loc, block, first, moved.getRegionIterArgs().back());
  rewriter.replaceAllUsesWith(argument, inside);
  moved.getBody()->getTerminator()->setOperand(block.index, argument);
  rewriter.setInsertionPointAfter(moved);
  Value behind = blockAt(rewriter, loc, block, first, moved.getResults().back());
  rewriter.replaceAllUsesWith(moved.getResult(block.index), behind);
}

static bool carryOne(ModuleOp module) {
  WalkResult result = module.walk([&](scf::ForOp loop) {
    for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i)
      if (std::optional<MovingBlock> block = findMoving(loop, i)) {
        carryDistance(loop, *block);
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return result.wasInterrupted();
}

namespace {
/// Lets loops carry distances in place of blocks that only move on:
///
///     for … iter_args(%p = %p0) {              for … iter_args(%d = 0) {
///                                                %p = addptr %p0, splat(%d)
///       yield addptr %p, splat(%s)      ──►      yield %d + %s
///     }                                        }
class CarryDistances : public impl::CarryDistancesBase<CarryDistances> {
public:
  void runOnOperation() override;
};
} // namespace

void CarryDistances::runOnOperation() {
  ModuleOp module = getOperation();
  if (!carryOne(module))
    return;
  while (carryOne(module))
    ;
  RewritePatternSet patterns(module.getContext());
  scf::ForOp::getCanonicalizationPatterns(patterns, module.getContext());
  // Where this stops early, the code is right all the same.
  (void)applyPatternsGreedily(module, std::move(patterns));
}

} // namespace tilescope::cpu
