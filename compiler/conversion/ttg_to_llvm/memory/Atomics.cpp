// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Atomic operations on global memory. Each element is touched by one thread; where others need the
// result too (a scalar, or copies of elements), it reaches them through shared memory.
#include "compiler/conversion/ttg_to_llvm/memory/Atomics.h"

#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/common/MemoryPlans.h"
#include "compiler/conversion/ttg_to_llvm/common/Scratch.h"
#include "compiler/conversion/ttg_to_llvm/memory/AccessWords.h"
#include "compiler/conversion/ttg_to_llvm/memory/ClusterAccess.h"
#include "compiler/conversion/ttg_to_llvm/ptx/InlinePtx.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tilescope::compiler {

static bool acquires(tt::MemSemantic sem) {
  return sem == tt::MemSemantic::ACQUIRE || sem == tt::MemSemantic::ACQUIRE_RELEASE;
}
static bool releases(tt::MemSemantic sem) {
  return sem == tt::MemSemantic::RELEASE || sem == tt::MemSemantic::ACQUIRE_RELEASE;
}

/// The bits of a block's rank that are zero in the one of a cluster that executes an operation on
/// elements of which several blocks hold copies.
static uint32_t copyingBlocks(Type type, Lowering &lowering) {
  if (!isa<RankedTensorType>(type))
    return lowering.numCtas() - 1;
  for (const DimValue &free : lowering.layout(type).freeVariableMasks())
    if (free.dim == Dim::Block)
      return free.value;
  return 0;
}

LogicalResult shareResults(Operation *op, Value once, const Values &results, Lowering &lowering) {
  Builder &b = lowering.b;
  Type type = op->getResult(0).getType();
  if (!once || op->use_empty()) {
    lowering.set(op->getResult(0), results);
    return success();
  }
  const uint32_t copying = copyingBlocks(type, lowering);
  Value scratch = lowering.sharedPointer(op);
  Type element = storageType(results.front().getType());
  SmallVector<Value> slots;
  if (!isa<RankedTensorType>(type)) {
    slots.push_back(scratch);
  } else {
    for (Value offset : lowering.positions(lowering.layout(type)))
      slots.push_back(elementPointer(b, scratch, element, offset));
  }
  lowering.emitIf(once, [&] {
    for (auto [slot, result] : llvm::zip(slots, results))
      LLVM::StoreOp::create(b, toStorage(b, result), slot);
  });
  Value executing;
  if (copying) {
    if (failed(lowering.clusterBarrier(op)))
      return failure();
    executing = LLVM::AndOp::create(b, lowering.blockRank(), i32Constant(b, int64_t(~copying)));
  } else {
    lowering.barrier();
  }
  Values shared;
  for (auto [slot, result] : llvm::zip(slots, results)) {
    Value pointer = executing ? addressInBlock(b, slot, executing) : slot;
    shared.push_back(fromStorage(b, LLVM::LoadOp::create(b, element, pointer), result.getType()));
  }
  lowering.set(op->getResult(0), std::move(shared));
  return copying ? lowering.clusterBarrier(op) : success();
}

/// The operation and type as PTX names them; empty when there is no such instruction.
static std::string rmwText(tt::RMWOp kind, Type element, const AccessWords &words, int capability) {
  int bits = element.getIntOrFloatBitWidth();
  std::string b = ".b" + std::to_string(bits), u = ".u" + std::to_string(bits),
              s = ".s" + std::to_string(bits);
  if (kind == tt::RMWOp::FADD) {
    if (!hasAtomicAdd(element, capability))
      return "";
    std::string vector = words.vectorText(), pair = words.elementsPerWord() == 2 ? "x2" : "";
    if (bits == 16)
      return ".add.noftz" + vector + (element.isF16() ? ".f16" : ".bf16") + pair;
    return ".add" + vector + ".f" + std::to_string(bits);
  }
  if (bits < 32 || (isa<FloatType>(element) && kind != tt::RMWOp::XCHG))
    return "";
  switch (kind) {
  case tt::RMWOp::AND:
    return ".and" + b;
  case tt::RMWOp::OR:
    return ".or" + b;
  case tt::RMWOp::XOR:
    return ".xor" + b;
  case tt::RMWOp::ADD:
    return ".add" + u;
  case tt::RMWOp::MAX:
    return ".max" + s;
  case tt::RMWOp::MIN:
    return ".min" + s;
  case tt::RMWOp::UMAX:
    return ".max" + u;
  case tt::RMWOp::UMIN:
    return ".min" + u;
  case tt::RMWOp::XCHG:
    return ".exch" + b;
  case tt::RMWOp::FADD:
    break;
  }
  llvm_unreachable("all kinds are covered");
}

static LLVM::AtomicBinOp genericKind(tt::RMWOp kind, bool isFloat) {
  using LLVM::AtomicBinOp;
  switch (kind) {
  case tt::RMWOp::AND:
    return AtomicBinOp::_and;
  case tt::RMWOp::OR:
    return AtomicBinOp::_or;
  case tt::RMWOp::XOR:
    return AtomicBinOp::_xor;
  case tt::RMWOp::ADD:
    return AtomicBinOp::add;
  case tt::RMWOp::FADD:
    return AtomicBinOp::fadd;
  case tt::RMWOp::MAX:
    return isFloat ? AtomicBinOp::fmax : AtomicBinOp::max;
  case tt::RMWOp::MIN:
    return isFloat ? AtomicBinOp::fmin : AtomicBinOp::min;
  case tt::RMWOp::UMAX:
    return AtomicBinOp::umax;
  case tt::RMWOp::UMIN:
    return AtomicBinOp::umin;
  case tt::RMWOp::XCHG:
    return AtomicBinOp::xchg;
  }
  llvm_unreachable("all kinds are covered");
}

Value emitAtomicUpdate(Builder &b, tt::RMWOp kind, StringRef scope, Value predicate, Value pointer,
                       Value value) {
  auto update = [&]() -> Value {
    return LLVM::AtomicRMWOp::create(b, genericKind(kind, isa<FloatType>(value.getType())), pointer,
                                     value, LLVM::AtomicOrdering::monotonic, scope);
  };
  if (!predicate)
    return update();
  Block *before = b.getInsertionBlock();
  Block *after = before->splitBlock(b.getInsertionPoint());
  after->addArgument(value.getType(), b.getLoc());
  Block *inside = b.createBlock(after);
  LLVM::BrOp::create(b, ValueRange(update()), after);
  b.setInsertionPointToEnd(before);
  Value zero = zeroOf(b, value.getType());
  LLVM::CondBrOp::create(b, predicate, inside, ValueRange(), after, ValueRange(zero));
  b.setInsertionPointToStart(after);
  return after->getArgument(0);
}

/// LLVM's name of a scope; all of the system has none.
static StringRef llvmScope(tt::MemSyncScope scope) {
  return scope == tt::MemSyncScope::CTA ? "block" : scope == tt::MemSyncScope::GPU ? "device" : "";
}

/// Executes an atomic operation on each element once: `emit` makes it for `width` registers from an
/// index on, where its predicate (may be null) holds, and returns the values before.
template <typename Op>
static LogicalResult lowerAtomic(Op op, Value mask, int width, Lowering &lowering,
                                 llvm::function_ref<Values(int first, Value predicate)> emit) {
  Builder &b = lowering.b;
  if (releases(op.getSem()))
    lowering.barrier();
  Value once = executesOnce(lowering, op.getPtr().getType());
  Values results;
  for (int first = 0; first < lowering.numRegisters(op.getPtr().getType()); first += width) {
    Value predicate = mask ? lowering.values(mask)[first] : once;
    if (mask && once)
      predicate = LLVM::AndOp::create(b, predicate, once);
    llvm::append_range(results, emit(first, predicate));
  }
  if (failed(shareResults(op, once, results, lowering)))
    return failure();
  if (acquires(op.getSem()))
    lowering.barrier();
  return success();
}

static LogicalResult lowerRmw(tt::AtomicRMWOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  Type element = storageType(lowering.elementType(op.getVal().getType()));
  int width = atomicWidth(op, element, lowering.capability(),
                          accessWidth(lowering, op.getPtr(), op.getMask()));
  auto words = AccessWords::of(width, element.getIntOrFloatBitWidth());
  std::string text = rmwText(op.getAtomicRmwOp(), element, words, lowering.capability());
  bool reduces =
      op->use_empty() && !acquires(op.getSem()) && op.getAtomicRmwOp() != tt::RMWOp::XCHG;
  const ptx::AtomicForm form{text, op.getSem(), op.getScope()};
  return lowerAtomic(op, op.getMask(), width, lowering, [&](int first, Value predicate) -> Values {
    Value pointer = lowering.values(op.getPtr())[first];
    ArrayRef<Value> originals = ArrayRef(lowering.values(op.getVal())).slice(first, width);
    SmallVector<Value> stored;
    for (Value original : originals)
      stored.push_back(toStorage(b, original));
    SmallVector<Value> before;
    if (text.empty()) {
      before.push_back(emitAtomicUpdate(b, op.getAtomicRmwOp(), llvmScope(op.getScope()), predicate,
                                        pointer, stored.front()));
    } else if (reduces) {
      ptx::red(b, form, predicate, pointer, words, {words.pack(b, stored)});
      return Values(originals.begin(), originals.end());
    } else {
      Value all = ptx::atom(b, form, predicate, pointer, words, {words.pack(b, stored)},
                            words.resultType(b));
      before = words.unpack(b, words.results(b, all), element);
    }
    Values results;
    for (Value value : before)
      results.push_back(fromStorage(b, value, originals.front().getType()));
    return results;
  });
}

static LogicalResult lowerCas(tt::AtomicCASOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  Type element = lowering.elementType(op.getVal().getType());
  int bits = storageBytes(element) * 8;
  if (bits < 16)
    return op.emitError("no atomic compare and swap on ")
           << getElementTypeOrSelf(op.getVal().getType());
  Type word = b.getIntegerType(bits);
  auto words = AccessWords::of(1, bits);
  const ptx::AtomicForm form{".cas.b" + std::to_string(bits), op.getSem(), op.getScope()};
  return lowerAtomic(op, Value(), 1, lowering, [&](int index, Value predicate) -> Values {
    Value expected = bitcast(b, lowering.values(op.getCmp())[index], word);
    Value value = bitcast(b, lowering.values(op.getVal())[index], word);
    Value old = ptx::atom(b, form, predicate, lowering.values(op.getPtr())[index], words,
                          {{expected}, {value}}, words.resultType(b));
    return {bitcast(b, old, element)};
  });
}

/// Thread 0 reads until it sees the value or the time is up; the others wait for it.
static LogicalResult lowerPoll(tt::AtomicPollOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  Value expected = lowering.scalar(op.getExpected());
  int bits = expected.getType().getIntOrFloatBitWidth();
  if (bits < 16)
    return op.emitError("no atomic read of ") << op.getExpected().getType();
  auto now = [&]() -> Value { return NVVM::GlobalTimerOp::create(b, b.getI64Type()); };
  Values results;
  Value once = executesOnce(lowering, op.getPtr().getType());
  Block *before = b.getInsertionBlock();
  Block *after = before->splitBlock(b.getInsertionPoint());
  Value seen = after->addArgument(b.getI1Type(), b.getLoc());
  Block *entry = b.createBlock(after), *loop = b.createBlock(after);
  b.setInsertionPointToEnd(before);
  Value no = intConstant(b, b.getI1Type(), 0);
  LLVM::CondBrOp::create(b, once, entry, ValueRange(), after, ValueRange(no));
  b.setInsertionPointToEnd(entry);
  Value start = op.getTimeout() ? now() : Value();
  LLVM::BrOp::create(b, ValueRange(), loop);
  b.setInsertionPointToEnd(loop);
  Value value = ptx::ldOrdered(b, lowering.scalar(op.getPtr()), bits, op.getSem(), op.getScope(),
                               expected.getType());
  Value found = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, value, expected);
  Value ends = found;
  if (start) {
    Value passed = LLVM::SubOp::create(b, now(), start);
    Value late =
        LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::uge, passed, lowering.scalar(op.getTimeout()));
    ends = LLVM::OrOp::create(b, found, late);
  }
  LLVM::CondBrOp::create(b, ends, after, ValueRange(found), loop, ValueRange());
  b.setInsertionPointToStart(after);
  if (failed(shareResults(op, once, {seen}, lowering)))
    return failure();
  if (acquires(op.getSem()))
    lowering.barrier();
  return success();
}

void addAtomicLowerings(LoweringTable &table) {
  table.add<tt::AtomicRMWOp>(lowerRmw);
  table.add<tt::AtomicCASOp>(lowerCas);
  table.add<tt::AtomicPollOp>(lowerPoll);
}

} // namespace tilescope::compiler
