// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Atomic operations: element by element, in the order of a store.
#include "compiler/conversion/tt_to_cpu/Lowering.h"
#include "compiler/conversion/tt_to_cpu/Support.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tilescope::cpu {

static LLVM::AtomicBinOp binaryOf(tt::RMWOp kind) {
  switch (kind) {
  case tt::RMWOp::AND:
    return LLVM::AtomicBinOp::_and;
  case tt::RMWOp::OR:
    return LLVM::AtomicBinOp::_or;
  case tt::RMWOp::XOR:
    return LLVM::AtomicBinOp::_xor;
  case tt::RMWOp::ADD:
    return LLVM::AtomicBinOp::add;
  case tt::RMWOp::FADD:
    return LLVM::AtomicBinOp::fadd;
  case tt::RMWOp::MAX:
    return LLVM::AtomicBinOp::max;
  case tt::RMWOp::MIN:
    return LLVM::AtomicBinOp::min;
  case tt::RMWOp::UMAX:
    return LLVM::AtomicBinOp::umax;
  case tt::RMWOp::UMIN:
    return LLVM::AtomicBinOp::umin;
  case tt::RMWOp::XCHG:
    return LLVM::AtomicBinOp::xchg;
  }
  llvm_unreachable("every kind has a case");
}

static LLVM::AtomicOrdering orderingOf(tt::MemSemantic semantic) {
  switch (semantic) {
  case tt::MemSemantic::RELAXED:
    return LLVM::AtomicOrdering::monotonic;
  case tt::MemSemantic::ACQUIRE:
    return LLVM::AtomicOrdering::acquire;
  case tt::MemSemantic::RELEASE:
    return LLVM::AtomicOrdering::release;
  case tt::MemSemantic::ACQUIRE_RELEASE:
    return LLVM::AtomicOrdering::acq_rel;
  }
  llvm_unreachable("every semantic has a case");
}

bool isSupportedAtomic(Operation *op) {
  Type element = elementTypeOf(op->getResult(0).getType());
  // Of floats, only what the processor or LLVM adds without a library.
  auto rmw = dyn_cast<tt::AtomicRMWOp>(op);
  if (!isa<FloatType>(element))
    return !element.isInteger(1);
  if (!rmw)
    return !element.isBF16();
  return (element.isF32() || element.isF64()) &&
         (rmw.getAtomicRmwOp() == tt::RMWOp::FADD || rmw.getAtomicRmwOp() == tt::RMWOp::XCHG);
}

/// One element: the value that was there before.
static Value emitAtomic(OpBuilder &b, Operation *op, Value pointer, ValueRange values) {
  const Location loc = op->getLoc();
  if (auto rmw = dyn_cast<tt::AtomicRMWOp>(op))
    return LLVM::AtomicRMWOp::create(b, loc, binaryOf(rmw.getAtomicRmwOp()), pointer, values[0],
                                     orderingOf(rmw.getSem()));
  Type type = values[0].getType();
  Type word = b.getIntegerType(memoryBytesOf(type) * 8);
  auto toWord = [&](Value value) -> Value {
    return isa<FloatType>(type) ? Value(arith::BitcastOp::create(b, loc, word, value)) : value;
  };
  auto exchange = LLVM::AtomicCmpXchgOp::create(
      b, loc, pointer, toWord(values[0]), toWord(values[1]),
      orderingOf(cast<tt::AtomicCASOp>(op).getSem()), LLVM::AtomicOrdering::monotonic);
  Value old = LLVM::ExtractValueOp::create(b, loc, exchange, ArrayRef<int64_t>{0});
  return isa<FloatType>(type) ? Value(arith::BitcastOp::create(b, loc, type, old)) : old;
}

/// Nothing where the mask is false; the result is then zero.
static Value emitMasked(OpBuilder &b, Operation *op, Value mask, Value pointer, ValueRange values) {
  if (!mask)
    return emitAtomic(b, op, pointer, values);
  auto branch = scf::IfOp::create(
      b, op->getLoc(), mask,
      [&](OpBuilder &b, Location loc) {
        scf::YieldOp::create(b, loc, emitAtomic(b, op, pointer, values));
      },
      [&](OpBuilder &b, Location loc) {
        Type type = values[0].getType();
        Value zero = isa<LLVM::LLVMPointerType>(type)
                         ? Value(LLVM::ZeroOp::create(b, loc, type))
                         : Value(arith::ConstantOp::create(b, loc, b.getZeroAttr(type)));
        scf::YieldOp::create(b, loc, zero);
      });
  return branch.getResult(0);
}

void KernelLowering::checkAtomic(Operation *op, Value &pointer, Value &mask) {
  if (!m_options.checkBounds)
    return;
  const auto [target, inside] = checkScalar(op, pointer, mask);
  pointer = target.pointer;
  mask = inside;
}

void KernelLowering::lowerAtomic(Operation *op) {
  const bool isRmw = isa<tt::AtomicRMWOp>(op);
  Value pointer = op->getOperand(0), result = op->getResult(0);
  Value mask = isRmw ? cast<tt::AtomicRMWOp>(op).getMask() : Value();
  const auto values = op->getOperands().slice(1, isRmw ? 1 : 2);
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (!type) {
    SmallVector<Value> scalars;
    for (Value value : values)
      scalars.push_back(scalar(value));
    Value address = scalar(pointer), isOn = mask ? scalar(mask) : mask;
    checkAtomic(op, address, isOn);
    m_scalars.map(result, emitMasked(m_builder, op, isOn, address, scalars));
    return;
  }
  // What is written is computed with all lanes first.
  for (Value value : values)
    keep(value);
  prepare(llvm::to_vector(op->getOperands()), /*canKeep=*/false);
  const SmallVector<Buffer> results = allocateFor(result.use_empty() ? ValueRange() : result);
  forEachTile(type.getShape(), Lanes(), {}, [&] {
    const Place &place = m_nest->place();
    SmallVector<Value> elements;
    for (Value value : values)
      elements.push_back(at(value, place));
    Value address = at(pointer, place), isOn = mask ? at(mask, place) : mask;
    checkAtomic(op, address, isOn);
    Value old = emitMasked(m_builder, op, isOn, address, elements);
    for (const Buffer &buffer : results)
      writeBuffer(buffer, place, old);
  });
  for (const Buffer &buffer : results)
    m_buffers[result] = buffer;
}

} // namespace tilescope::cpu
