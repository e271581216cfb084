// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/UndefinedLoads.h"

#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/pipeline/Fillers.h"
#include "compiler/pipeline/IrText.h"
#include "compiler/pipeline/MaskedLines.h"
#include "compiler/pipeline/RealConstant.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

#include <algorithm>
#include <map>
#include <optional>
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
  /// What an element must be here to leave the reduction as it is.
  Filler filler = Filler::Unknown;
  /// Something else is computed on the way from it to what is stored.
  bool isComputed = false;
  /// Another number may suit the reduction as well: the maximum that a softmax subtracts, or a product
  /// whose other factor is 0.
  bool isDoubtful = false;
  /// Where the number that suits is known behind, but depends on the other operand in front: `x - mean`.
  Operation *lost = nullptr;
  /// What an element must be behind it.
  Filler lostFiller = Filler::Unknown;
  /// From there on only what keeps elements, and their places.
  bool isAligned = false;
  /// The way went through a choice between elements, which may be a mask.
  bool isSelected = false;
  /// Of the product of matrices where it is lost.
  bool isLeftFactor = false;
  /// What another reduction leads to is subtracted from it, which may be the share of such elements.
  bool isCorrected = false;
  /// So it is with what the reduction returns.
  bool isReductionCorrected = false;
};
} // namespace

static llvm::ArrayRef<int64_t> getShape(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getShape() : llvm::ArrayRef<int64_t>();
}

static std::string fillerCode(const Step &step) { return fillerCode(step.filler, step.value); }

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

static bool isUndefinedLoad(tt::LoadOp load) { return load.getMask() && !load.getOther(); }

/// Whether an operation computes something else of an element than what it is.
static bool computes(Operation *op) {
  return op && op->getNumRegions() == 0 && !keepsElements(op) &&
         !isa<arith::SelectOp, arith::MaxNumFOp, arith::MinNumFOp, arith::SIToFPOp, arith::UIToFPOp,
              arith::FPToSIOp, arith::FPToUIOp, arith::TruncIOp, arith::BitcastOp, tt::BitcastOp>(
             op);
}

/// Whether the elements of a result are those of the operand `source` at the same places, or made of them.
static bool keepsPlaces(Operation *op, Value source) {
  return op && op->getNumResults() == 1 && op->getNumRegions() == 0 &&
         !isa<tt::DotOp, tt::TransOp, tt::ReshapeOp, tt::GatherOp, arith::SelectOp>(op) &&
         isa<RankedTensorType>(source.getType()) && getShape(source) == getShape(op->getResult(0));
}

static Step stepTo(Value source, const Step &step) {
  Operation *op = step.value.getDefiningOp();
  if (op && isReduction(op)) {
    // Whatever is done with a sum, it is another one.
    const Filler filler = fillerOf(op);
    const bool isSum = filler == Filler::Zero;
    Step next{source, op, filler, step.isComputed || isSum,
              (step.isComputed && !isSum) || step.isCorrected};
    // The largest of numbers that are never negative needs no more than 0.
    next.isDoubtful |=
        isInfinite(filler) && isa<IntegerType>(getElementTypeOrSelf(source.getType()));
    // What is summed along one axis, and masked along the other: no summand makes the sum infinite.
    if (step.reduction && isSum && isInfinite(step.filler) && !step.isSelected) {
      next.lost = op;
      next.lostFiller = step.filler;
      next.isAligned = true;
    }
    return next;
  }
  // A product of matrices sums over one axis of either factor.
  if (auto dot = dyn_cast_or_null<tt::DotOp>(op); dot && source != dot.getC()) {
    Step next{source, op, Filler::Zero, true, true};
    next.isReductionCorrected = step.isCorrected || step.isReductionCorrected;
    return next;
  }
  const bool isProduct =
      isa_and_nonnull<arith::MulFOp, arith::MulIOp>(op) && op->getOperand(0) != op->getOperand(1);
  Step next = step;
  next.value = source;
  next.filler = before(op, source, step.filler);
  if (dropsFound(op, source, step.filler))
    next.filler = step.filler;
  // 0 * log(0) is not 0.
  if (isProduct && step.filler == Filler::Zero && llvm::any_of(op->getOperands(), hasPoleAtZero))
    next.filler = Filler::Unknown;
  next.isComputed |= computes(op) && !combinesExtremes(op);
  next.isDoubtful |= isProduct || dependsOnSign(op, source, step.filler);
  next.isSelected |= isa_and_nonnull<arith::SelectOp>(op);
  next.isCorrected |= isa_and_nonnull<arith::SubFOp>(op) && source == op->getOperand(0) &&
                      !combinesExtremes(op) && isOfReduction(op->getOperand(1), true);
  const bool isDot = isa_and_nonnull<tt::DotOp>(op);
  if (step.lost) {
    next.isAligned &= keepsPlaces(op, source);
  } else if (step.filler != Filler::Unknown && next.filler == Filler::Unknown && !next.isSelected &&
             (isDot ? isInfinite(step.filler) : keepsPlaces(op, source))) {
    next.lost = op;
    next.lostFiller = step.filler;
    next.isAligned = true;
    next.isLeftFactor = isDot && source == op->getOperand(0);
  }
  return next;
}

/// Whether a masked-off element is one that the reduction counts, whatever the data are.
static bool isCertainlyCounted(const Step &step) {
  return !step.isDoubtful && step.lostFiller == Filler::Zero &&
         isa<arith::SubFOp, arith::AddFOp>(step.lost) &&
         llvm::any_of(step.lost->getOperands(), [](Value value) { return isOfReduction(value); });
}

static std::optional<LostFiller> lostFiller(tt::LoadOp load, const Step &step, FileTable &files) {
  const std::vector<SourceRange> loads = sourceRanges(load.getLoc(), files);
  if (!step.lost || !step.isAligned || !load.getMask() || loads.empty() || !step.reduction)
    return std::nullopt;
  // `tl.sum(x)` itself, not what the library makes of it.
  const std::vector<SourceRange> places = sourceRanges(step.lost->getLoc(), files);
  const auto own = std::ranges::find(places, 0u, &SourceRange::file);
  if (own == places.end())
    return std::nullopt;
  LostFiller lost{loads.front(), loads, *own, fillerCode(step.lostFiller, step.lost->getResult(0))};
  if (auto reduce = dyn_cast<tt::ReduceOp>(step.lost))
    lost.summedAxis = static_cast<int>(reduce.getAxis());
  if (auto reduce = dyn_cast<tt::ReduceOp>(step.reduction))
    lost.axis = static_cast<int>(reduce.getAxis());
  lost.isDot = isa<tt::DotOp>(step.lost);
  if (lost.isDot)
    lost.summedAxis = step.isLeftFactor ? 1 : 0;
  // The other factor's mask is along the other axis of the product.
  if (lost.isDot && lost.axis == lost.summedAxis)
    return std::nullopt;
  lost.isCertain = isCertainlyCounted(step);
  return lost;
}

static void note(tt::LoadOp access, const Step &step, FileTable &files,
                 std::map<SourceRange, UndefinedLoad> &found) {
  const std::vector<SourceRange> ranges = sourceRanges(step.value.getLoc(), files);
  if (ranges.empty())
    return;
  UndefinedLoad &load = found[ranges.front()];
  load.range = ranges.front();
  if (!step.reduction)
    return;
  load.isChosen |= step.isSelected;
  if (step.isSelected)
    return;
  const std::string neutral = fillerCode(step);
  if (std::optional<LostFiller> lost =
          neutral.empty() ? lostFiller(access, step, files) : std::nullopt) {
    // Put right there, it is nothing that `other` must care for.
    if (!load.lost || lost->place < load.lost->place)
      load.lost = std::move(lost);
    load.isReduced = true;
    return;
  }
  // Two reductions may need different values.
  const bool isFirst = !load.isReduced || (load.lost && load.neutral.empty() && !load.isUntold);
  load.neutral = isFirst || load.neutral == neutral ? neutral : "";
  load.isUntold = load.neutral.empty();
  load.isReduced = true;
  // `tl.sum(x)` itself, not what the library makes of it.
  const std::vector<SourceRange> places = sourceRanges(step.reduction->getLoc(), files);
  const auto own = std::ranges::find(places, 0u, &SourceRange::file);
  if (own == places.end())
    return;
  load.reduction = *own;
  const auto at = std::ranges::lower_bound(load.needed, *own, {}, &NeededFiller::reduction);
  if (!neutral.empty() && (at == load.needed.end() || at->reduction != *own))
    load.needed.insert(at, {*own, neutral});
}

/// Goes back from `open` to the loads, and visits each with the step that leads to it.
template <typename F> static void traceLoads(std::vector<Step> open, const F &visit) {
  std::set<std::tuple<void *, void *, Filler, bool, bool, void *, bool, bool, bool, bool>> seen;
  while (!open.empty()) {
    const Step step = open.back();
    open.pop_back();
    const auto [known, isNew] =
        seen.insert({step.value.getAsOpaquePointer(), step.reduction, step.filler, step.isComputed,
                     step.isDoubtful, step.lost, step.isAligned, step.isSelected, step.isCorrected,
                     step.isReductionCorrected});
    if (!isNew)
      continue;
    Operation *op = step.value.getDefiningOp();
    // A loaded value is not made of the pointer that it was loaded from.
    if (auto load = dyn_cast_or_null<tt::LoadOp>(op))
      visit(load, step);
    else
      for (Value source : sourcesOf(step.value))
        open.push_back(stepTo(source, step));
  }
}

/// What the kernel stores, and what it updates with.
static std::vector<Step> storedValues(Operation *module) {
  std::vector<Step> open;
  module->walk([&](Operation *op) {
    if (auto store = dyn_cast<tt::StoreOp>(op))
      open.push_back({store.getValue()});
    else if (auto update = dyn_cast<tt::AtomicRMWOp>(op))
      open.push_back({update.getVal()});
  });
  return open;
}

/// What all reductions of what is stored need of the loads.
static std::map<SourceRange, std::set<std::string>> needsOfLoads(Operation *module,
                                                                 FileTable &files) {
  std::map<SourceRange, std::set<std::string>> needs;
  traceLoads(storedValues(module), [&](tt::LoadOp load, const Step &step) {
    const std::vector<SourceRange> ranges = sourceRanges(load.getLoc(), files);
    if (const std::string code = fillerCode(step);
        isUndefinedLoad(load) && step.reduction && !code.empty() && !ranges.empty())
      needs[ranges.front()].insert(code);
  });
  return needs;
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
  traceLoads(std::move(open), [&](tt::LoadOp load, const Step &step) {
    if (isUndefinedLoad(load))
      note(load, step, files, found);
  });
  const std::map<SourceRange, std::set<std::string>> needs = needsOfLoads(module, files);
  std::vector<UndefinedLoad> loads;
  for (auto &[range, load] : found) {
    const auto needed = needs.find(range);
    load.isReduced |= load.isChosen;
    load.isContested = load.isReduced && needed != needs.end() && needed->second.size() > 1;
    loads.push_back(std::move(load));
  }
  return loads;
}

std::vector<UndefinedLoad> undefinedLoads(Operation *module, const InterpreterFinding &finding,
                                          FileTable &files) {
  std::vector<UndefinedLoad> loads = undefinedLoads(module, finding.range, files);
  const auto isSource = [&](const UndefinedLoad &load) {
    return llvm::is_contained(finding.sources, load.range);
  };
  if (llvm::any_of(loads, isSource))
    std::erase_if(loads, [&](const UndefinedLoad &load) { return !isSource(load); });
  return loads;
}

std::string neutralOther(Operation *module, const SourceRange &place, FileTable &files) {
  std::set<std::string> codes;
  traceLoads(storedValues(module), [&](tt::LoadOp load, const Step &step) {
    if (step.reduction && !load.getMask() &&
        llvm::is_contained(sourceRanges(load.getLoc(), files), place))
      codes.insert(fillerCode(step));
  });
  return codes.size() == 1 ? *codes.begin() : std::string();
}

std::vector<CountedFiller> countedFillers(Operation *module, FileTable &files) {
  // What each load needs; nothing where two of its reductions need different values.
  std::map<SourceRange, CountedFiller> needed;
  std::set<SourceRange> unfit;
  traceLoads(storedValues(module), [&](tt::LoadOp load, const Step &step) {
    const std::optional<double> other =
        load.getOther() ? numberConstant(load.getOther()) : std::nullopt;
    const std::vector<SourceRange> ranges = sourceRanges(load.getLoc(), files);
    if (!step.reduction || !other || ranges.empty())
      return;
    if (withoutShape(step.reduction->getOperand(0)) == load.getResult() &&
        isBoundedBehind(step.reduction, *other))
      return;
    const std::string code = fillerCode(step);
    const auto [entry, isNew] = needed.try_emplace(ranges.front());
    CountedFiller &filler = entry->second;
    filler.neutral = isNew || filler.neutral == code ? code : "";
    if (!code.empty())
      filler.needs.insert(code);
    filler.range = ranges.front();
    filler.places = ranges;
    if (fits(*other, step.filler) || leavesOutWholeLines(load, step.reduction))
      return;
    unfit.insert(ranges.front());
    filler.isCertain |= !step.isDoubtful;
    if (!step.isReductionCorrected)
      filler.unfit.push_back({load, step.reduction, step.filler});
  });
  std::vector<CountedFiller> loads;
  for (auto &[range, filler] : needed) {
    // Of the other reductions it is not known what they need.
    const bool isUntold = filler.neutral.empty() && filler.needs.size() < 2;
    filler.isCertain &= !isUntold;
    if (unfit.contains(range) && (!isUntold || !filler.unfit.empty()))
      loads.push_back(std::move(filler));
  }
  return loads;
}

std::vector<LostFiller> lostFillers(Operation *module, FileTable &files) {
  std::map<SourceRange, LostFiller> found;
  traceLoads(storedValues(module), [&](tt::LoadOp load, const Step &step) {
    std::optional<LostFiller> lost = load.getOther() ? lostFiller(load, step, files) : std::nullopt;
    if (!lost)
      return;
    const auto [entry, isNew] = found.try_emplace(lost->place, *lost);
    entry->second.isCertain |= lost->isCertain;
    // Two reductions may need different values.
    if (entry->second.neutral != lost->neutral)
      entry->second.neutral.clear();
  });
  std::vector<LostFiller> lost;
  for (auto &[place, each] : found)
    if (!each.neutral.empty())
      lost.push_back(std::move(each));
  return lost;
}

} // namespace tilescope::compiler
