// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_cpu/LeftOutLoads.h"

#include "compiler/conversion/tt_to_cpu/Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>

using namespace mlir;

namespace tilescope::cpu {
namespace {

/// A condition on the elements of a block: a value, and the operations that give its elements their
/// places in the block, the first one first.
struct Condition {
  Value value;
  SmallVector<Operation *, 4> ways;
};

/// Where a value is undefined: where a condition does not hold; nothing: anywhere.
using Defined = std::optional<Condition>;

} // namespace

static bool movesElements(Operation *op) {
  return isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::TransOp>(op);
}

static ArrayRef<int64_t> shapeOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getShape() : ArrayRef<int64_t>();
}

/// Whether both do the same to blocks of any type.
static bool movesAlike(Operation *left, Operation *right) {
  return left->getName() == right->getName() &&
         left->getAttrDictionary() == right->getAttrDictionary() &&
         shapeOf(left->getResult(0)) == shapeOf(right->getResult(0));
}

/// Whether both values are computed in one way from the same values.
static bool isSame(Value left, Value right, int depth = 8) {
  if (left == right)
    return true;
  Operation *a = left.getDefiningOp(), *b = right.getDefiningOp();
  if (!a || !b || depth == 0 || a->getName() != b->getName() || left.getType() != right.getType() ||
      a->getNumRegions() != 0 || a->getNumResults() != 1 || !isMemoryEffectFree(a) ||
      a->getAttrDictionary() != b->getAttrDictionary() ||
      a->getNumOperands() != b->getNumOperands())
    return false;
  return llvm::all_of(llvm::zip(a->getOperands(), b->getOperands()), [&](auto pair) {
    return isSame(std::get<0>(pair), std::get<1>(pair), depth - 1);
  });
}

static bool isSame(const Condition &left, const Condition &right) {
  return left.ways.size() == right.ways.size() && isSame(left.value, right.value) &&
         llvm::all_of(llvm::zip(left.ways, right.ways),
                      [](auto pair) { return movesAlike(std::get<0>(pair), std::get<1>(pair)); });
}

/// Appends the conditions that hold together where this one does.
static void takeApart(const Condition &condition, SmallVectorImpl<Condition> &parts) {
  Operation *op = condition.value.getDefiningOp();
  if (op && movesElements(op)) {
    Condition source{op->getOperand(0), condition.ways};
    source.ways.insert(source.ways.begin(), op);
    return takeApart(source, parts);
  }
  if (op && isa<arith::AndIOp>(op)) {
    for (Value operand : op->getOperands())
      takeApart({operand, condition.ways}, parts);
    return;
  }
  parts.push_back(condition);
}

/// Whether the second holds wherever the first does. A null value holds everywhere.
static bool implies(Value mask, const Condition &condition) {
  SmallVector<Condition> known, wanted;
  if (mask)
    takeApart({mask, {}}, known);
  takeApart(condition, wanted);
  return llvm::all_of(wanted, [&](const Condition &each) {
    if (auto constant = each.value.getDefiningOp<arith::ConstantOp>())
      if (auto all = dyn_cast<SplatElementsAttr>(constant.getValue());
          all && all.getSplatValue<APInt>().isOne())
        return true;
    return llvm::any_of(known, [&](const Condition &other) { return isSame(other, each); });
  });
}

namespace {

/// Follows what one load leaves out.
class Leak {
public:
  /// Whether it may reach anything.
  bool isFrom(tt::LoadOp load);

private:
  void taint(Value value, const Defined &defined);
  void follow(OpOperand &use, const Defined &defined);
  void followInto(Operation *op, const Defined &defined);
  void followYield(OpOperand &use, const Defined &defined);
  void followPicked(OpOperand &use, Value condition, const Defined &defined);
  /// It reaches what is executed under a mask.
  void reach(Value mask, const Defined &defined) {
    m_leaks |= !defined || !implies(mask, *defined);
  }

  /// Loops come back: no value is followed in more ways than this.
  static constexpr size_t kMostWays = 4;
  llvm::DenseMap<Value, SmallVector<Defined, 2>> m_known;
  SmallVector<std::pair<Value, Defined>> m_work;
  bool m_leaks = false;
};

} // namespace

void Leak::taint(Value value, const Defined &defined) {
  SmallVector<Defined, 2> &known = m_known[value];
  const auto isKnown = [&](const Defined &other) {
    return !other || (defined && isSame(*other, *defined));
  };
  if (llvm::any_of(known, isKnown))
    return;
  const Defined kept = known.size() < kMostWays ? defined : std::nullopt;
  known.push_back(kept);
  m_work.emplace_back(value, kept);
}

bool Leak::isFrom(tt::LoadOp load) {
  taint(load.getResult(), Condition{load.getMask(), {}});
  while (!m_work.empty() && !m_leaks) {
    const auto [value, defined] = m_work.pop_back_val();
    for (OpOperand &use : value.getUses())
      follow(use, defined);
  }
  return m_leaks;
}

void Leak::followInto(Operation *op, const Defined &defined) {
  for (Value result : op->getResults())
    taint(result, defined);
}

/// Only where the condition picks it, an element matters.
void Leak::followPicked(OpOperand &use, Value condition, const Defined &defined) {
  if (!defined || !implies(condition, *defined))
    taint(use.getOwner()->getResult(0), defined);
}

/// A later round has other conditions than the one that has computed the value.
static bool holdsOutside(const Defined &defined, Operation *loop) {
  if (!defined)
    return false;
  Value value = defined->value;
  return !loop->isAncestor(value.getParentBlock()->getParentOp());
}

void Leak::followYield(OpOperand &use, const Defined &defined) {
  Operation *parent = use.getOwner()->getParentOp();
  const unsigned index = use.getOperandNumber();
  if (auto loop = dyn_cast<scf::ForOp>(parent)) {
    const Defined outside = holdsOutside(defined, loop) ? defined : std::nullopt;
    taint(loop.getRegionIterArg(index), outside);
    return taint(loop.getResult(index), outside);
  }
  if (isa<scf::IfOp>(parent))
    return taint(parent->getResult(index), defined);
  // Loops with conditions, and functions that combine.
  m_leaks = true;
}

void Leak::follow(OpOperand &use, const Defined &defined) {
  Operation *op = use.getOwner();
  if (auto store = dyn_cast<tt::StoreOp>(op))
    return reach(store.getMask(), defined);
  if (auto load = dyn_cast<tt::LoadOp>(op)) {
    if (load.getOther() == use.get())
      followInto(op, defined);
    if (load.getPtr() == use.get() || load.getMask() == use.get())
      reach(load.getMask(), defined);
    return;
  }
  if (auto atomic = dyn_cast<tt::AtomicRMWOp>(op))
    return reach(atomic.getMask(), defined);
  if (auto select = dyn_cast<arith::SelectOp>(op); select && use.getOperandNumber() == 1)
    return followPicked(use, select.getCondition(), defined);
  // A false operand decides, whatever the other is.
  if (isa<arith::AndIOp>(op) && getElementTypeOrSelf(use.get().getType()).isInteger(1))
    return followPicked(use, op->getOperand(1 - use.getOperandNumber()), defined);
  if (isElementwise(op))
    return followInto(op, defined);
  if (movesElements(op)) {
    Defined moved = defined;
    if (moved)
      moved->ways.push_back(op);
    return followInto(op, moved);
  }
  if (isa<scf::YieldOp>(op))
    return followYield(use, defined);
  if (auto loop = dyn_cast<scf::ForOp>(op); loop && use.getOperandNumber() >= 3) {
    const unsigned index = use.getOperandNumber() - 3;
    taint(loop.getRegionIterArg(index), defined);
    return taint(loop.getResult(index), defined);
  }
  // What decides, what has regions, and what nobody has thought of.
  if (op->getNumRegions() != 0 && !isa<tt::ReduceOp, tt::ScanOp>(op)) {
    m_leaks = true;
    return;
  }
  m_leaks |= op->getNumResults() == 0 || isa<tt::AtomicCASOp, tt::AtomicPollOp>(op);
  followInto(op, std::nullopt);
}

llvm::DenseSet<Operation *> leakingLoads(tt::FuncOp kernel) {
  llvm::DenseSet<Operation *> leaking;
  kernel.walk([&](tt::LoadOp load) {
    if (load.getMask() && !load.getOther() && Leak().isFrom(load))
      leaking.insert(load);
  });
  return leaking;
}

} // namespace tilescope::cpu
