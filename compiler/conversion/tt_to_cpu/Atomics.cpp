// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Atomic operations: element by element, in the order of a store.
#include "compiler/conversion/tt_to_cpu/Lowering.h"
#include "compiler/conversion/tt_to_cpu/Support.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
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
  return !elementTypeOf(op->getResult(0).getType()).isInteger(1);
}

static Type wordOf(OpBuilder &b, Type type) {
  return b.getIntegerType(static_cast<unsigned>(memoryBytesOf(type)) * 8);
}

/// A float as its bits.
static Value toWord(OpBuilder &b, Location loc, Value value) {
  const Type type = value.getType();
  return isa<FloatType>(type) ? Value(arith::BitcastOp::create(b, loc, wordOf(b, type), value))
                              : value;
}

static Value fromWord(OpBuilder &b, Location loc, Value word, Type type) {
  return isa<FloatType>(type) ? Value(arith::BitcastOp::create(b, loc, type, word)) : word;
}

/// What `findAtomic` of the interpreter makes of it. LLVM's own extremes may return either of two zeros; these order them,
/// and return NaN where there is one.
static Value combineFloats(OpBuilder &b, Location loc, tt::RMWOp kind, Value left, Value right) {
  if (kind != tt::RMWOp::MAX && kind != tt::RMWOp::MIN)
    return arith::AddFOp::create(b, loc, left, right);
  Value extreme = kind == tt::RMWOp::MAX ? Value(arith::MaximumFOp::create(b, loc, left, right))
                                         : Value(arith::MinimumFOp::create(b, loc, left, right));
  for (const auto &[value, other] : {std::pair(right, left), std::pair(left, right)}) {
    Value isNan = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, value, value);
    extreme = arith::SelectOp::create(b, loc, isNan, other, extreme);
  }
  return extreme;
}

/// Combines a float, one of 16 bits in fp32, until no other program has come between the look and the exchange.
static Value emitFloatUpdate(OpBuilder &b, tt::AtomicRMWOp op, Value pointer, Value value) {
  const Location loc = op.getLoc();
  const Type type = value.getType(), word = wordOf(b, type);
  const bool isNarrow = type.getIntOrFloatBitWidth() == 16;
  const auto widened = [&](OpBuilder &b, Value number) {
    return isNarrow ? widenFloat(b, loc, number, b.getF32Type()) : number;
  };
  Value first = LLVM::LoadOp::create(b, loc, word, pointer, memoryBytesOf(type),
                                     /*isVolatile=*/false, /*isNonTemporal=*/false,
                                     /*isInvariant=*/false, /*isInvariantGroup=*/false,
                                     LLVM::AtomicOrdering::monotonic);
  Value operand = widened(b, value);
  auto loop = scf::WhileOp::create(
      b, loc, TypeRange(word), ValueRange(first),
      [&](OpBuilder &b, Location loc, ValueRange seen) {
        Value old = widened(b, fromWord(b, loc, seen[0], type));
        Value result = combineFloats(b, loc, op.getAtomicRmwOp(), old, operand);
        if (isNarrow)
          result = narrowFloat(b, loc, result, type);
        auto exchange =
            LLVM::AtomicCmpXchgOp::create(b, loc, pointer, seen[0], toWord(b, loc, result),
                                          orderingOf(op.getSem()), LLVM::AtomicOrdering::monotonic);
        Value found = LLVM::ExtractValueOp::create(b, loc, exchange, ArrayRef<int64_t>{0});
        Value isDone = LLVM::ExtractValueOp::create(b, loc, exchange, ArrayRef<int64_t>{1});
        Value goesOn = arith::XOrIOp::create(b, loc, isDone, integerLike(b, loc, isDone, 1));
        scf::ConditionOp::create(b, loc, goesOn, found);
      },
      [](OpBuilder &b, Location loc, ValueRange seen) { scf::YieldOp::create(b, loc, seen); });
  return fromWord(b, loc, loop.getResult(0), type);
}

static Value emitReadModifyWrite(OpBuilder &b, tt::AtomicRMWOp op, Value pointer, Value value) {
  const Location loc = op.getLoc();
  const Type type = value.getType();
  const tt::RMWOp kind = op.getAtomicRmwOp();
  const bool isExtreme = kind == tt::RMWOp::MAX || kind == tt::RMWOp::MIN;
  const bool isExchange = kind == tt::RMWOp::XCHG;
  if (isa<FloatType>(type) && !isExchange && (isExtreme || type.getIntOrFloatBitWidth() == 16))
    return emitFloatUpdate(b, op, pointer, value);
  Value old = LLVM::AtomicRMWOp::create(b, loc, binaryOf(kind), pointer,
                                        isExchange ? toWord(b, loc, value) : value,
                                        orderingOf(op.getSem()));
  return isExchange ? fromWord(b, loc, old, type) : old;
}

/// One element: the value that was there before.
static Value emitAtomic(OpBuilder &b, Operation *op, Value pointer, ValueRange values) {
  const Location loc = op->getLoc();
  if (auto rmw = dyn_cast<tt::AtomicRMWOp>(op))
    return emitReadModifyWrite(b, rmw, pointer, values[0]);
  auto exchange = LLVM::AtomicCmpXchgOp::create(
      b, loc, pointer, toWord(b, loc, values[0]), toWord(b, loc, values[1]),
      orderingOf(cast<tt::AtomicCASOp>(op).getSem()), LLVM::AtomicOrdering::monotonic);
  Value old = LLVM::ExtractValueOp::create(b, loc, exchange, ArrayRef<int64_t>{0});
  return fromWord(b, loc, old, values[0].getType());
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

void KernelLowering::lowerPoll(tt::AtomicPollOp poll) {
  OpBuilder &b = m_builder;
  Type word = b.getI64Type(), truth = b.getI1Type();
  Value address = scalar(poll.getPtr()), expected = scalar(poll.getExpected()), isOn;
  checkAtomic(poll, address, isOn);
  const int64_t bytes = memoryBytesOf(expected.getType());
  if (expected.getType() != word)
    expected = arith::ExtSIOp::create(b, m_loc, word, expected);
  const auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, m_loc, value, 64);
  };
  const SmallVector<Value> operands{address, expected, number(bytes),
                                    poll.getTimeout() ? scalar(poll.getTimeout()) : number(-1)};
  auto function = LLVM::lookupOrCreateFn(b, m_module, kPollFunction,
                                         {address.getType(), word, word, word}, truth);
  const auto wait = [&](OpBuilder &b, Location loc) -> Value {
    return LLVM::CallOp::create(b, loc, *function, operands).getResult();
  };
  Value isSeen;
  if (isOn)
    isSeen = scf::IfOp::create(
                 b, m_loc, isOn,
                 [&](OpBuilder &b, Location loc) { scf::YieldOp::create(b, loc, wait(b, loc)); },
                 [&](OpBuilder &b, Location loc) {
                   Value no = arith::ConstantIntOp::create(b, loc, 0, 1);
                   scf::YieldOp::create(b, loc, no);
                 })
                 .getResult(0);
  else
    isSeen = wait(b, m_loc);
  m_scalars.map(poll.getResult(), isSeen);
}

} // namespace tilescope::cpu
