// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/KernelRoundings.h"

#include "compiler/interpreter/AddressSlice.h"
#include "compiler/interpreter/ArgumentUses.h"
#include "compiler/pipeline/FloatingNumbers.h"
#include "compiler/pipeline/KernelStores.h"
#include "compiler/pipeline/SumDepths.h"

#include "llvm/ADT/DenseSet.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include <map>
#include <optional>
#include <set>

using namespace mlir;

namespace tilescope::compiler {
namespace {

/// What is rounded counts for operations, or for factors where it stands behind one.
enum class Part : uint8_t { Operations, Factors };

/// An argument that the kernel stores to.
struct StoredArgument {
  /// What it rounds to then.
  Precision precision;
  SmallVector<Operation *> stores;
};
using StoredArguments = std::map<unsigned, StoredArgument>;

/// Values on the way to a store, from the last to the first.
class Walk {
public:
  Walk(tt::FuncOp kernel, const StoredArguments &stored, const SumThreads &threads,
       const LaunchNumbers &launch)
      : m_kernel(kernel), m_stored(stored), m_threads(threads), m_launch(launch) {
    kernel.walk([&](Operation *op) {
      m_waitsForOthers |= isa<tt::AtomicRMWOp, tt::AtomicCASOp, tt::DescriptorReduceOp>(op);
    });
  }

  /// What is stored: its own rounding is that of the type.
  /// `isResult`: nothing is added to it, and the kernel does not load it again.
  void addStored(Value value, bool isResult);
  void addSums(Type type);
  RoundingFacts take();

private:
  using Place = std::pair<Value, unsigned>;

  void need(Value value, Part part) {
    if (m_seen.insert({value, static_cast<unsigned>(part)}).second)
      m_waiting.push_back({value, static_cast<unsigned>(part)});
  }
  void needAll(ValueRange values, Part part) {
    for (Value value : values)
      need(value, part);
  }
  void visit(Value value, Part part);
  void visitArgument(BlockArgument argument, Part part);
  void visitOperation(Operation *op, unsigned result, Part part);
  void visitProduct(Operation *op, Value left, Value right, Value sum, Part part);
  void visitLoad(Operation *load, Value pointer, Part part);
  void visitCombination(Operation *op, Part part);
  void addRounding(Operation *op, Part part);
  void addSteps(Operation *op, const Precision &precision, const SumSteps &steps);
  /// Control that is not followed: all of the kernel counts.
  void addEverything();

  tt::FuncOp m_kernel;
  const StoredArguments &m_stored;
  /// Programs may wait for what others store.
  bool m_waitsForOthers = false;
  const SumThreads &m_threads;
  const LaunchNumbers &m_launch;
  RoundingFacts m_facts;
  /// Operations whose steps are counted.
  llvm::DenseSet<Operation *> m_counted;
  llvm::DenseSet<Place> m_seen;
  SmallVector<Place> m_waiting;
  bool m_hasEverything = false;
};

} // namespace

/// Null: not a floating type.
static FloatType floatOf(Type type) { return dyn_cast<FloatType>(getElementTypeOrSelf(type)); }

static Precision formatOf(FloatType kind) {
  const llvm::fltSemantics &semantics = kind.getFloatSemantics();
  llvm::APFloat smallest = llvm::APFloat::getSmallestNormalized(semantics);
  bool losesInfo = false;
  smallest.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return {std::ldexp(1.0, 1 - int(kind.getFPMantissaWidth())), smallest.convertToDouble(), false};
}

/// Nothing where the type is as good as fp32.
static Precision precisionOf(Type type) {
  FloatType kind = floatOf(type);
  return kind && kind.getWidth() < 32 ? formatOf(kind) : Precision();
}

static void refine(Precision &precision, const Precision &other) {
  if (precision.epsilon == 0 || other.epsilon < precision.epsilon)
    precision = other;
}

static void coarsen(Precision &precision, const Precision &other) {
  if (other.epsilon > precision.epsilon)
    precision = other;
}

/// Results are operands, or have none of their bits.
static bool isExact(Operation *op) {
  // A number with the other sign is 0 less that.
  if (isa<arith::SubFOp>(op) && matchPattern(op->getOperand(0), m_AnyZeroFloat()))
    return true;
  return isa<tt::SplatOp, tt::UnsplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::TransOp,
             tt::ReshapeOp, tt::CatOp, tt::JoinOp, tt::SplitOp, tt::GatherOp, tt::BitcastOp,
             tt::ClampFOp, arith::SelectOp, arith::BitcastOp, arith::ConstantOp, arith::MaximumFOp,
             arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp, arith::NegFOp, arith::ExtFOp,
             math::AbsFOp, math::FloorOp, math::CeilOp>(op);
}

static bool isMoved(Operation *op) {
  return isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::TransOp, tt::ReshapeOp>(op);
}

/// Between floating types.
static bool isConversion(Operation *op) { return isa<arith::TruncFOp, tt::FpToFpOp>(op); }

static bool isWidening(Operation *op) {
  FloatType from = floatOf(op->getOperand(0).getType());
  return from &&
         from.getFPMantissaWidth() <= floatOf(op->getResult(0).getType()).getFPMantissaWidth();
}

/// What an operation that only moves elements moves.
static Value unmoved(Value value) {
  while (value.getDefiningOp() && isMoved(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

/// A term may pass all that are on its way.
void Walk::addSteps(Operation *op, const Precision &precision, const SumSteps &steps) {
  if (!m_counted.insert(op).second)
    return;
  SumSteps &all = m_facts.steps;
  coarsen(all.precision, precision);
  all.depth += steps.depth;
  all.squares += steps.squares;
}

void Walk::addRounding(Operation *op, Part part) {
  const Precision precision = precisionOf(op->getResult(0).getType());
  if (const std::optional<double> number = constantOf(op); number && precision.epsilon > 0)
    if (const NarrowNumber narrow{*number, precision.epsilon};
        !llvm::is_contained(m_facts.numbers, narrow))
      m_facts.numbers.push_back(narrow);
  if (precision.epsilon == 0 || isExact(op))
    return;
  if (isConversion(op) && isWidening(op))
    return;
  // Small integers are held as they are.
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op) &&
      getElementTypeOrSelf(op->getOperand(0).getType()).getIntOrFloatBitWidth() <= 8 &&
      precision.epsilon <= 1.0 / 128)
    return;
  coarsen(part == Part::Factors ? m_facts.factors : m_facts.operations, precision);
  if (!isa<arith::AddFOp, arith::SubFOp, math::FmaOp>(op))
    return;
  const std::optional<SumSteps> steps = stepsOfAddition(op, m_launch);
  if (steps && steps->depth > 0)
    addSteps(op, precision, *steps);
  else if (steps)
    coarsen(m_facts.sums, precision);
}

void Walk::addSums(Type type) { coarsen(m_facts.sums, precisionOf(type)); }

/// The conversion to a narrower type whose result is only widened again: `y.to(tl.bfloat16)` that is stored
/// as fp32. Null: there is none.
static Operation *lastNarrowing(Operation *op) {
  const bool isWidened =
      isa_and_nonnull<arith::ExtFOp>(op) || (op && isConversion(op) && isWidening(op));
  Operation *inner = isWidened ? unmoved(op->getOperand(0)).getDefiningOp() : nullptr;
  return inner && isConversion(inner) && !isWidening(inner) ? inner : nullptr;
}

void Walk::addStored(Value value, bool isResult) {
  value = unmoved(value);
  Operation *op = value.getDefiningOp();
  if (Operation *narrowing = isResult ? lastNarrowing(op) : nullptr) {
    coarsen(m_facts.stored, precisionOf(narrowing->getResult(0).getType()));
    return needAll(narrowing->getOperands(), Part::Operations);
  }
  const bool isLast = op && op->getNumRegions() == 0 && floatOf(value.getType()) &&
                      precisionOf(value.getType()).epsilon > 0 && !isExact(op) &&
                      !isa<tt::DotOp, tt::DotScaledOp, tt::LoadOp>(op) &&
                      !(isConversion(op) && isWidening(op));
  if (isLast)
    needAll(op->getOperands(), Part::Operations);
  else
    need(value, Part::Operations);
}

/// The type that a factor is loaded as; null: it is computed, or of integers.
static FloatType loadedType(Value factor) {
  const Value source = unmoved(factor);
  Operation *op = source.getDefiningOp();
  return op && isa<tt::LoadOp, tt::DescriptorLoadOp>(op) ? floatOf(source.getType()) : FloatType();
}

/// A product's factors may be rounded by who multiplies, its sums by how it adds up.
void Walk::visitProduct(Operation *op, Value left, Value right, Value sum, Part part) {
  addSums(op->getResult(0).getType());
  FloatType factor = floatOf(left.getType());
  // Tensor cores add up products of fp8 with fewer bits than fp32 has.
  if (factor && factor.getWidth() == 8)
    coarsen(m_facts.sums, {0x1p-13, 0x1p-126, false});
  auto dot = dyn_cast<tt::DotOp>(op);
  if (dot && factor && factor.isF32() && dot.getInputPrecision() == tt::InputPrecision::TF32)
    coarsen(m_facts.factors, {0x1p-10, 0x1p-126, true});
  const FloatType first = loadedType(left), second = loadedType(right);
  for (const FloatType loaded : {first, second})
    if (first && second)
      refine(m_facts.plainFactors, formatOf(loaded));
  need(left, Part::Factors);
  need(right, Part::Factors);
  if (sum)
    need(sum, part);
}

/// Memory that the kernel stores to holds what was rounded, but for loads that come before all stores. Where
/// programs do not wait for others, these do not see what others store either: that would be a race.
void Walk::visitLoad(Operation *load, Value pointer, Part part) {
  const std::optional<unsigned> argument = interpreter::argumentOf(pointer);
  for (const auto &[index, stored] : m_stored) {
    const bool isBefore = !m_waitsForOthers && llvm::all_of(stored.stores, [&](Operation *store) {
      return comesBefore(load, store);
    });
    if ((!argument || index == *argument) && !isBefore)
      coarsen(part == Part::Factors ? m_facts.factors : m_facts.operations, stored.precision);
  }
}

void Walk::visitCombination(Operation *op, Part part) {
  Precision precision;
  op->getRegion(0).walk([&](Operation *each) {
    if (each->getNumResults() > 0 && !isExact(each))
      coarsen(precision, precisionOf(each->getResult(0).getType()));
  });
  if (precision.epsilon == 0)
    return;
  addSteps(op, precision, stepsOfReduction(op, m_threads));
  if (part == Part::Factors)
    coarsen(m_facts.factors, precision);
}

void Walk::addEverything() {
  if (std::exchange(m_hasEverything, true))
    return;
  m_kernel.walk([&](Operation *op) {
    if (auto dot = dyn_cast<tt::DotOp>(op))
      return visitProduct(op, dot.getA(), dot.getB(), dot.getC(), Part::Operations);
    for (Value result : op->getResults())
      if (floatOf(result.getType())) {
        addRounding(op, Part::Operations);
        break;
      }
  });
}

void Walk::visitArgument(BlockArgument argument, Part part) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (parent == m_kernel && argument.getOwner()->isEntryBlock())
    return;
  if (auto loop = dyn_cast<scf::ForOp>(parent)) {
    if (OpOperand *init = loop.getTiedLoopInit(argument)) {
      need(init->get(), part);
      need(loop.getTiedLoopYieldedValue(argument)->get(), part);
    }
    return;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
    const unsigned index = argument.getArgNumber();
    if (argument.getOwner() == loop.getBeforeBody()) {
      need(loop.getInits()[index], part);
      need(loop.getYieldOp().getOperand(index), part);
    } else {
      need(loop.getConditionOp().getArgs()[index], part);
    }
    return;
  }
  addEverything();
}

void Walk::visitOperation(Operation *op, unsigned result, Part part) {
  if (auto dot = dyn_cast<tt::DotOp>(op))
    return visitProduct(op, dot.getA(), dot.getB(), dot.getC(), part);
  if (auto dot = dyn_cast<tt::DotScaledOp>(op))
    return visitProduct(op, dot.getA(), dot.getB(), dot.getC(), part);
  if (auto load = dyn_cast<tt::LoadOp>(op)) {
    if (load.getOther())
      need(load.getOther(), part);
    return visitLoad(op, load.getPtr(), part);
  }
  if (isa<tt::AtomicRMWOp, tt::AtomicCASOp, tt::DescriptorLoadOp, tt::DescriptorGatherOp>(op))
    return visitLoad(op, op->getOperand(0), part);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return need(loop.getRegionIterArg(result), part);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return need(loop.getConditionOp().getArgs()[result], part);
  if (auto conditional = dyn_cast<scf::IfOp>(op)) {
    need(conditional.thenYield().getOperand(result), part);
    return need(conditional.elseYield().getOperand(result), part);
  }
  if (isa<tt::ReduceOp, tt::ScanOp>(op)) {
    visitCombination(op, part);
    return needAll(op->getOperands(), part);
  }
  if (op->getNumRegions() > 0 || isa<tt::CallOp>(op))
    return addEverything();
  if (floatOf(op->getResult(result).getType()))
    addRounding(op, part);
  needAll(op->getOperands(), part);
}

void Walk::visit(Value value, Part part) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return visitArgument(argument, part);
  visitOperation(value.getDefiningOp(), cast<OpResult>(value).getResultNumber(), part);
}

RoundingFacts Walk::take() {
  while (!m_waiting.empty()) {
    const auto [value, part] = m_waiting.pop_back_val();
    visit(value, static_cast<Part>(part));
  }
  return m_facts;
}

/// Whether what an operation leaves in memory depends on what was there.
static bool combinesWithOld(Operation *op) {
  if (auto update = dyn_cast<tt::AtomicRMWOp>(op))
    return update.getAtomicRmwOp() != tt::RMWOp::XCHG;
  return isa<tt::DescriptorReduceOp>(op);
}

std::vector<RoundingFacts> kernelRoundings(tt::FuncOp kernel, const std::vector<std::string> &names,
                                           int numWarps, const LaunchNumbers &launch,
                                           FileTable &files) {
  std::map<unsigned, SmallVector<Written>> written;
  std::map<unsigned, std::set<SourceRange>> places;
  StoredArguments stored;
  kernel.walk([&](Operation *op) {
    const std::optional<Written> found = writtenBy(op);
    for (const unsigned index : found ? targetsOf(found->pointer, kernel) : SmallVector<unsigned>())
      if (index < names.size()) {
        written[index].push_back(*found);
        if (const std::vector<SourceRange> ranges = sourceRanges(op->getLoc(), files);
            !ranges.empty())
          places[index].insert(ranges.front());
        coarsen(stored[index].precision, precisionOf(found->value.getType()));
        stored[index].stores.push_back(op);
      }
  });
  const SumThreads threads = sumThreads(kernel, numWarps);
  const bool isIntegral = !hasFloats(kernel);
  const std::vector<interpreter::ArgumentUse> uses =
      interpreter::argumentUses(kernel, kernel->getParentOfType<ModuleOp>());
  std::vector<RoundingFacts> all;
  for (const auto &[index, values] : written) {
    Walk walk(kernel, stored, threads, launch);
    for (const Written &each : values) {
      walk.addStored(each.value, !each.isAdded && !uses[index].isLoaded && !uses[index].isUpdated);
      if (each.isAdded)
        walk.addSums(each.value.getType());
    }
    all.push_back(walk.take());
    all.back().argument = names[index];
    all.back().isIntegral = isIntegral;
    all.back().isBuiltOn = uses[index].isLoaded || uses[index].isUpdated;
    all.back().isOnlyUpdated =
        !uses[index].isLoaded && llvm::all_of(stored[index].stores, combinesWithOld);
    all.back().stores.assign(places[index].begin(), places[index].end());
  }
  return all;
}

} // namespace tilescope::compiler
