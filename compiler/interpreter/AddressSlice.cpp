// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/AddressSlice.h"

#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/dialects/ttg/ir/OperationNumber.h"
#include "compiler/interpreter/TracedOperands.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace tilescope::compiler::interpreter {
namespace {

class Slice {
public:
  explicit Slice(tt::FuncOp kernel) : m_kernel(kernel) {}
  /// False: all must be executed.
  bool build();
  AddressSlice take() { return std::move(m_slice); }

private:
  void need(Value value) {
    if (value && m_slice.values.insert(value).second)
      m_waiting.push_back(value);
  }
  bool needControl(Operation *op);
  bool needSources(Value value);
  bool needArgument(BlockArgument argument);
  bool needRead(Operation *op);
  bool needMemory(Value pointer);
  bool needBuffer(Value buffer);
  bool needWriter(Operation *op);
  bool writesWhatIsRead();

  tt::FuncOp m_kernel;
  AddressSlice m_slice;
  /// The buffers that are read back.
  llvm::DenseSet<Operation *> m_buffers;
  SmallVector<Value> m_waiting;
};

} // namespace

/// Where a pointer or a buffer comes from, through operations and loops that only move it: an
/// argument of the kernel, or the result of another operation. Null where there are several.
static Value rootOf(Value value) {
  SmallVector<Value> waiting{value};
  llvm::DenseSet<Value> seen;
  Value root;
  while (!waiting.empty()) {
    const Value next = waiting.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    Operation *op = next.getDefiningOp();
    auto loop = op ? dyn_cast<scf::ForOp>(op)
                   : dyn_cast<scf::ForOp>(cast<BlockArgument>(next).getOwner()->getParentOp());
    if (loop) {
      const BlockArgument carried =
          op ? loop.getRegionIterArg(cast<OpResult>(next).getResultNumber())
             : cast<BlockArgument>(next);
      OpOperand *init = loop.getTiedLoopInit(carried);
      if (!init)
        return {};
      waiting.push_back(init->get());
      waiting.push_back(loop.getTiedLoopYieldedValue(carried)->get());
    } else if (op && isa<tt::AddPtrOp, tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::TransOp,
                         tt::ReshapeOp, tt::BitcastOp, ttg::ConvertLayoutOp, ttg::MemDescIndexOp,
                         ttg::MemDescTransOp>(op)) {
      waiting.push_back(op->getOperand(0));
    } else if (root && root != next) {
      return {};
    } else {
      root = next;
    }
  }
  return root;
}

std::optional<unsigned> argumentOf(Value pointer) {
  const auto argument = dyn_cast_or_null<BlockArgument>(rootOf(pointer));
  if (!argument || !isa<tt::FuncOp>(argument.getOwner()->getParentOp()))
    return std::nullopt;
  return argument.getArgNumber();
}

bool Slice::needControl(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    need(loop.getLowerBound());
    need(loop.getUpperBound());
    need(loop.getStep());
    need(loop.getInductionVar());
    return true;
  }
  if (auto conditional = dyn_cast<scf::IfOp>(op)) {
    need(conditional.getCondition());
    return true;
  }
  // Any other way through the kernel.
  const bool isPlain = op->getNumRegions() == 0 ||
                       isa<tt::FuncOp, tt::ReduceOp, tt::ScanOp, tt::MapElementwiseOp>(op);
  return isPlain && op->getNumSuccessors() == 0 && !isa<tt::CallOp>(op);
}

bool Slice::needArgument(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (isa<tt::FuncOp>(parent))
    return argument.getOwner()->isEntryBlock();
  auto loop = dyn_cast<scf::ForOp>(parent);
  if (!loop)
    return false;
  if (OpOperand *init = loop.getTiedLoopInit(argument)) {
    need(init->get());
    need(loop.getTiedLoopYieldedValue(argument)->get());
    need(loop.getTiedLoopResult(argument));
  }
  return true;
}

/// The memory behind a pointer is read.
bool Slice::needMemory(Value pointer) {
  const std::optional<unsigned> argument = argumentOf(pointer);
  if (argument)
    m_slice.arguments.insert(*argument);
  return argument.has_value();
}

/// An operation that writes to shared memory is executed.
bool Slice::needWriter(Operation *op) {
  m_slice.writers.insert(op);
  if (auto store = dyn_cast<ttg::LocalStoreOp>(op)) {
    need(store.getSrc());
    need(store.getDst());
    return true;
  }
  auto copy = dyn_cast<ttg::AsyncCopyGlobalToLocalOp>(op);
  if (!copy)
    return false;
  need(copy.getSrc());
  need(copy.getMask());
  need(copy.getOther());
  need(copy.getResult());
  return needMemory(copy.getSrc());
}

/// Shared memory is read: all that writes to the same buffer is executed.
bool Slice::needBuffer(Value buffer) {
  const Value root = rootOf(buffer);
  auto alloc = root ? root.getDefiningOp<ttg::LocalAllocOp>() : ttg::LocalAllocOp();
  if (!alloc)
    return false;
  if (!m_buffers.insert(alloc).second)
    return true;
  const auto isElsewhere = [&](Value written) {
    const Value other = rootOf(written);
    return other && other != root && other.getDefiningOp<ttg::LocalAllocOp>();
  };
  const WalkResult walked = m_kernel.walk([&](Operation *op) {
    const bool writes = hasEffect<MemoryEffects::Write>(op);
    for (Value operand : op->getOperands())
      if (writes && isa<ttg::MemDescType>(operand.getType()) && !isElsewhere(operand) &&
          !needWriter(op))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return !walked.wasInterrupted();
}

/// Of an operation with effects on memory: whether it is one whose result can be had alone.
bool Slice::needRead(Operation *op) {
  if (auto load = dyn_cast<tt::LoadOp>(op)) {
    need(load.getPtr());
    need(load.getMask());
    need(load.getOther());
    return !load.getIsVolatile() && needMemory(load.getPtr());
  }
  if (auto load = dyn_cast<ttg::LocalLoadOp>(op)) {
    // Copies are done at once here, so that nothing is waited for.
    need(load.getSrc());
    return needBuffer(load.getSrc());
  }
  if (auto alloc = dyn_cast<ttg::LocalAllocOp>(op)) {
    need(alloc.getSrc());
    return true;
  }
  return false;
}

bool Slice::needSources(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return needArgument(argument);
  Operation *op = value.getDefiningOp();
  const unsigned index = cast<OpResult>(value).getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    need(loop.getRegionIterArg(index));
    return true;
  }
  if (auto conditional = dyn_cast<scf::IfOp>(op)) {
    need(conditional.thenYield().getOperand(index));
    need(conditional.elseYield().getOperand(index));
    return true;
  }
  if (!isMemoryEffectFree(op))
    return needRead(op);
  llvm::for_each(op->getOperands(), [&](Value operand) { need(operand); });
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  llvm::for_each(captured, [&](Value operand) { need(operand); });
  return true;
}

/// Whether the kernel may change memory that it reads addresses from. Arguments are arrays of their
/// own.
bool Slice::writesWhatIsRead() {
  if (m_slice.arguments.empty())
    return false;
  return m_kernel
      .walk([&](Operation *op) {
        Value pointer;
        if (auto store = dyn_cast<tt::StoreOp>(op))
          pointer = store.getPtr();
        else if (isa<tt::AtomicRMWOp, tt::AtomicCASOp>(op))
          pointer = tracedOperands(op).pointer;
        if (!pointer)
          return WalkResult::advance();
        const std::optional<unsigned> argument = argumentOf(pointer);
        return argument && !m_slice.arguments.contains(*argument) ? WalkResult::advance()
                                                                  : WalkResult::interrupt();
      })
      .wasInterrupted();
}

bool Slice::build() {
  if (!m_kernel.getBody().hasOneBlock())
    return false;
  const WalkResult walked = m_kernel.walk([&](Operation *op) {
    if (op->hasAttr(ttg::kOperationNumberAttr)) {
      const TracedOperands traced = tracedOperands(op);
      need(traced.pointer);
      need(traced.mask);
      llvm::for_each(tracedNumbers(op), [&](Value number) { need(number); });
    }
    return needControl(op) ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (walked.wasInterrupted())
    return false;
  while (!m_waiting.empty())
    if (!needSources(m_waiting.pop_back_val()))
      return false;
  return !writesWhatIsRead();
}

std::optional<AddressSlice> findAddressSlice(tt::FuncOp kernel) {
  Slice slice(kernel);
  if (!slice.build())
    return std::nullopt;
  return slice.take();
}

} // namespace tilescope::compiler::interpreter
