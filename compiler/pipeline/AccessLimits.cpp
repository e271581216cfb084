// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/AccessLimits.h"

#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/interpreter/TracedOperands.h"

#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

#include <numeric>

using namespace mlir;

namespace tilescope::compiler {

/// What a value is computed from, through loops and branches.
static SmallVector<Value> madeFrom(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop)
      return {};
    if (argument == loop.getInductionVar())
      return {loop.getLowerBound(), loop.getUpperBound()};
    return {loop.getTiedLoopInit(argument)->get(), loop.getTiedLoopYieldedValue(argument)->get()};
  }
  Operation *op = value.getDefiningOp();
  const unsigned index = cast<OpResult>(value).getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return {loop.getRegionIterArg(index)};
  if (auto conditional = dyn_cast<scf::IfOp>(op))
    return {conditional.getCondition(), conditional.thenYield().getOperand(index),
            conditional.elseYield().getOperand(index)};
  SmallVector<Value> sources(op->getOperands());
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  llvm::append_range(sources, captured);
  return sources;
}

llvm::SetVector<Value> allSources(ArrayRef<Value> values) {
  llvm::SetVector<Value> all;
  for (const Value value : values)
    if (value)
      all.insert(value);
  for (size_t i = 0; i < all.size(); ++i)
    for (const Value source : madeFrom(all[i]))
      all.insert(source);
  return all;
}

namespace {
class LimitFinder {
public:
  LimitFinder(const InterpreterLaunch &launch, const std::set<int64_t> &sizes)
      : m_launch(launch), m_sizes(sizes) {}

  /// `dims`: which dimension of the access each one of the mask is.
  void addMask(Value mask, const SmallVector<size_t> &dims) {
    Operation *op = mask.getDefiningOp();
    if (isa_and_nonnull<arith::AndIOp, tt::BroadcastOp>(op)) {
      for (Value operand : op->getOperands())
        addMask(operand, dims);
    } else if (auto expand = dyn_cast_or_null<tt::ExpandDimsOp>(op)) {
      SmallVector<size_t> fewer = dims;
      fewer.erase(fewer.begin() + expand.getAxis());
      addMask(expand.getSrc(), fewer);
    } else if (isa_and_nonnull<arith::CmpIOp>(op)) {
      add({op->getOperand(0), op->getOperand(1)}, dimOf(mask, dims));
    } else {
      add({mask}, std::nullopt);
    }
  }

  void add(ArrayRef<Value> values, std::optional<size_t> dim) {
    for (const Value value : allSources(values))
      if (const std::optional<int64_t> number = numberOf(value))
        limits.push_back({dim, *number});
  }

  std::vector<AccessLimit> limits;

private:
  /// The only dimension along which a comparison differs.
  static std::optional<size_t> dimOf(Value comparison, const SmallVector<size_t> &dims) {
    const auto type = dyn_cast<RankedTensorType>(comparison.getType());
    std::optional<size_t> found;
    for (size_t i = 0; type && i < dims.size(); ++i) {
      if (type.getShape()[i] == 1)
        continue;
      if (found)
        return std::nullopt;
      found = dims[i];
    }
    return found;
  }

  std::optional<int64_t> numberOf(Value value) const {
    llvm::APInt number;
    if (matchPattern(value, m_ConstantInt(&number)))
      return m_sizes.contains(number.getSExtValue()) ? std::optional(number.getSExtValue())
                                                     : std::nullopt;
    const auto argument = dyn_cast<BlockArgument>(value);
    const bool isNumber = argument && isa<tt::FuncOp>(argument.getOwner()->getParentOp()) &&
                          argument.getType().isInteger();
    return isNumber ? std::optional(
                          static_cast<int64_t>(m_launch.arguments[argument.getArgNumber()].bits))
                    : std::nullopt;
  }

  const InterpreterLaunch &m_launch;
  const std::set<int64_t> &m_sizes;
};
} // namespace

/// The bounds of the loops, and the conditions, around an operation.
static SmallVector<Value> controlOf(Operation *access) {
  SmallVector<Value> control;
  for (Operation *op = access->getParentOp(); op && !isa<tt::FuncOp>(op); op = op->getParentOp())
    if (auto loop = dyn_cast<scf::ForOp>(op))
      control.append({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
    else if (auto conditional = dyn_cast<scf::IfOp>(op))
      control.push_back(conditional.getCondition());
  return control;
}

AccessLimits accessLimits(Operation *access, const InterpreterLaunch &launch,
                          const std::set<int64_t> &sizes) {
  const interpreter::TracedOperands operands = interpreter::tracedOperands(access);
  const SmallVector<Value> control = controlOf(access);
  LimitFinder finder(launch, sizes);
  finder.add(control, std::nullopt);
  if (operands.mask) {
    const auto type = dyn_cast<RankedTensorType>(operands.mask.getType());
    SmallVector<size_t> dims(type ? static_cast<size_t>(type.getRank()) : 0);
    std::iota(dims.begin(), dims.end(), size_t{0});
    finder.addMask(operands.mask, dims);
  }
  AccessLimits found{std::move(finder.limits)};
  SmallVector<Value> all = control;
  all.append({operands.mask, operands.pointer});
  for (const Value value : allSources(all))
    if (Operation *op = value.getDefiningOp())
      found.isByData |= op->getNumRegions() == 0 && !isMemoryEffectFree(op);
  return found;
}

} // namespace tilescope::compiler
