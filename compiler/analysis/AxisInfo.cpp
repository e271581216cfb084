// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/analysis/AxisInfo.h"

#include "compiler/analysis/AxisInfoRules.h"
#include "compiler/dialects/tt/ir/Dialect.h"

#include "mlir/Analysis/DataFlow/SparseAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <numeric>

using namespace mlir;

namespace tilescope::compiler {

int axisInfoRank(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.getRank();
  return 1;
}

int64_t powerOfTwoDivisor(int64_t value) {
  if (value == 0)
    return AxisInfo::kMaxDivisor;
  return int64_t(std::min<uint64_t>(uint64_t(value) & -uint64_t(value), AxisInfo::kMaxDivisor));
}

int64_t AxisInfo::divisibilityOfRuns(int dim, int64_t length, int64_t step) const {
  if (length == contiguity[dim])
    return divisibility[dim];
  return std::gcd(divisibility[dim], length > kMaxDivisor / step ? kMaxDivisor : length * step);
}

AxisInfo AxisInfo::unknown(int rank) {
  AxisInfo info;
  info.contiguity.assign(rank, 1);
  info.divisibility.assign(rank, 1);
  info.constancy.assign(rank, 1);
  return info;
}

AxisInfo AxisInfo::ofConstant(int64_t value, ArrayRef<int64_t> shape) {
  AxisInfo info = unknown(shape.size());
  info.divisibility.assign(shape.size(), powerOfTwoDivisor(value));
  info.constancy.assign(shape.begin(), shape.end());
  info.constant = value;
  return info;
}

AxisInfo AxisInfo::join(const AxisInfo &left, const AxisInfo &right) {
  if (left.isUninitialized())
    return right;
  if (right.isUninitialized())
    return left;
  AxisInfo info = unknown(left.rank());
  for (int d = 0; d < left.rank(); ++d) {
    int64_t run = std::gcd(left.contiguity[d], right.contiguity[d]);
    info.contiguity[d] = run;
    // Neighbors of pointers lie further apart than 1, which only makes this more careful.
    info.divisibility[d] =
        std::gcd(left.divisibilityOfRuns(d, run), right.divisibilityOfRuns(d, run));
    info.constancy[d] = std::gcd(left.constancy[d], right.constancy[d]);
  }
  if (left.constant == right.constant)
    info.constant = left.constant;
  return info;
}

AxisInfo AxisInfo::ofArgument(BlockArgument argument) {
  AxisInfo info = unknown(axisInfoRank(argument.getType()));
  auto function = dyn_cast_or_null<FunctionOpInterface>(argument.getOwner()->getParentOp());
  if (function && argument.getOwner()->isEntryBlock())
    applyAxisHints(function.getArgAttrDict(argument.getArgNumber()), info);
  return info;
}

void AxisInfo::print(raw_ostream &os) const {
  auto list = [&](StringRef name, ArrayRef<int64_t> values) {
    os << name << " = [";
    llvm::interleaveComma(values, os);
    os << "]";
  };
  list("contiguity", contiguity);
  list(", divisibility", divisibility);
  list(", constancy", constancy);
  if (constant)
    os << ", constant = " << *constant;
}

namespace {
using AxisLattice = dataflow::Lattice<AxisInfo>;

class AxisInfoAnalysis : public dataflow::SparseForwardDataFlowAnalysis<AxisLattice> {
public:
  using SparseForwardDataFlowAnalysis::SparseForwardDataFlowAnalysis;

  LogicalResult visitOperation(Operation *op, ArrayRef<const AxisLattice *> operands,
                               ArrayRef<AxisLattice *> results) override {
    SmallVector<const AxisInfo *, 4> infos;
    for (const AxisLattice *operand : operands) {
      // Wait until something is known of every operand.
      if (operand->getValue().isUninitialized())
        return success();
      infos.push_back(&operand->getValue());
    }
    std::optional<AxisInfo> derived = deriveAxisInfo(op, infos);
    for (AxisLattice *result : results) {
      AxisInfo info =
          derived ? *derived : AxisInfo::unknown(axisInfoRank(result->getAnchor().getType()));
      applyAxisHints(op->getDiscardableAttrDictionary(), info);
      propagateIfChanged(result, result->join(info));
    }
    return success();
  }

  void visitNonControlFlowArguments(Operation *op, const RegionSuccessor &successor,
                                    ArrayRef<AxisLattice *> arguments,
                                    unsigned firstIndex) override {
    auto loop = dyn_cast<LoopLikeOpInterface>(op);
    std::optional<Value> variable = loop ? loop.getSingleInductionVar() : std::nullopt;
    if (!variable || !loop.getSingleLowerBound() || !loop.getSingleStep())
      return SparseForwardDataFlowAnalysis::visitNonControlFlowArguments(op, successor, arguments,
                                                                         firstIndex);
    int64_t divisor =
        std::gcd(divisorOf(*loop.getSingleLowerBound(), op), divisorOf(*loop.getSingleStep(), op));
    for (AxisLattice *argument : arguments) {
      if (argument->getAnchor() != *variable)
        continue;
      AxisInfo info = AxisInfo::unknown(1);
      info.divisibility[0] = divisor;
      propagateIfChanged(argument, argument->join(info));
    }
  }

private:
  void setToEntryState(AxisLattice *lattice) override {
    Value value = lattice->getAnchor();
    AxisInfo info = AxisInfo::unknown(axisInfoRank(value.getType()));
    if (auto argument = dyn_cast<BlockArgument>(value))
      info = AxisInfo::ofArgument(argument);
    propagateIfChanged(lattice, lattice->join(info));
  }

  int64_t divisorOf(OpFoldResult value, Operation *op) {
    if (auto attribute = dyn_cast<Attribute>(value))
      return powerOfTwoDivisor(cast<IntegerAttr>(attribute).getInt());
    const AxisLattice *lattice =
        getLatticeElementFor(getProgramPointBefore(op), cast<Value>(value));
    return lattice->getValue().isUninitialized() ? AxisInfo::kMaxDivisor
                                                 : lattice->getValue().divisibility[0];
  }
};
} // namespace

AxisInfoMap::AxisInfoMap(ModuleOp module) {
  DataFlowSolver solver;
  dataflow::loadBaselineAnalyses(solver);
  solver.load<AxisInfoAnalysis>();
  // Without a fixpoint nothing is known, which is always true.
  if (failed(solver.initializeAndRun(module)))
    return;
  auto record = [&](Value value) {
    if (const auto *lattice = solver.lookupState<AxisLattice>(value))
      if (!lattice->getValue().isUninitialized())
        m_infos.try_emplace(value, lattice->getValue());
  };
  module.walk([&](Operation *op) {
    llvm::for_each(op->getResults(), record);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), record);
  });
}

const AxisInfo *AxisInfoMap::find(Value value) const {
  auto it = m_infos.find(value);
  return it == m_infos.end() ? nullptr : &it->second;
}

int64_t AxisInfoMap::alignedContiguity(Value pointers, int dim, unsigned elementBits) const {
  const AxisInfo *info = find(pointers);
  if (!info)
    return 1;
  int64_t elementBytes = std::max<int64_t>(1, elementBits / 8);
  int64_t aligned = std::max<int64_t>(1, info->divisibility[dim] / elementBytes);
  return std::min(aligned, info->contiguity[dim]);
}

} // namespace tilescope::compiler
