// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/transforms/ttg/LayoutPropagation.h"

#include "compiler/dialects/ttg/ir/LayoutBridge.h"
#include "compiler/dialects/ttg/ir/WarpGather.h"
#include "compiler/transforms/ttg/LayoutTransfer.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilescope::ttg {

namespace {

class Propagation {
public:
  explicit Propagation(FunctionOpInterface function) : m_function(function) {}

  void run() {
    seedAnchors();
    spread();
    choose();
    apply();
  }

private:
  using Candidates = llvm::SmallSetVector<Attribute, 2>;

  void seedAnchors() {
    m_function.walk([&](Operation *op) {
      if (isLayoutAnchor(op))
        for (Value result : op->getResults())
          add(result, encodingOf(result.getType()));
    });
  }

  void add(Value value, Attribute encoding) {
    if (encoding && encodingOf(value.getType()) && m_candidates[value].insert(encoding))
      m_worklist.push_back(value);
  }

  void spread() {
    while (!m_worklist.empty()) {
      Value value = m_worklist.pop_back_val();
      // Copied: spreading may add to the map.
      Candidates candidates = m_candidates[value];
      for (OpOperand &use : value.getUses())
        for (Attribute encoding : candidates)
          spreadTo(use, encoding);
    }
  }

  void spreadTo(OpOperand &use, Attribute encoding) {
    Operation *user = use.getOwner();
    if (auto loop = dyn_cast<scf::ForOp>(user)) {
      if (BlockArgument argument = loop.getTiedLoopRegionIterArg(&use)) {
        add(argument, encoding);
        add(loop.getTiedLoopResult(&use), encoding);
      }
    } else if (auto loop = dyn_cast<scf::WhileOp>(user)) {
      add(loop.getBeforeArguments()[use.getOperandNumber()], encoding);
    } else if (isa<scf::YieldOp>(user)) {
      spreadFromYield(user->getParentOp(), use.getOperandNumber(), encoding);
    } else if (auto condition = dyn_cast<scf::ConditionOp>(user)) {
      // Operand 0 is the condition itself.
      auto loop = cast<scf::WhileOp>(condition->getParentOp());
      unsigned index = use.getOperandNumber() - 1;
      add(loop.getAfterArguments()[index], encoding);
      add(loop.getResult(index), encoding);
    } else if (auto gather = dyn_cast<tt::GatherOp>(user)) {
      if (!gather.getEfficientLayout() &&
          (use.get() == gather.getIndices() || staysInWarps(gather, encoding)))
        add(gather.getResult(), encoding);
    } else if (isa<ConvertLayoutOp>(user)) {
      if (isLayoutAnchor(user))
        return;
      // The conversion disappears if its result gets the encoding of its source.
      add(user->getResult(0), encoding);
    } else if (passesLayouts(user)) {
      if (Attribute result = resultEncoding(user, encoding))
        for (Value value : user->getResults())
          add(value, result);
    }
  }

  /// Whether a gather needs no shared memory if its source and its results have the encoding.
  static bool staysInWarps(tt::GatherOp gather, Attribute encoding) {
    auto source = cast<RankedTensorType>(gather.getSrc().getType());
    return source.getShape() == cast<RankedTensorType>(gather.getType()).getShape() &&
           planWarpGather(source.cloneWithEncoding(encoding), gather.getAxis()).has_value();
  }

  void spreadFromYield(Operation *parent, unsigned index, Attribute encoding) {
    if (auto loop = dyn_cast<scf::WhileOp>(parent))
      return add(loop.getBeforeArguments()[index], encoding);
    if (!isa<scf::ForOp, scf::IfOp>(parent))
      return;
    add(parent->getResult(index), encoding);
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      add(loop.getRegionIterArg(index), encoding);
  }

  void choose() {
    for (auto &[value, candidates] : m_candidates)
      m_chosen[value] = chooseFor(value, candidates);
    // Values that the program treats as one must have one encoding.
    m_function.walk([&](Operation *op) {
      if (auto loop = dyn_cast<scf::ForOp>(op)) {
        for (auto [argument, result] : llvm::zip(loop.getRegionIterArgs(), loop.getResults()))
          tie(argument, result);
      } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
        for (auto [argument, result] : llvm::zip(loop.getAfterArguments(), loop.getResults()))
          tie(argument, result);
      } else if (passesLayouts(op)) {
        for (Value result : op->getResults().drop_front())
          tie(op->getResult(0), result);
      }
    });
  }

  void tie(Value leader, Value follower) {
    if (auto it = m_chosen.find(leader); it != m_chosen.end())
      m_chosen[follower] = it->second;
    else
      m_chosen.erase(follower);
  }

  Attribute chooseFor(Value value, const Candidates &candidates) {
    if (candidates.size() == 1)
      return candidates.front();
    Operation *op = value.getDefiningOp();
    bool isAccess = op && isa<tt::LoadOp, tt::AtomicRMWOp, tt::AtomicCASOp>(op);
    for (Attribute candidate : candidates)
      if (isAccess ? isa<BlockedEncodingAttr>(candidate) : isa<NvidiaMmaEncodingAttr>(candidate))
        return candidate;
    // Fewest registers per thread; the first of equals.
    auto registers = [&](Attribute encoding) {
      return elementsPerThread(cast<RankedTensorType>(withEncoding(value.getType(), encoding)));
    };
    return *llvm::min_element(
        candidates, [&](Attribute a, Attribute b) { return registers(a) < registers(b); });
  }

  Attribute finalEncoding(Value value) const {
    auto it = m_chosen.find(value);
    return it == m_chosen.end() ? encodingOf(value.getType()) : it->second;
  }

  /// The encoding that an operand must have once all values have their final encodings; null for
  /// any.
  Attribute requiredEncoding(OpOperand &operand) const {
    Operation *op = operand.getOwner();
    unsigned index = operand.getOperandNumber();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return finalEncoding(loop.getTiedLoopRegionIterArg(&operand));
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return finalEncoding(loop.getBeforeArguments()[index]);
    if (auto condition = dyn_cast<scf::ConditionOp>(op))
      return finalEncoding(cast<scf::WhileOp>(op->getParentOp()).getAfterArguments()[index - 1]);
    if (isa<scf::YieldOp>(op)) {
      if (auto loop = dyn_cast<scf::WhileOp>(op->getParentOp()))
        return finalEncoding(loop.getBeforeArguments()[index]);
      return finalEncoding(op->getParentOp()->getResult(index));
    }
    if (acceptsAnyLayout(operand))
      return {};
    if (auto gather = dyn_cast<tt::GatherOp>(op); gather && index == 1)
      return finalEncoding(gather.getResult());
    if (passesLayouts(op)) {
      Attribute result = finalEncoding(op->getResult(0));
      if (result && result != encodingOf(op->getResult(0).getType()))
        return operandEncoding(op, index, result);
    }
    return encodingOf(operand.get().getType());
  }

  void apply() {
    SmallVector<std::pair<OpOperand *, Attribute>> mismatches;
    SmallVector<ConvertLayoutOp> conversions;
    m_function.walk([&](Operation *op) {
      if (auto convert = dyn_cast<ConvertLayoutOp>(op))
        conversions.push_back(convert);
      for (OpOperand &operand : op->getOpOperands()) {
        if (!encodingOf(operand.get().getType()))
          continue;
        Attribute required = requiredEncoding(operand);
        if (required && required != finalEncoding(operand.get()))
          mismatches.push_back({&operand, required});
      }
    });
    for (auto &[value, encoding] : m_chosen)
      value.setType(withEncoding(value.getType(), encoding));
    DenseMap<std::pair<Value, Attribute>, Value> converted;
    for (auto [operand, required] : mismatches) {
      Value &value = converted[{operand->get(), required}];
      if (!value)
        value = convertAfterDefinition(operand->get(), required);
      operand->set(value);
    }
    for (ConvertLayoutOp convert : conversions)
      if (convert.getSrc().getType() == convert.getType()) {
        convert.replaceAllUsesWith(convert.getSrc());
        convert.erase();
      }
  }

  FunctionOpInterface m_function;
  // In order of insertion: the same input produces the same output.
  llvm::MapVector<Value, Candidates> m_candidates;
  llvm::MapVector<Value, Attribute> m_chosen;
  SmallVector<Value> m_worklist;
};

} // namespace

void propagateLayouts(FunctionOpInterface function) { Propagation(function).run(); }

} // namespace tilescope::ttg
