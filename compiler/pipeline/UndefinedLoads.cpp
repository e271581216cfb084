// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/UndefinedLoads.h"

#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/pipeline/IrText.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <map>
#include <set>
#include <tuple>

using namespace mlir;

namespace tilescope::compiler {

namespace {
/// A value on the way back from the place to the loads.
struct Step {
  Value value;
  /// The reduction nearest to the loads that the way went through, or null.
  Operation *reduction = nullptr;
  /// Behind the loads only operations that a zero stays zero through.
  bool keepsZero = true;
  /// Behind the loads nothing that changes elements.
  bool keepsAll = true;
};
} // namespace

static bool isReduction(Operation *op) { return isa<tt::ReduceOp, tt::ScanOp>(op); }

static bool keepsElements(Operation *op) {
  return isa<arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp, arith::ExtUIOp, tt::ExpandDimsOp,
             tt::BroadcastOp, tt::ReshapeOp, tt::TransOp, tt::SplatOp>(op);
}

/// `0.0` for a sum of floats; empty when it is not told.
static std::string neutralFor(const Step &step) {
  Operation *combiner = nullptr;
  if (auto reduce = dyn_cast<tt::ReduceOp>(step.reduction))
    combiner = reduce.getSingleCombiner();
  if (!combiner)
    return {};
  if (isa<arith::AddFOp>(combiner) && step.keepsZero)
    return "0.0";
  if (isa<arith::AddIOp, arith::OrIOp, arith::XOrIOp>(combiner) && step.keepsZero)
    return "0";
  if (!step.keepsAll)
    return {};
  if (isa<arith::MaxNumFOp, arith::MaximumFOp>(combiner))
    return "float(\"-inf\")";
  return isa<arith::MinNumFOp, arith::MinimumFOp>(combiner) ? "float(\"inf\")" : "";
}

/// A loop's results, and the arguments of its body, come from its initial values and from the end
/// of its body.
static SmallVector<Value> sourcesOfCarried(scf::ForOp loop, unsigned index) {
  return {loop.getInitArgs()[index], loop.getYieldedValues()[index]};
}

/// What the value is made of.
static SmallVector<Value> sourcesOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    op = value.getParentBlock()->getParentOp();
    // Arguments of the kernel and numbers of iterations are made of nothing.
    if (isa<tt::FuncOp>(op))
      return {};
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return argument.getArgNumber() == 0 ? SmallVector<Value>()
                                          : sourcesOfCarried(loop, argument.getArgNumber() - 1);
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    return sourcesOfCarried(loop, cast<OpResult>(value).getResultNumber());
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    const unsigned index = cast<OpResult>(value).getResultNumber();
    return {branch.thenYield().getOperand(index), branch.elseYield().getOperand(index)};
  }
  SmallVector<Value> sources(op->getOperands());
  if (!isReduction(op))
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (!block.empty())
          llvm::append_range(sources, block.back().getOperands());
  return sources;
}

static bool isUndefinedLoad(Operation *op) {
  auto load = dyn_cast_or_null<tt::LoadOp>(op);
  return load && load.getMask() && !load.getOther();
}

static Step stepTo(Value source, const Step &step) {
  Operation *op = step.value.getDefiningOp();
  if (op && isReduction(op))
    return {source, op};
  Step next = step;
  next.value = source;
  const bool isCopy = !op || op->getNumRegions() > 0 || keepsElements(op);
  next.keepsAll &= isCopy;
  next.keepsZero &= isCopy || isa<arith::MulFOp, arith::MulIOp>(op);
  return next;
}

static void note(const Step &step, FileTable &files, std::map<SourceRange, UndefinedLoad> &found) {
  const std::vector<SourceRange> ranges = sourceRanges(step.value.getLoc(), files);
  if (ranges.empty())
    return;
  const bool isNew = !found.contains(ranges.front());
  UndefinedLoad &load = found[ranges.front()];
  load.range = ranges.front();
  if (!step.reduction)
    return;
  const std::string neutral = neutralFor(step);
  // Two reductions may need different values.
  load.neutral = isNew || !load.isReduced || load.neutral == neutral ? neutral : "";
  load.isReduced = true;
}

std::vector<UndefinedLoad> undefinedLoads(Operation *module, const SourceRange &place,
                                          FileTable &files) {
  std::vector<Step> open;
  module->walk([&](Operation *op) {
    if (isa<tt::StoreOp, tt::LoadOp, tt::AtomicRMWOp, tt::AtomicCASOp>(op) &&
        llvm::is_contained(sourceRanges(op->getLoc(), files), place))
      for (Value operand : op->getOperands())
        open.push_back({operand});
    else if (isa<scf::IfOp, scf::ConditionOp>(op) &&
             llvm::is_contained(sourceRanges(op->getLoc(), files), place))
      open.push_back({op->getOperand(0)});
  });
  std::map<SourceRange, UndefinedLoad> found;
  std::set<std::tuple<void *, void *, bool, bool>> seen;
  while (!open.empty()) {
    const Step step = open.back();
    open.pop_back();
    if (!seen.insert(
                 {step.value.getAsOpaquePointer(), step.reduction, step.keepsZero, step.keepsAll})
             .second)
      continue;
    Operation *op = step.value.getDefiningOp();
    if (isUndefinedLoad(op))
      note(step, files, found);
    // A loaded value is not made of the pointer that it was loaded from.
    if (!op || !isa<tt::LoadOp>(op))
      for (Value source : sourcesOf(step.value))
        open.push_back(stepTo(source, step));
  }
  std::vector<UndefinedLoad> loads;
  for (auto &[range, load] : found)
    loads.push_back(std::move(load));
  return loads;
}

} // namespace tilescope::compiler
