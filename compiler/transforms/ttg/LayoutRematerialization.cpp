// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/transforms/ttg/LayoutRematerialization.h"

#include "compiler/transforms/ttg/ExtendIf.h"
#include "compiler/transforms/ttg/LayoutTransfer.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilescope::ttg {

namespace {

/// How a value comes about in another layout.
enum class Origin {
  /// Its operation is repeated on operands in other layouts.
  Repeated,
  /// A conversion: its source is converted instead.
  Converted,
  LoopArgument,
  LoopResult,
  IfResult,
  /// It cannot be computed again; it is converted.
  Fixed,
};

/// A value carried by a loop; null for others.
scf::ForOp loopOf(BlockArgument argument) {
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  return loop && argument.getArgNumber() >= loop.getNumInductionVars() ? loop : scf::ForOp();
}

Origin originOf(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return loopOf(argument) ? Origin::LoopArgument : Origin::Fixed;
  Operation *op = value.getDefiningOp();
  if (isa<scf::ForOp>(op))
    return Origin::LoopResult;
  if (isa<scf::IfOp>(op))
    return Origin::IfResult;
  if (isa<ConvertLayoutOp>(op))
    return Origin::Converted;
  if (isMadeInAnyLayout(op))
    return Origin::Repeated;
  if (auto load = dyn_cast<tt::LoadOp>(op))
    return isExpensiveAccess(op) || load.getIsVolatile() ? Origin::Fixed : Origin::Repeated;
  return passesLayouts(op) ? Origin::Repeated : Origin::Fixed;
}

/// The encoding that a repeated operation's operand needs.
Attribute neededEncoding(Operation *op, unsigned index, Attribute result) {
  if (isa<tt::LoadOp>(op))
    return result;
  return operandEncoding(op, index, result);
}

bool isBlock(Value value) { return isa<RankedTensorType>(value.getType()); }

/// What it would take to have a value in another layout.
class Plan {
public:
  /// Follows `value` backward; false when an operation on the way cannot do it.
  bool need(Value value, Attribute encoding) {
    if (encodingOf(value.getType()) == encoding)
      return true;
    // A value may be needed in several layouts: each is computed once.
    if (!m_seen.insert({value, encoding}).second)
      return true;
    switch (originOf(value)) {
    case Origin::LoopArgument: {
      auto argument = cast<BlockArgument>(value);
      scf::ForOp loop = loopOf(argument);
      return need(loop.getTiedLoopInit(argument)->get(), encoding) &&
             need(loop.getTiedLoopYieldedValue(argument)->get(), encoding);
    }
    case Origin::LoopResult: {
      auto loop = cast<scf::ForOp>(value.getDefiningOp());
      return need(loop.getTiedLoopRegionIterArg(cast<OpResult>(value)), encoding);
    }
    case Origin::IfResult: {
      auto branch = cast<scf::IfOp>(value.getDefiningOp());
      unsigned index = cast<OpResult>(value).getResultNumber();
      return need(branch.thenYield().getOperand(index), encoding) &&
             need(branch.elseYield().getOperand(index), encoding);
    }
    case Origin::Converted:
      return need(value.getDefiningOp()->getOperand(0), encoding);
    case Origin::Repeated: {
      Operation *op = value.getDefiningOp();
      m_repeated.insert({op, encoding});
      m_users.insert(op);
      for (OpOperand &operand : op->getOpOperands()) {
        if (!isBlock(operand.get()))
          continue;
        Attribute needed = neededEncoding(op, operand.getOperandNumber(), encoding);
        if (!needed || !need(operand.get(), needed))
          return false;
      }
      return true;
    }
    case Origin::Fixed:
      m_converted.push_back({value, encoding});
      return true;
    }
    llvm_unreachable("all origins are handled");
  }

  /// Whether carrying the plan out beats the conversion `root`.
  bool pays(ConvertLayoutOp root) const {
    int64_t saved = conversionCost(root.getSrc().getType(), root.getType().getEncoding());
    int64_t cost = 0;
    for (auto [value, encoding] : m_converted)
      cost += conversionCost(cast<RankedTensorType>(value.getType()), encoding);
    if (!m_converted.empty() && cost >= saved)
      return false;
    for (auto [op, encoding] : m_repeated) {
      int64_t again = computationCost(op, encoding);
      // An operation that nothing else uses moves instead of being computed twice.
      if (isUsedOnlyHere(op, root))
        again -= std::min(again, computationCost(op, encodingOf(op->getResult(0).getType())));
      cost += again;
    }
    return cost <= saved;
  }

private:
  bool isUsedOnlyHere(Operation *op, ConvertLayoutOp root) const {
    return llvm::all_of(op->getUsers(), [&](Operation *user) {
      return user == root || m_users.contains(user) ||
             (isa<scf::YieldOp>(user) && isa<scf::ForOp, scf::IfOp>(user->getParentOp()));
    });
  }

  DenseSet<std::pair<Value, Attribute>> m_seen;
  llvm::SetVector<std::pair<Operation *, Attribute>> m_repeated;
  DenseSet<Operation *> m_users;
  SmallVector<std::pair<Value, Attribute>> m_converted;
};

/// Computes values in other layouts, each once.
class Rematerialization {
public:
  explicit Rematerialization(FunctionOpInterface function) : m_function(function) {}
  ~Rematerialization() {
    for (Operation *op : m_removed)
      op->destroy();
  }

  void run() {
    // Each round can only help the next: conversions that moved up may now meet.
    for (int round = 0; round < 4; ++round) {
      SmallVector<ConvertLayoutOp> conversions;
      m_function.walk([&](ConvertLayoutOp convert) { conversions.push_back(convert); });
      bool changed = false;
      for (ConvertLayoutOp convert : conversions)
        changed |= tryRemove(convert);
      if (!changed)
        return;
    }
  }

private:
  bool tryRemove(ConvertLayoutOp convert) {
    Attribute encoding = convert.getType().getEncoding();
    if (convert.use_empty() || isa<DotOperandEncodingAttr>(encoding))
      return false;
    Plan plan;
    if (!plan.need(convert.getSrc(), encoding) || !plan.pays(convert))
      return false;
    // Converting a value that cannot be computed again is what is done already.
    if (originOf(convert.getSrc()) == Origin::Fixed)
      return false;
    Value value = materialize(convert.getSrc(), encoding);
    convert.getResult().replaceAllUsesWith(value);
    return true;
  }

  Value materialize(Value value, Attribute encoding) {
    if (encodingOf(value.getType()) == encoding)
      return value;
    if (Value known = m_known.lookup({value, encoding}))
      return known;
    Value result;
    switch (originOf(value)) {
    case Origin::LoopArgument:
      return extendLoop(cast<BlockArgument>(value), encoding);
    case Origin::LoopResult: {
      auto loop = cast<scf::ForOp>(value.getDefiningOp());
      auto argument = cast<BlockArgument>(
          materialize(loop.getTiedLoopRegionIterArg(cast<OpResult>(value)), encoding));
      return loopOf(argument).getTiedLoopResult(argument);
    }
    case Origin::IfResult:
      return extendIf(cast<OpResult>(value), encoding);
    case Origin::Converted:
      result = materialize(value.getDefiningOp()->getOperand(0), encoding);
      break;
    case Origin::Repeated:
      repeat(value.getDefiningOp(), encoding);
      return m_known.lookup({value, encoding});
    case Origin::Fixed:
      result = convertAfterDefinition(value, encoding);
      break;
    }
    m_known[{value, encoding}] = result;
    return result;
  }

  void repeat(Operation *op, Attribute encoding) {
    auto operandIn = [&](OpOperand &operand) {
      return materialize(operand.get(), neededEncoding(op, operand.getOperandNumber(), encoding));
    };
    IRMapping mapping;
    // The first round may replace loops and branches, and with them operands; the second finds all
    // made.
    for (int round = 0; round < 2; ++round)
      for (OpOperand &operand : op->getOpOperands())
        if (isBlock(operand.get())) {
          Value value = operandIn(operand);
          mapping.map(operand.get(), value);
        }
    // A loop that carries the result has led here already.
    if (m_known.contains({op->getResult(0), encoding}))
      return;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    Operation *copy = builder.clone(*op, mapping);
    setResultEncodings(copy, encoding);
    for (auto [old, fresh] : llvm::zip(op->getResults(), copy->getResults()))
      m_known[{old, encoding}] = fresh;
  }

  /// Adds an argument to a loop: `argument` in another layout.
  Value extendLoop(BlockArgument argument, Attribute encoding) {
    Value init = materialize(loopOf(argument).getTiedLoopInit(argument)->get(), encoding);
    scf::ForOp loop = loopOf(argument);
    OpBuilder builder(loop);
    SmallVector<Value> inits(loop.getInitArgs());
    inits.push_back(init);
    auto extended =
        scf::ForOp::create(builder, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(),
                           loop.getStep(), inits, nullptr, loop.getUnsignedCmp());
    extended->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    extended.getRegion().takeBody(loop.getRegion());
    BlockArgument added = extended.getBody()->addArgument(init.getType(), argument.getLoc());
    auto yield = cast<scf::YieldOp>(extended.getBody()->getTerminator());
    // Until its real value is known, the argument is carried on.
    unsigned position = yield.getNumOperands();
    yield->insertOperands(position, ValueRange{added});
    replaceOp(loop, extended);
    m_known[{argument, encoding}] = added;

    Value next = materialize(loopOf(argument).getTiedLoopYieldedValue(argument)->get(), encoding);
    loopOf(argument).getBody()->getTerminator()->setOperand(position, next);
    return added;
  }

  Value extendIf(OpResult value, Attribute encoding) {
    unsigned index = value.getResultNumber();
    auto sideIn = [&](bool isThen) {
      auto branch = cast<scf::IfOp>(standsFor(value).getDefiningOp());
      return materialize((isThen ? branch.thenYield() : branch.elseYield()).getOperand(index),
                         encoding);
    };
    // One side may replace the results of the other one, and the branch itself: a loop that carries
    // its result around leads here again.
    sideIn(true);
    sideIn(false);
    Value yes = sideIn(true), no = sideIn(false);
    Value now = standsFor(value);
    if (Value known = m_known.lookup({now, encoding}))
      return known;
    auto branch = cast<scf::IfOp>(now.getDefiningOp());
    scf::IfOp extended = withOneMoreResult(branch, yes.getType());
    unsigned position = index;
    for (auto [yield, operand] :
         {std::pair(extended.thenYield(), yes), std::pair(extended.elseYield(), no)}) {
      position = yield.getNumOperands();
      yield->insertOperands(position, ValueRange{operand});
    }
    Value fresh = extended.getResult(position);
    Value old = extended.getResult(index);
    replaceOp(branch, extended);
    m_known[{old, encoding}] = fresh;
    return fresh;
  }

  /// Replaces an operation by one with more results, also in what is remembered.
  void replaceOp(Operation *old, Operation *extended) {
    for (auto [before, after] : llvm::zip(old->getResults(), extended->getResults())) {
      for (auto &entry : m_known)
        if (entry.second == before)
          entry.second = after;
      SmallVector<std::pair<Attribute, Value>> renamed;
      for (auto &entry : m_known)
        if (entry.first.first == before)
          renamed.push_back({entry.first.second, entry.second});
      for (auto [encoding, value] : renamed) {
        m_known.erase({before, encoding});
        m_known[{after, encoding}] = value;
      }
      before.replaceAllUsesWith(after);
      m_replaced[before] = after;
    }
    // The caller still holds it.
    old->dropAllReferences();
    old->remove();
    m_removed.push_back(old);
  }

  /// What has taken the place of a value.
  Value standsFor(Value value) const {
    while (Value after = m_replaced.lookup(value))
      value = after;
    return value;
  }

  FunctionOpInterface m_function;
  DenseMap<std::pair<Value, Attribute>, Value> m_known;
  DenseMap<Value, Value> m_replaced;
  SmallVector<Operation *> m_removed;
};

} // namespace

void rematerializeLayouts(FunctionOpInterface function) { Rematerialization(function).run(); }

} // namespace tilescope::ttg
