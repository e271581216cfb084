// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/AddressReach.h"

#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>

using namespace mlir;

namespace tilescope::compiler {
namespace {

/// Enough for what is counted here: tensors of more dimensions are taken as four.
constexpr int kMaxDegree = 4;
/// Loops whose values feed each other settle after a few rounds, or stay too small.
constexpr int kRounds = 4;

/// A reach, for pointers with the argument that they come from.
struct Fact {
  Reach reach;
  std::optional<unsigned> tensor;
  bool operator==(const Fact &) const = default;
};

void widen(Reach &reach, const Reach &other) {
  reach.degree = std::max(reach.degree, other.degree);
  reach.strides.insert(other.strides.begin(), other.strides.end());
  reach.hasUnitStep |= other.hasUnitStep;
}

void widen(Fact &fact, const Fact &other) {
  widen(fact.reach, other.reach);
  if (!fact.tensor)
    fact.tensor = other.tensor;
}

/// Through what changes only the type or the shape.
Value strip(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp, tt::SplatOp,
             tt::BroadcastOp, tt::ExpandDimsOp, tt::ReshapeOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

bool isConstant(Value value) { return matchPattern(strip(value), m_Constant()); }

class AddressReach {
public:
  explicit AddressReach(FunctionOpInterface kernel) : m_entry(kernel.getFunctionBody().front()) {
    for (BlockArgument argument : m_entry.getArguments()) {
      Fact &fact = m_facts[argument];
      if (isa<tt::PointerType, tt::TensorDescType>(argument.getType()))
        fact.tensor = argument.getArgNumber();
      else
        fact.reach = {1, {}, true};
    }
    for (int round = 0; round < kRounds; ++round)
      kernel.walk<WalkOrder::PreOrder>([this](Operation *op) { visit(op); });
  }

  std::map<unsigned, Reach> tensors() const { return m_tensors; }

private:
  Fact factOf(Value value) const { return m_facts.lookup(value); }
  Reach reachOf(Value value) const { return m_facts.lookup(value).reach; }

  void set(Value value, Reach reach) { m_facts[value] = {std::move(reach), std::nullopt}; }

  void visit(Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return visitLoop(loop);
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      for (auto [argument, init] : llvm::zip(loop.getBeforeArguments(), loop.getInits()))
        widen(m_facts[argument], factOf(init));
      for (auto [argument, next] :
           llvm::zip(loop.getBeforeArguments(), loop.getYieldOp().getOperands()))
        widen(m_facts[argument], factOf(next));
      for (auto [index, passed] : llvm::enumerate(loop.getConditionOp().getArgs())) {
        widen(m_facts[loop.getAfterArguments()[index]], factOf(passed));
        widen(m_facts[loop.getResult(index)], factOf(passed));
      }
      return;
    }
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      for (Region *region : branch.getRegions())
        if (!region->empty())
          for (auto [result, value] :
               llvm::zip(branch.getResults(), region->front().getTerminator()->getOperands()))
            widen(m_facts[result], factOf(value));
      return;
    }
    if (isa<tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp, tt::DescriptorLoadOp,
            tt::DescriptorStoreOp, tt::DescriptorReduceOp, tt::DescriptorGatherOp,
            tt::DescriptorScatterOp>(op))
      if (Fact fact = factOf(op->getOperand(0)); fact.tensor)
        widen(m_tensors[*fact.tensor], fact.reach);
    if (op->getNumResults() == 1)
      visitValue(op);
  }

  /// A pointer that a loop moves on goes as far as the loop has iterations.
  void visitLoop(scf::ForOp loop) {
    const Reach bound = reachOf(loop.getUpperBound());
    set(loop.getInductionVar(), {bound.degree, {}, true});
    for (auto [argument, init, next, result] :
         llvm::zip(loop.getRegionIterArgs(), loop.getInits(), loop.getYieldedValues(),
                   loop.getResults())) {
      Fact fact = factOf(init);
      Operation *step = next.getDefiningOp();
      if (step && isa<tt::AddPtrOp, arith::AddIOp, tt::AdvanceOp>(step) &&
          step->getOperand(0) == argument) {
        for (Value offset : step->getOperands().drop_front()) {
          Reach moved = reachOf(offset);
          moved.degree = std::min(moved.degree + bound.degree, kMaxDegree);
          widen(fact.reach, moved);
        }
      } else {
        widen(fact, factOf(next));
      }
      m_facts[argument] = fact;
      m_facts[result] = fact;
    }
  }

  void visitValue(Operation *op) {
    Value result = op->getResult(0);
    if (isa<tt::MakeRangeOp>(op))
      return set(result, {0, {}, true});
    if (isa<tt::GetProgramIdOp, tt::GetNumProgramsOp, tt::LoadOp, tt::AtomicRMWOp>(op))
      return set(result, {1, {}, true});
    if (isa<arith::CmpIOp, arith::CmpFOp>(op) || op->hasTrait<OpTrait::ConstantLike>())
      return set(result, {});
    if (isa<arith::MulIOp>(op))
      return set(result, product(op->getOperand(0), op->getOperand(1)));
    if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::MinSIOp,
            arith::MinUIOp, arith::AndIOp, arith::CeilDivSIOp, arith::FloorDivSIOp>(op))
      return set(result, bounded(op));
    if (auto make = dyn_cast<tt::MakeTensorPtrOp>(op))
      return setBlockPointer(result, make.getBase(), make.getShape(), make.getStrides());
    if (auto make = dyn_cast<tt::MakeTensorDescOp>(op))
      return setBlockPointer(result, make.getBase(), make.getShape(), make.getStrides());
    Fact fact;
    for (Value operand : op->getOperands())
      widen(fact, factOf(operand));
    if (!isa<tt::PointerType, tt::TensorDescType>(getElementTypeOrSelf(result.getType())))
      fact.tensor.reset();
    m_facts[result] = fact;
  }

  Reach product(Value left, Value right) const {
    Reach reach{std::min(reachOf(left).degree + reachOf(right).degree, kMaxDegree), {}, false};
    for (auto [factor, other] : {std::pair(left, right), std::pair(right, left)}) {
      if (std::optional<unsigned> stride = strideArgument(factor))
        reach.strides.insert(*stride);
      else
        reach.strides.merge(reachOf(factor).strides);
      reach.hasUnitStep |=
          isConstant(factor) && !strideArgument(other) && reachOf(other).hasUnitStep;
    }
    return reach;
  }

  /// What a division or a minimum leaves. A quotient is still an index: a program's number divided
  /// by the number of columns of blocks is the number of a row of blocks.
  Reach bounded(Operation *op) const {
    Reach left = reachOf(op->getOperand(0)), right = reachOf(op->getOperand(1));
    if (isa<arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp, arith::FloorDivSIOp>(op))
      left.degree = std::max(left.degree - right.degree, std::min(left.degree, 1));
    else
      left.degree = std::min(left.degree, right.degree);
    return left;
  }

  void setBlockPointer(Value result, Value base, ValueRange shape, ValueRange strides) {
    Fact fact = factOf(base);
    for (auto [extent, stride] : llvm::zip(shape, strides)) {
      widen(fact.reach, product(extent, stride));
      fact.reach.hasUnitStep |= matchPattern(strip(stride), m_One());
    }
    m_facts[result] = fact;
  }

  /// The integer argument that `value` is, if it only ever multiplies.
  std::optional<unsigned> strideArgument(Value value) const {
    auto argument = dyn_cast<BlockArgument>(strip(value));
    if (!argument || argument.getOwner() != &m_entry || !argument.getType().isInteger() ||
        !onlyMultiplies(argument))
      return std::nullopt;
    return argument.getArgNumber();
  }

  static bool onlyMultiplies(Value value) {
    return llvm::all_of(value.getUses(), [](OpOperand &use) {
      Operation *user = use.getOwner();
      if (auto make = dyn_cast<tt::MakeTensorPtrOp>(user))
        return llvm::is_contained(make.getStrides(), use.get());
      if (auto make = dyn_cast<tt::MakeTensorDescOp>(user))
        return llvm::is_contained(make.getStrides(), use.get());
      if (isa<arith::MulIOp>(user))
        return true;
      return user->getNumResults() == 1 && strip(user->getResult(0)) != user->getResult(0) &&
             onlyMultiplies(user->getResult(0));
    });
  }

  Block &m_entry;
  DenseMap<Value, Fact> m_facts;
  std::map<unsigned, Reach> m_tensors;
};

} // namespace

std::map<unsigned, Reach> reachOfTensors(FunctionOpInterface kernel) {
  return AddressReach(kernel).tensors();
}

} // namespace tilescope::compiler
