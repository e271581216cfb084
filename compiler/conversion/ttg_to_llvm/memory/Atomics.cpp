// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Atomic operations on global memory. Each element is touched by one thread; where others need the
// result too (a scalar, or copies of elements), it reaches them through shared memory.
#include "compiler/conversion/ttg_to_llvm/memory/Atomics.h"

#include "compiler/conversion/ttg_to_llvm/common/AsmText.h"
#include "compiler/conversion/ttg_to_llvm/common/Families.h"
#include "compiler/conversion/ttg_to_llvm/common/MemoryPlans.h"
#include "compiler/conversion/ttg_to_llvm/common/Scratch.h"
#include "compiler/conversion/ttg_to_llvm/memory/AccessWords.h"

using namespace mlir;

namespace tilescope::compiler {

static StringRef scopeText(tt::MemSyncScope scope) {
  return scope == tt::MemSyncScope::CTA ? "cta" : scope == tt::MemSyncScope::GPU ? "gpu" : "sys";
}

static bool acquires(tt::MemSemantic sem) {
  return sem == tt::MemSemantic::ACQUIRE || sem == tt::MemSemantic::ACQUIRE_RELEASE;
}
static bool releases(tt::MemSemantic sem) {
  return sem == tt::MemSemantic::RELEASE || sem == tt::MemSemantic::ACQUIRE_RELEASE;
}

static char constraintOf(int bits) { return bits == 64 ? 'l' : bits == 32 ? 'r' : 'h'; }

/// Emits the operation on some elements where `predicate` (may be null) holds; `operands` are lists
/// of words. Returns the words before it; none when `hasResult` is false.
static SmallVector<Value> emitAtomic(Builder &b, StringRef instruction, Value predicate,
                                     Value pointer, ArrayRef<SmallVector<Value>> operands,
                                     const AccessWords &words, bool hasResult) {
  AsmText text;
  SmallVector<std::string> results;
  std::string code;
  for (int i = 0; hasResult && i < words.count; ++i)
    results.push_back(text.addResult(words.constraint()));
  if (predicate) {
    for (const std::string &result : results)
      code += "mov.b" + std::to_string(words.bits) + " " + result + ", 0x0;\n\t";
    code += "@" + text.addOperand(predicate, 'b') + " ";
  }
  code += instruction.str() + " " + (hasResult ? registerList(results) + ", " : "") + "[ " +
          text.addOperand(pointer, 'l') + " + 0 ]";
  for (const SmallVector<Value> &operand : operands) {
    SmallVector<std::string> names;
    for (Value word : operand)
      names.push_back(text.addOperand(word, words.constraint()));
    code += ", " + registerList(names);
  }
  Value all = inlineAsm(b, code + ";", text.constraints(), hasResult ? words.resultType(b) : Type(),
                        text.operands());
  return hasResult ? words.results(b, all) : SmallVector<Value>();
}

void shareResults(Operation *op, Value once, const Values &results, Lowering &lowering) {
  Builder &b = lowering.b;
  Type type = op->getResult(0).getType();
  if (!once || op->use_empty()) {
    lowering.set(op->getResult(0), results);
    return;
  }
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
  lowering.barrier();
  Values shared;
  for (auto [slot, result] : llvm::zip(slots, results))
    shared.push_back(fromStorage(b, LLVM::LoadOp::create(b, element, slot), result.getType()));
  lowering.set(op->getResult(0), std::move(shared));
}

/// The operation and type as PTX names them; empty when there is no such instruction.
static std::string rmwText(tt::RMWOp kind, Type element, const AccessWords &words, int capability) {
  int bits = element.getIntOrFloatBitWidth();
  std::string b = ".b" + std::to_string(bits), u = ".u" + std::to_string(bits),
              s = ".s" + std::to_string(bits);
  if (kind == tt::RMWOp::FADD) {
    if (element.isBF16() && capability < 90)
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
static void lowerAtomic(Op op, Value mask, int width, Lowering &lowering,
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
  shareResults(op, once, results, lowering);
  if (acquires(op.getSem()))
    lowering.barrier();
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
  std::string instruction =
      (StringRef(reduces ? "red." : "atom.") + tt::stringifyMemSemantic(op.getSem()) + "." +
       scopeText(op.getScope()) + ".global" + text)
          .str();
  lowerAtomic(op, op.getMask(), width, lowering, [&](int first, Value predicate) -> Values {
    Value pointer = lowering.values(op.getPtr())[first];
    ArrayRef<Value> originals = ArrayRef(lowering.values(op.getVal())).slice(first, width);
    SmallVector<Value> stored;
    for (Value original : originals)
      stored.push_back(toStorage(b, original));
    SmallVector<Value> before;
    if (text.empty())
      before.push_back(emitAtomicUpdate(b, op.getAtomicRmwOp(), llvmScope(op.getScope()), predicate,
                                        pointer, stored.front()));
    else
      before = words.unpack(
          b,
          emitAtomic(b, instruction, predicate, pointer, {words.pack(b, stored)}, words, !reduces),
          element);
    if (before.empty())
      return Values(originals.begin(), originals.end());
    Values results;
    for (Value value : before)
      results.push_back(fromStorage(b, value, originals.front().getType()));
    return results;
  });
  return success();
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
  std::string instruction = (StringRef("atom.") + tt::stringifyMemSemantic(op.getSem()) + "." +
                             scopeText(op.getScope()) + ".global.cas.b" + Twine(bits))
                                .str();
  lowerAtomic(op, Value(), 1, lowering, [&](int index, Value predicate) -> Values {
    Value expected = bitcast(b, lowering.values(op.getCmp())[index], word);
    Value value = bitcast(b, lowering.values(op.getVal())[index], word);
    SmallVector<Value> old =
        emitAtomic(b, instruction, predicate, lowering.values(op.getPtr())[index],
                   {{expected}, {value}}, words, true);
    return {bitcast(b, old.front(), element)};
  });
  return success();
}

/// Thread 0 reads until it sees the value or the time is up; the others wait for it.
static LogicalResult lowerPoll(tt::AtomicPollOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  Value expected = lowering.scalar(op.getExpected());
  int bits = expected.getType().getIntOrFloatBitWidth();
  if (bits < 16)
    return op.emitError("no atomic read of ") << op.getExpected().getType();
  std::string load = (StringRef("ld.") + tt::stringifyMemSemantic(op.getSem()) + "." +
                      scopeText(op.getScope()) + ".global.b" + Twine(bits) + " $0, [ $1 + 0 ];")
                         .str();
  auto now = [&] { return inlineAsm(b, "mov.u64 $0, %globaltimer;", "=l", b.getI64Type(), {}); };
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
  std::string constraints = std::string("=") + constraintOf(bits) + ",l";
  Value value = inlineAsm(b, load, constraints, expected.getType(), {lowering.scalar(op.getPtr())});
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
  shareResults(op, once, {seen}, lowering);
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
