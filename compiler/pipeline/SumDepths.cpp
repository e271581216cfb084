// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/SumDepths.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace tilescope::compiler {

static constexpr double kLanes = 32;

SumThreads sumThreads(tt::FuncOp kernel, int numWarps) {
  SumThreads threads{static_cast<double>(numWarps), 1};
  kernel.walk([&](Operation *op) {
    for (const Type type : op->getResultTypes())
      if (auto block = dyn_cast<RankedTensorType>(type))
        threads.largestBlock =
            std::max(threads.largestBlock, static_cast<double>(block.getNumElements()));
  });
  return threads;
}

/// `steps` additions, one after the other, of partial sums that grow from nothing to the sum.
static SumSteps oneByOne(double steps) { return {{}, steps, steps / 3}; }

SumSteps stepsOfReduction(Operation *op, const SumThreads &threads) {
  const auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  auto scan = dyn_cast<tt::ScanOp>(op);
  const int64_t axis = scan ? scan.getAxis() : cast<tt::ReduceOp>(op).getAxis();
  const auto extent = static_cast<double>(type.getDimSize(static_cast<unsigned>(axis)));
  const bool hasControl = llvm::any_of(op->getRegion(0).front().without_terminator(),
                                       [](Operation &each) { return each.getNumRegions() > 0; });
  if (hasControl || !llvm::hasSingleElement(op->getRegion(0)))
    return oneByOne(extent);
  // All registers of a thread may lie along the axis; a block that is what is left of a larger one has as
  // few threads for it as that one had.
  const double registers =
      std::min(extent, std::max(1.0, threads.largestBlock / (kLanes * threads.numWarps)));
  // Scans go from warp to warp, and from one part of a block to the next.
  if (scan) {
    const double chain = std::min(extent, registers * threads.numWarps);
    return {{}, chain + std::log2(kLanes), chain / 3 + 2};
  }
  // Of a tree, each level has half the squares of the next; the registers' sums are that small, too.
  return {{},
          registers + std::log2(std::max(1.0, extent / registers)),
          registers * registers / (3 * extent) + 2};
}

/// What an operation makes of two integers; nothing: it is another one.
static std::optional<int64_t> applied(Operation *op, int64_t left, int64_t right) {
  const bool isDivision =
      isa<arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp, arith::RemSIOp>(op);
  // Where overflow would count, nothing is said.
  constexpr int64_t kMost = int64_t(1) << 31;
  if ((isDivision && right <= 0) || left < 0 || left > kMost || std::abs(right) > kMost)
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return left + right;
  if (isa<arith::SubIOp>(op))
    return left - right;
  if (isa<arith::MulIOp>(op))
    return left * right;
  if (isa<arith::DivSIOp, arith::DivUIOp>(op))
    return left / right;
  if (isa<arith::CeilDivSIOp>(op))
    return (left + right - 1) / right;
  if (isa<arith::RemSIOp>(op))
    return left % right;
  if (isa<arith::MinSIOp>(op))
    return std::min(left, right);
  if (isa<arith::MaxSIOp>(op))
    return std::max(left, right);
  return std::nullopt;
}

/// A number that all programs of a launch have; nothing: they may have others, or it is not known.
static std::optional<int64_t> numberOf(Value value, const LaunchNumbers &launch) {
  if (const std::optional<int64_t> constant = getConstantIntValue(value))
    return constant;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    const bool isKernels = isa<tt::FuncOp>(argument.getOwner()->getParentOp());
    return isKernels && argument.getArgNumber() < launch.arguments.size()
               ? launch.arguments[argument.getArgNumber()]
               : std::nullopt;
  }
  Operation *op = value.getDefiningOp();
  if (auto programs = dyn_cast<tt::GetNumProgramsOp>(op)) {
    const int64_t count = launch.grid[static_cast<size_t>(programs.getAxisAsInt())];
    return count > 0 ? std::optional(count) : std::nullopt;
  }
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp>(op))
    return numberOf(op->getOperand(0), launch);
  if (op->getNumOperands() != 2)
    return std::nullopt;
  const std::optional<int64_t> left = numberOf(op->getOperand(0), launch);
  const std::optional<int64_t> right = left ? numberOf(op->getOperand(1), launch) : std::nullopt;
  return right ? applied(op, *left, *right) : std::nullopt;
}

/// How often a loop runs at most; nothing: that is not known.
static std::optional<double> tripsOf(Operation *loop, const LaunchNumbers &launch) {
  auto counted = dyn_cast<scf::ForOp>(loop);
  if (!counted)
    return std::nullopt;
  // Of `range(tl.program_id(0), n, step)`, the first program has the most.
  const bool isFromProgram = counted.getLowerBound().getDefiningOp<tt::GetProgramIdOp>();
  const std::optional<int64_t> begin =
      isFromProgram ? std::optional<int64_t>(0) : numberOf(counted.getLowerBound(), launch);
  const std::optional<int64_t> end = numberOf(counted.getUpperBound(), launch);
  const std::optional<int64_t> step = numberOf(counted.getStep(), launch);
  if (!begin || !end || !step || *step <= 0)
    return std::nullopt;
  return std::ceil(std::max(0.0, static_cast<double>(*end) - static_cast<double>(*begin)) /
                   static_cast<double>(*step));
}

/// What a block argument holds at first.
static Value initOf(BlockArgument argument) {
  auto loop = dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
  OpOperand *init = loop ? loop.getTiedLoopInit(argument) : nullptr;
  return init ? init->get() : Value();
}

/// The loops around `op` that carry what it is computed from.
static llvm::SetVector<Operation *> carryingLoops(Operation *op) {
  llvm::SetVector<Operation *> loops;
  llvm::DenseSet<Value> seen;
  SmallVector<Value> waiting(op->getOperands());
  while (!waiting.empty()) {
    const Value value = waiting.pop_back_val();
    if (!value || !seen.insert(value).second || !isa<FloatType>(getElementTypeOrSelf(value)))
      continue;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Operation *loop = argument.getOwner()->getParentOp();
      if (loop->isProperAncestor(op) && isa<LoopLikeOpInterface>(loop))
        loops.insert(loop);
      // Both regions of a `while` pass it on.
      if (auto again = dyn_cast<scf::WhileOp>(loop))
        llvm::append_range(waiting, again.getInits());
      waiting.push_back(initOf(argument));
      continue;
    }
    Operation *made = value.getDefiningOp();
    if (isa<tt::LoadOp, tt::DescriptorLoadOp>(made))
      continue;
    llvm::append_range(waiting, made->getOperands());
    for (Region &region : made->getRegions())
      for (Block &block : region)
        if (block.mightHaveTerminator())
          llvm::append_range(waiting, block.getTerminator()->getOperands());
  }
  return loops;
}

std::optional<SumSteps> stepsOfAddition(Operation *op, const LaunchNumbers &launch) {
  const llvm::SetVector<Operation *> loops = carryingLoops(op);
  if (loops.empty())
    return std::nullopt;
  double trips = 1;
  for (Operation *loop : loops)
    if (const std::optional<double> each = tripsOf(loop, launch))
      trips *= *each;
    else
      return SumSteps();
  return oneByOne(trips);
}

} // namespace tilescope::compiler
