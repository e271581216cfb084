// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Atomic operations on global memory. Each element is touched by one thread; where others need the
// result too (a scalar, or copies of elements), it reaches them through shared memory.
#include "compiler/conversion/ttg_to_llvm/AccessWords.h"
#include "compiler/conversion/ttg_to_llvm/Families.h"
#include "compiler/conversion/ttg_to_llvm/Scratch.h"

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

/// Emits the operation on one element where `predicate` (may be null) holds; gives the old bits.
static Value emitAtomic(Builder &b, StringRef instruction, Value predicate, Value pointer,
                        ValueRange operands, int bits, bool hasResult) {
  std::string letter(1, constraintOf(bits));
  std::string constraints, code;
  SmallVector<Value> all;
  int next = hasResult ? 1 : 0;
  if (hasResult)
    constraints = "=" + letter;
  auto add = [&](Value value, std::string constraint) {
    all.push_back(value);
    constraints += (constraints.empty() ? "" : ",") + constraint;
    return "$" + std::to_string(next++);
  };
  if (predicate) {
    if (hasResult)
      code += "mov.b" + std::to_string(bits) + " $0, 0x0;\n\t";
    code += "@" + add(predicate, "b") + " ";
  }
  code += instruction;
  code += hasResult ? " $0, [ " : " [ ";
  code += add(pointer, "l") + " + 0 ]";
  for (Value operand : operands)
    code += ", " + add(operand, letter);
  return inlineAsm(b, code + ";", constraints, hasResult ? b.getIntegerType(bits) : Type(), all);
}

/// Gives every thread the results that single threads have: through the scratch of `op`.
static void shareResults(Operation *op, Value once, const Values &results, Lowering &lowering) {
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
    const LinearLayout &layout = lowering.layout(type);
    LinearLayout flat =
        layout.canonicalOuts().reshapeOuts({{Dim::Offset, uint8_t(layout.totalOutBits())}});
    for (Value offset : lowering.coordinates(flat, Dim::Offset))
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
static std::string rmwText(tt::RMWOp kind, Type element) {
  int bits = element.getIntOrFloatBitWidth();
  std::string b = ".b" + std::to_string(bits), u = ".u" + std::to_string(bits),
              s = ".s" + std::to_string(bits);
  if (bits < 16 || (bits == 16 && kind != tt::RMWOp::FADD))
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
  case tt::RMWOp::FADD:
    return element.isF16()    ? ".add.noftz.f16"
           : element.isBF16() ? ".add.noftz.bf16"
                              : ".add.f" + std::to_string(bits);
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
  }
  llvm_unreachable("all kinds are covered");
}

/// Where `text` has no instruction: LLVM's own operation, which it expands to a loop around
/// compare-and-swap.
static Value emitGenericFAdd(Lowering &lowering, Value predicate, Value pointer, Value value,
                             tt::MemSyncScope scope) {
  Builder &b = lowering.b;
  auto add = [&]() -> Value {
    StringRef llvmScope = scope == tt::MemSyncScope::CTA   ? "block"
                          : scope == tt::MemSyncScope::GPU ? "device"
                                                           : "";
    return LLVM::AtomicRMWOp::create(b, LLVM::AtomicBinOp::fadd, pointer, value,
                                     LLVM::AtomicOrdering::monotonic, llvmScope);
  };
  if (!predicate)
    return add();
  Block *before = b.getInsertionBlock();
  Block *after = before->splitBlock(b.getInsertionPoint());
  after->addArgument(value.getType(), b.getLoc());
  Block *inside = b.createBlock(after);
  LLVM::BrOp::create(b, ValueRange(add()), after);
  b.setInsertionPointToEnd(before);
  Value zero = zeroOf(b, value.getType());
  LLVM::CondBrOp::create(b, predicate, inside, ValueRange(), after, ValueRange(zero));
  b.setInsertionPointToStart(after);
  return after->getArgument(0);
}

static LogicalResult lowerRmw(tt::AtomicRMWOp op, Lowering &lowering) {
  Builder &b = lowering.b;
  Type element = lowering.elementType(op.getVal().getType());
  std::string text =
      isa<LLVM::LLVMPointerType>(element) ? "" : rmwText(op.getAtomicRmwOp(), element);
  if (text.empty())
    return op.emitError("no atomic `") << tt::stringifyRMWOp(op.getAtomicRmwOp()) << "` on "
                                       << getElementTypeOrSelf(op.getVal().getType());
  bool emulated = element.isBF16() && lowering.capability() < 90;
  int bits = element.getIntOrFloatBitWidth();
  bool hasResult = !op->use_empty();
  bool reduces = !hasResult && !acquires(op.getSem()) && op.getAtomicRmwOp() != tt::RMWOp::XCHG;
  std::string instruction =
      (StringRef(reduces ? "red" : "atom") + ".global." + scopeText(op.getScope()) + "." +
       tt::stringifyMemSemantic(op.getSem()) + text)
          .str();
  if (releases(op.getSem()))
    lowering.barrier();
  Value once = executesOnce(lowering, op.getPtr().getType());
  Values results;
  for (auto [index, pointer] : llvm::enumerate(lowering.values(op.getPtr()))) {
    Value value = lowering.values(op.getVal())[index];
    Value predicate = op.getMask() ? lowering.values(op.getMask())[index] : Value();
    if (once)
      predicate = predicate ? LLVM::AndOp::create(b, predicate, once).getResult() : once;
    if (emulated) {
      results.push_back(emitGenericFAdd(lowering, predicate, pointer, value, op.getScope()));
      continue;
    }
    Value old = emitAtomic(b, instruction, predicate, pointer,
                           {bitcast(b, value, b.getIntegerType(bits))}, bits, !reduces);
    results.push_back(reduces ? value : bitcast(b, old, element));
  }
  shareResults(op, once, results, lowering);
  if (acquires(op.getSem()))
    lowering.barrier();
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
  std::string instruction = (StringRef("atom.global.") + tt::stringifyMemSemantic(op.getSem()) +
                             "." + scopeText(op.getScope()) + ".cas.b" + Twine(bits))
                                .str();
  if (releases(op.getSem()))
    lowering.barrier();
  Value once = executesOnce(lowering, op.getPtr().getType());
  Values results;
  for (auto [index, pointer] : llvm::enumerate(lowering.values(op.getPtr()))) {
    Value expected = bitcast(b, lowering.values(op.getCmp())[index], word);
    Value value = bitcast(b, lowering.values(op.getVal())[index], word);
    Value old = emitAtomic(b, instruction, once, pointer, {expected, value}, bits, true);
    results.push_back(bitcast(b, old, element));
  }
  shareResults(op, once, results, lowering);
  if (acquires(op.getSem()))
    lowering.barrier();
  return success();
}

void addAtomicLowerings(LoweringTable &table) {
  table.add<tt::AtomicRMWOp>(lowerRmw);
  table.add<tt::AtomicCASOp>(lowerCas);
}

} // namespace tilescope::compiler
