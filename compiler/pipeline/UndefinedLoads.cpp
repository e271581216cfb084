// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/UndefinedLoads.h"

#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/pipeline/IrText.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
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
enum class Filler { Unknown, Zero, MinusInfinity, Infinity };

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
};
} // namespace

static bool isReduction(Operation *op) { return isa<tt::ReduceOp, tt::ScanOp>(op); }

static bool keepsElements(Operation *op) {
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

static Filler fillerOf(Operation *reduction) {
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

/// What an element of the operand `source` must be for that of the result to be `filler`, whatever
/// numbers the other operands hold: `exp(x - m)` is 0 where `x` is minus infinity.
static Filler before(Operation *op, Value source, Filler filler) {
  if (!op || op->getNumRegions() > 0 || keepsElements(op))
    return filler;
  const bool isInfinite = filler == Filler::MinusInfinity || filler == Filler::Infinity;
  if (isa<math::ExpOp, math::Exp2Op>(op) && filler == Filler::Zero)
    return Filler::MinusInfinity;
  if (isa<arith::MulFOp, arith::MulIOp>(op) && filler == Filler::Zero)
    return Filler::Zero;
  if (isa<arith::AddFOp>(op) && isInfinite)
    return filler;
  // A running maximum; not so `maximum(x, 0)`, where 0 is as good.
  const bool isRunning = (filler == Filler::MinusInfinity && isa<arith::MaxNumFOp>(op)) ||
                         (filler == Filler::Infinity && isa<arith::MinNumFOp>(op));
  if (isRunning && llvm::none_of(op->getOperands(),
                                 [](Value operand) { return matchPattern(operand, m_Constant()); }))
    return filler;
  if (isa<arith::SubFOp>(op) && isInfinite)
    return source == op->getOperand(0) ? filler : opposite(filler);
  return Filler::Unknown;
}

/// `0.0` where a load of floats must be filled with zeros; empty when it is not told.
static std::string fillerCode(const Step &step) {
  switch (step.filler) {
  case Filler::Zero:
    return isa<FloatType>(getElementTypeOrSelf(step.value.getType())) ? "0.0" : "0";
  case Filler::MinusInfinity:
    return "float(\"-inf\")";
  case Filler::Infinity:
    return "float(\"inf\")";
  case Filler::Unknown:
    break;
  }
  return {};
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

static bool isUndefinedLoad(tt::LoadOp load) { return load.getMask() && !load.getOther(); }

/// Whether an operation computes something else of an element than what it is.
static bool computes(Operation *op) {
  return op && op->getNumRegions() == 0 && !keepsElements(op) &&
         !isa<arith::SelectOp, arith::MaxNumFOp, arith::MinNumFOp, arith::SIToFPOp, arith::UIToFPOp,
              arith::FPToSIOp, arith::FPToUIOp, arith::TruncIOp, arith::BitcastOp>(op);
}

static Step stepTo(Value source, const Step &step) {
  Operation *op = step.value.getDefiningOp();
  if (op && isReduction(op)) {
    // Whatever is done with a sum, it is another one.
    const Filler filler = fillerOf(op);
    const bool isSum = filler == Filler::Zero;
    return {source, op, filler, step.isComputed || isSum, step.isComputed && !isSum};
  }
  // A product of matrices sums over one axis of either factor.
  if (auto dot = dyn_cast_or_null<tt::DotOp>(op); dot && source != dot.getC())
    return {source, op, Filler::Zero, true, true};
  const bool isProduct =
      isa_and_nonnull<arith::MulFOp, arith::MulIOp>(op) && op->getOperand(0) != op->getOperand(1);
  return {source, step.reduction, before(op, source, step.filler), step.isComputed || computes(op),
          step.isDoubtful || isProduct};
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
  const std::string neutral = fillerCode(step);
  // Two reductions may need different values.
  load.neutral = isNew || !load.isReduced || load.neutral == neutral ? neutral : "";
  load.isReduced = true;
  // `tl.sum(x)` itself, not what the library makes of it.
  const std::vector<SourceRange> places = sourceRanges(step.reduction->getLoc(), files);
  if (const auto own = std::ranges::find(places, 0u, &SourceRange::file); own != places.end())
    load.reduction = *own;
}

/// Goes back from `open` to the loads, and visits each with the step that leads to it.
template <typename F> static void traceLoads(std::vector<Step> open, const F &visit) {
  std::set<std::tuple<void *, void *, Filler, bool, bool>> seen;
  while (!open.empty()) {
    const Step step = open.back();
    open.pop_back();
    const auto [known, isNew] = seen.insert({step.value.getAsOpaquePointer(), step.reduction,
                                             step.filler, step.isComputed, step.isDoubtful});
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
      note(step, files, found);
  });
  const std::map<SourceRange, std::set<std::string>> needs = needsOfLoads(module, files);
  std::vector<UndefinedLoad> loads;
  for (auto &[range, load] : found) {
    const auto needed = needs.find(range);
    load.isContested = load.isReduced && needed != needs.end() && needed->second.size() > 1;
    loads.push_back(std::move(load));
  }
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

/// The number that all lanes of a value hold, known while compiling.
static std::optional<double> constantOf(Value value) {
  while (auto splat = value.getDefiningOp<tt::SplatOp>())
    value = splat.getSrc();
  DenseElementsAttr elements;
  FloatAttr number;
  if (matchPattern(value, m_Constant(&elements)) && elements.isSplat() &&
      isa<FloatType>(elements.getElementType()))
    return elements.getSplatValue<APFloat>().convertToDouble();
  if (matchPattern(value, m_Constant(&number)))
    return number.getValueAsDouble();
  return std::nullopt;
}

/// Whether a number leaves a reduction as it is that needs `filler`. Very large numbers stand for
/// infinity.
static bool fits(double number, Filler filler) {
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

std::vector<CountedFiller> countedFillers(Operation *module, FileTable &files) {
  // What each load needs; nothing where two of its reductions need different values.
  std::map<SourceRange, CountedFiller> needed;
  std::set<SourceRange> unfit;
  traceLoads(storedValues(module), [&](tt::LoadOp load, const Step &step) {
    const std::optional<double> other =
        load.getOther() ? constantOf(load.getOther()) : std::nullopt;
    const std::vector<SourceRange> ranges = sourceRanges(load.getLoc(), files);
    if (!step.reduction || !other || ranges.empty())
      return;
    const std::string code = fillerCode(step);
    const auto [entry, isNew] = needed.try_emplace(ranges.front());
    CountedFiller &filler = entry->second;
    filler.neutral = isNew || filler.neutral == code ? code : "";
    filler.range = ranges.front();
    filler.places = ranges;
    if (fits(*other, step.filler))
      return;
    unfit.insert(ranges.front());
    filler.isCertain |= !step.isDoubtful;
  });
  std::vector<CountedFiller> loads;
  for (auto &[range, filler] : needed)
    if (unfit.contains(range) && !filler.neutral.empty())
      loads.push_back(std::move(filler));
  return loads;
}

} // namespace tilescope::compiler
