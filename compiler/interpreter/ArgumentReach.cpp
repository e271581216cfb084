// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/ArgumentReach.h"

#include "compiler/interpreter/AddressSlice.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace tilescope::compiler::interpreter {

namespace {
class Reach {
public:
  Reach(unsigned argument, tt::FuncOp kernel)
      : m_kernel(kernel), m_reached(kernel.getNumArguments()),
        m_writtenBack(kernel.getNumArguments()) {
    m_reached.set(argument);
  }

  llvm::BitVector find() {
    while (grow()) {
    }
    return m_reached;
  }

  /// Whether `find` has found a store to an argument of what it held, or of what depends on that.
  bool isWrittenBack(unsigned argument) const { return m_writtenBack.test(argument); }

private:
  /// Passes over the kernel once; whether more is reached now.
  bool grow() {
    const size_t numValues = m_values.size(), numDecided = m_decided.size();
    const unsigned numReached = m_reached.count();
    m_kernel.walk([&](Operation *op) { visit(op); });
    return m_values.size() != numValues || m_decided.size() != numDecided ||
           m_reached.count() != numReached;
  }

  void visit(Operation *op) {
    if (isa<tt::CallOp, cf::CondBranchOp, cf::BranchOp>(op)) {
      reachAll();
      return;
    }
    const bool isReached =
        llvm::any_of(op->getOperands(),
                     [&](Value operand) { return m_values.contains(operand); }) ||
        isDecided(op);
    const std::optional<Touch> touch = touchOf(op);
    if (touch && isReached && touch->isWritten)
      write(touch->pointer);
    if (isReached || (touch && holdsReached(touch->pointer)))
      m_values.insert(op->result_begin(), op->result_end());
    if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
      visitLoop(loop);
    else if (op->getNumRegions() > 0 && isReached)
      m_decided.insert(op);
    if (op->hasTrait<OpTrait::IsTerminator>())
      visitEnd(op);
  }

  /// Bounds and conditions decide about all that a loop does, what it starts with about its own value.
  void visitLoop(LoopLikeOpInterface loop) {
    const auto inits = loop.getInits();
    for (auto [init, value] : llvm::zip(inits, loop.getRegionIterArgs()))
      if (m_values.contains(init))
        m_values.insert(value);
    const bool isDecidedByBounds = llvm::any_of(loop->getOperands(), [&](Value operand) {
      return m_values.contains(operand) && !llvm::is_contained(inits, operand);
    });
    if (isDecidedByBounds)
      m_decided.insert(loop);
  }

  /// What a region ends with goes to the operation's result and to the next round. The condition of a
  /// loop decides about all that the loop does.
  void visitEnd(Operation *end) {
    Operation *parent = end->getParentOp();
    for (auto [i, operand] : llvm::enumerate(end->getOperands())) {
      if (!m_values.contains(operand))
        continue;
      if (auto loop = dyn_cast<scf::ForOp>(parent)) {
        m_values.insert(loop.getRegionIterArg(i));
        m_values.insert(loop.getResult(i));
        continue;
      }
      if (isa<scf::ConditionOp>(end))
        m_decided.insert(parent);
      m_values.insert(parent->result_begin(), parent->result_end());
      for (Region &region : parent->getRegions())
        m_values.insert(region.args_begin(), region.args_end());
    }
  }

  /// Whether an operation around it is executed or not by what is reached.
  bool isDecided(Operation *op) const {
    for (Operation *around = op->getParentOp(); around && around != m_kernel;
         around = around->getParentOp())
      if (m_decided.contains(around))
        return true;
    return false;
  }

  struct Touch {
    Value pointer;
    bool isWritten = false;
  };
  /// An access to memory; nothing: it is none.
  std::optional<Touch> touchOf(Operation *op) const {
    return llvm::TypeSwitch<Operation *, std::optional<Touch>>(op)
        .Case([](tt::LoadOp load) { return Touch{load.getPtr()}; })
        .Case<tt::DescriptorLoadOp, tt::DescriptorGatherOp>(
            [](auto load) { return Touch{load.getDesc()}; })
        .Case([](tt::StoreOp store) { return Touch{store.getPtr(), true}; })
        .Case<tt::AtomicRMWOp, tt::AtomicCASOp, tt::AtomicPollOp>(
            [](auto atomic) { return Touch{atomic.getPtr(), true}; })
        .Case<tt::DescriptorStoreOp, tt::DescriptorReduceOp, tt::DescriptorScatterOp>(
            [](auto store) { return Touch{store.getDesc(), true}; })
        .Default([](Operation *) { return std::nullopt; });
  }

  void write(Value pointer) {
    const std::optional<unsigned> argument = argumentOf(pointer);
    if (!argument)
      return reachAll();
    m_reached.set(*argument);
    m_writtenBack.set(*argument);
  }

  void reachAll() {
    m_reached.set();
    m_writtenBack.set();
  }

  bool holdsReached(Value pointer) const {
    const std::optional<unsigned> argument = argumentOf(pointer);
    return !argument || m_reached.test(*argument);
  }

  tt::FuncOp m_kernel;
  llvm::BitVector m_reached, m_writtenBack;
  llvm::DenseSet<Value> m_values;
  /// Operations whose regions are executed, or how often, by what is reached.
  llvm::DenseSet<Operation *> m_decided;
};
} // namespace

llvm::BitVector argumentsReachedBy(unsigned argument, tt::FuncOp kernel) {
  return Reach(argument, kernel).find();
}

bool reachesItself(unsigned argument, tt::FuncOp kernel) {
  Reach reach(argument, kernel);
  reach.find();
  return reach.isWrittenBack(argument);
}

} // namespace tilescope::compiler::interpreter
