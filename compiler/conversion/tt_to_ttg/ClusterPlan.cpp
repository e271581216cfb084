// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/conversion/tt_to_ttg/ClusterPlan.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <algorithm>

using namespace mlir;

namespace tilescope::ttg {

/// Pieces of a product's result that matrix instructions like, at most and at least.
static constexpr int64_t kLargestPiece = 128, kSmallestPiece = 64;
/// Rows that an instruction multiplies at least.
static constexpr int64_t kLeastRows = 16;

static ArrayRef<int64_t> shapeOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getShape() : ArrayRef<int64_t>();
}

/// Whether the operation relates tensors of different layouts.
static bool changesLayout(Operation *op) {
  return isa<tt::DotOp, tt::ExpandDimsOp, tt::BroadcastOp, tt::ReduceOp, tt::TransOp, tt::ReshapeOp,
             tt::JoinOp, tt::SplitOp, tt::CatOp, tt::GatherOp, tt::HistogramOp>(op);
}

ClusterPlan::ClusterPlan(ModuleOp module, int numCtas)
    : m_context(module.getContext()), m_numCtas(numCtas) {
  if (numCtas == 1)
    return;
  module.walk([&](Operation *op) { joinValues(op); });
  // Callers know nothing of a function's inside: arguments and results are divided by their shapes.
  module.walk([&](Operation *op) {
    if (isa<tt::CallOp, tt::ReturnOp>(op))
      for (ValueRange values : {ValueRange(op->getOperands()), ValueRange(op->getResults())})
        for (Value value : values)
          decide(value, ofShape(shapeOf(value)));
    if (auto function = dyn_cast<tt::FuncOp>(op))
      for (Value argument : function.getArguments())
        decide(argument, ofShape(shapeOf(argument)));
  });
  llvm::DenseSet<void *> rowsTogether;
  const auto keepRows = [&](Value value) { rowsTogether.insert(leaderOf(value)); };
  module.walk([&](tt::DotOp dot) { keepRows(dot.getA()); });
  module.walk([&](tt::ReduceOp reduce) {
    if (Value source = reduce.getSrcs().front(); reduce.getAxis() + 1 == shapeOf(source).size())
      keepRows(source);
  });
  module.walk(
      [&](tt::DotOp dot) { decideDot(dot, rowsTogether.contains(leaderOf(dot.getResult()))); });
  module.walk([&](Operation *op) { decideByUse(op); });
  bool isChanged = true;
  while (isChanged) {
    isChanged = false;
    module.walk([&](Operation *op) { isChanged |= propagate(op); });
  }
}

CgaLayoutAttr ClusterPlan::of(Value value) const {
  const CgaLayoutAttr cga = decided(value);
  return cga ? cga : ofShape(shapeOf(value));
}

CgaLayoutAttr ClusterPlan::ofShape(ArrayRef<int64_t> shape) const {
  const auto order = llvm::to_vector(llvm::seq<unsigned>(0, shape.size()));
  return divide(shape, order, /*dividesRest=*/true);
}

void ClusterPlan::joinValues(Operation *op) {
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    for (auto [init, argument] : llvm::zip(loop.getInits(), loop.getRegionIterArgs()))
      join({init, argument});
    for (auto [argument, yielded] : llvm::zip(loop.getRegionIterArgs(), loop.getYieldedValues()))
      join({argument, yielded});
  }
  if (auto loop = dyn_cast<scf::ForOp>(op))
    for (auto [result, yielded] : llvm::zip(loop.getResults(), loop.getYieldedValues()))
      join({result, yielded});
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    for (auto [i, passed] : llvm::enumerate(loop.getConditionOp().getArgs()))
      join({passed, loop.getAfterArguments()[i], loop.getResult(i)});
  if (auto branch = dyn_cast<scf::IfOp>(op))
    for (auto [i, result] : llvm::enumerate(branch.getResults()))
      join({result, branch.thenYield().getOperand(i), branch.elseYield().getOperand(i)});
  if (auto branch = dyn_cast<BranchOpInterface>(op))
    for (unsigned i = 0; i < op->getNumSuccessors(); ++i) {
      const SuccessorOperands operands = branch.getSuccessorOperands(i);
      for (unsigned j = 0; j < operands.size(); ++j)
        if (Value passed = operands[j])
          join({passed, op->getSuccessor(i)->getArgument(j)});
    }
  if (auto dot = dyn_cast<tt::DotOp>(op))
    join({dot.getC(), dot.getResult()});
  else if (auto reduce = dyn_cast<tt::ReduceOp>(op)) {
    join(reduce.getSrcs());
    join(reduce.getResults());
  } else if (auto gather = dyn_cast<tt::GatherOp>(op))
    join({gather.getIndices(), gather.getResult()});
  else if (auto split = dyn_cast<tt::SplitOp>(op))
    join(split.getResults());
  else if (isa<tt::JoinOp, tt::CatOp>(op))
    join(op->getOperands());
  else if (auto histogram = dyn_cast<tt::HistogramOp>(op))
    join(op->getOperands());
  else if (!changesLayout(op) &&
           (op->getNumRegions() == 0 || isa<tt::ScanOp, tt::MapElementwiseOp>(op)) &&
           !op->hasTrait<OpTrait::IsTerminator>() && !isa<tt::CallOp>(op)) {
    SmallVector<Value> values(op->getOperands());
    llvm::append_range(values, op->getResults());
    join(values);
  }
}

void ClusterPlan::join(ValueRange values) {
  Value first;
  for (Value value : values) {
    if (!isa<RankedTensorType>(value.getType()))
      continue;
    m_groups.insert(value.getAsOpaquePointer());
    if (first && shapeOf(first) == shapeOf(value))
      m_groups.unionSets(first.getAsOpaquePointer(), value.getAsOpaquePointer());
    else if (!first)
      first = value;
  }
}

void *ClusterPlan::leaderOf(Value value) {
  return *m_groups.findLeader(m_groups.insert(value.getAsOpaquePointer()).getData());
}

CgaLayoutAttr ClusterPlan::decided(Value value) const {
  const auto member = m_groups.findLeader(value.getAsOpaquePointer());
  return member == m_groups.member_end() ? CgaLayoutAttr() : m_decided.lookup(*member);
}

bool ClusterPlan::decide(Value value, CgaLayoutAttr cga) {
  return isa<RankedTensorType>(value.getType()) &&
         m_decided.try_emplace(leaderOf(value), cga).second;
}

CgaLayoutAttr ClusterPlan::along(ArrayRef<int64_t> pieces) const {
  SmallVector<int32_t> bases;
  int64_t taken = 1;
  for (auto [dim, count] : llvm::enumerate(pieces)) {
    for (int64_t step = 1; step < count; step *= 2)
      for (size_t other = 0; other < pieces.size(); ++other)
        bases.push_back(other == dim ? static_cast<int32_t>(step) : 0);
    taken *= count;
  }
  for (; taken < m_numCtas; taken *= 2)
    bases.append(pieces.size(), 0);
  return CgaLayoutAttr::get(m_context, pieces.size(), bases);
}

CgaLayoutAttr ClusterPlan::divide(ArrayRef<int64_t> shape, ArrayRef<unsigned> order,
                                  bool dividesRest) const {
  SmallVector<int64_t> pieces(shape.size(), 1);
  int64_t left = m_numCtas;
  for (unsigned dim : order) {
    pieces[dim] = std::clamp<int64_t>(shape[dim], 1, left);
    left /= pieces[dim];
  }
  if (dividesRest && !order.empty())
    pieces[order.back()] *= left;
  return along(pieces);
}

CgaLayoutAttr ClusterPlan::besides(ArrayRef<int64_t> shape, unsigned axis, bool dividesRest) const {
  SmallVector<unsigned> order;
  for (unsigned dim = 0; dim < shape.size(); ++dim)
    if (dim != axis)
      order.push_back(dim);
  if (dividesRest)
    order.push_back(axis);
  return divide(shape, order, dividesRest);
}

void ClusterPlan::decideDot(tt::DotOp dot, bool keepsRows) {
  const ArrayRef<int64_t> shape = shapeOf(dot.getResult());
  const unsigned rank = shape.size(), rows = rank - 2, columns = rank - 1;
  SmallVector<int64_t> pieces(rank, 1);
  int64_t left = m_numCtas;
  if (rank == 3) {
    pieces[0] = std::min(shape[0], left);
    left /= pieces[0];
  }
  for (int64_t piece = kLargestPiece; piece >= kSmallestPiece; piece /= 2) {
    pieces[rows] = std::clamp<int64_t>(shape[rows] / piece, 1, left);
    pieces[columns] = left / pieces[rows];
    if (shape[columns] / pieces[columns] >= kSmallestPiece)
      break;
  }
  if (keepsRows) {
    pieces[rows] = std::clamp<int64_t>(shape[rows] / kLeastRows, 1, left);
    pieces[columns] = 1;
  }
  // Blocks that find nothing of their own hold copies.
  pieces[columns] = std::min(pieces[columns], shape[columns]);
  if (!decide(dot.getResult(), along(pieces)))
    return;
  const CgaLayoutAttr result = decided(dot.getResult());
  for (unsigned factor : {0, 1}) {
    SmallVector<int32_t> bases(result.getBases());
    for (unsigned bit = 0; bit < result.getNumBits(); ++bit)
      bases[bit * rank + (factor == 0 ? columns : rows)] = 0;
    decide(dot->getOperand(factor), CgaLayoutAttr::get(m_context, rank, bases));
  }
}

void ClusterPlan::decideByUse(Operation *op) {
  if (auto reduce = dyn_cast<tt::ReduceOp>(op)) {
    Value source = reduce.getSrcs().front();
    decide(source, besides(shapeOf(source), reduce.getAxis(), /*dividesRest=*/true));
  } else if (auto scan = dyn_cast<tt::ScanOp>(op)) {
    Value source = scan.getSrcs().front();
    decide(source, besides(shapeOf(source), scan.getAxis(), /*dividesRest=*/false));
  } else if (isa<tt::GatherOp, tt::HistogramOp>(op)) {
    Value source = op->getOperand(0);
    decide(source, along(SmallVector<int64_t>(shapeOf(source).size(), 1)));
  }
}

bool ClusterPlan::propagate(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](tt::ExpandDimsOp expand) {
        if (CgaLayoutAttr cga = decided(expand.getResult()))
          return decide(expand.getSrc(), cga.dropDim(expand.getAxis()));
        if (CgaLayoutAttr cga = decided(expand.getSrc()))
          return decide(expand.getResult(), cga.insertDim(expand.getAxis()));
        return false;
      })
      .Case([&](tt::BroadcastOp broadcast) {
        if (CgaLayoutAttr cga = decided(broadcast.getResult()))
          return decide(broadcast.getSrc(), cga);
        if (CgaLayoutAttr cga = decided(broadcast.getSrc()))
          return decide(broadcast.getResult(), cga);
        return false;
      })
      .Case([&](tt::ReduceOp reduce) {
        const CgaLayoutAttr cga = decided(reduce.getSrcs().front());
        return cga && shapeOf(reduce->getResult(0)).size() + 1 == cga.getRank() &&
               decide(reduce->getResult(0), cga.dropDim(reduce.getAxis()));
      })
      .Case([&](tt::TransOp trans) {
        const CgaLayoutAttr cga = decided(trans.getSrc());
        return cga && decide(trans.getResult(), cga.permute(trans.getOrder()));
      })
      .Default([](Operation *) { return false; });
}

} // namespace tilescope::ttg
