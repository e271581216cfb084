// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Doubts about races and undefined values. A run of neighbors that nobody has written yet, which is what
// most stores are, costs a look at their marks:
//
//     old = marks[first .. first + lanes]           masked as the store is
//     if any(old): checkStore(…)                    looks closely (StoreMarks.h)
//     store
//     marks[first .. first + lanes] = mark
#include "compiler/conversion/tt_to_cpu/LeftOutLoads.h"
#include "compiler/conversion/tt_to_cpu/Lowering.h"
#include "compiler/conversion/tt_to_cpu/StoreMarks.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <bit>

using namespace mlir;

namespace tilescope::cpu {

static constexpr unsigned kMarkBytes = sizeof(uint32_t);

Value KernelLowering::inHead(size_t offset) {
  OpBuilder &b = m_builder;
  Value place = arith::ConstantIntOp::create(b, m_loc, static_cast<int64_t>(offset), 64);
  return elementAddress(b, m_loc, m_scratch, place, b.getI8Type());
}

void KernelLowering::noteInHead(Value isDoubtful, size_t offset) {
  scf::IfOp::create(m_builder, m_loc, isDoubtful, [&](OpBuilder &b, Location loc) {
    Value yes = arith::ConstantIntOp::create(b, loc, 1, 8);
    LLVM::StoreOp::create(b, loc, yes, inHead(offset));
    scf::YieldOp::create(b, loc);
  });
}

/// Of a store that may go to one of several arguments, nothing is known.
void KernelLowering::noteUnknownStore() {
  noteInHead(arith::ConstantIntOp::create(m_builder, m_loc, 1, 1), offsetof(CheckHead, hasRace));
}

void KernelLowering::beginStore() {
  OpBuilder &b = m_builder;
  Type type = b.getI32Type();
  Value last = LLVM::LoadOp::create(b, m_loc, type, inHead(offsetof(CheckHead, mark)));
  Value bits = LLVM::LoadOp::create(b, m_loc, type, inHead(offsetof(CheckHead, executionBits)));
  Value one = arith::ConstantIntOp::create(b, m_loc, 1, 32),
        all = arith::ConstantIntOp::create(b, m_loc, -1, 32);
  Value number = arith::AndIOp::create(b, m_loc, arith::AddIOp::create(b, m_loc, last, one), bits);
  Value program = arith::AndIOp::create(b, m_loc, last, arith::XOrIOp::create(b, m_loc, bits, all));
  m_mark = arith::OrIOp::create(b, m_loc, program, number);
  LLVM::StoreOp::create(b, m_loc, m_mark, inHead(offsetof(CheckHead, mark)));
}

/// Of the first element, or of each, from the start of the argument.
static Value offsetsOf(OpBuilder &b, Location loc, const CheckedTarget &target) {
  Value start = splat(b, loc, target.area.start, lanesOf(target.address));
  return arith::SubIOp::create(b, loc, target.address, start);
}

void KernelLowering::callCheckStore(const CheckedTarget &target, Value value, Value mask) {
  OpBuilder &b = m_builder;
  const int64_t lanes = lanesOf(target.address);
  const auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, m_loc, value, 64);
  };
  if (isa<LLVM::LLVMPointerType>(getElementTypeOrSelf(value.getType())))
    value = LLVM::PtrToIntOp::create(b, m_loc, typeLike(value, b.getI64Type()), value);
  const int64_t bytes = memoryBytesOf(getElementTypeOrSelf(value.getType()));
  if (!mask && lanes)
    mask = allLanes(b, m_loc, lanes);
  else if (!mask)
    mask = arith::ConstantIntOp::create(b, m_loc, 1, 1);
  Type pointer = LLVM::LLVMPointerType::get(b.getContext()), word = b.getI64Type();
  Value start = arith::AddIOp::create(b, m_loc, target.area.start, target.area.distance);
  Value memory = LLVM::IntToPtrOp::create(b, m_loc, pointer, start);
  Value marks = LLVM::IntToPtrOp::create(b, m_loc, pointer, target.area.marks);
  FailureOr<LLVM::LLVMFuncOp> function =
      LLVM::lookupOrCreateFn(b, m_module, StringRef(kCheckStore),
                             {pointer, pointer, pointer, pointer, pointer, pointer, word, word},
                             LLVM::LLVMVoidType::get(b.getContext()));
  LLVM::CallOp::create(b, m_loc, *function,
                       ValueRange{m_scratch, marks, memory, keepTile(offsetsOf(b, m_loc, target)),
                                  keepTile(mask), keepTile(splat(b, m_loc, value, lanes)),
                                  number(std::max<int64_t>(lanes, 1)), number(bytes)});
}

Value KernelLowering::checkRun(const CheckedTarget &first, Value value, Value mask) {
  if (!m_options.noteDoubts)
    return {};
  if (!first.area.marks) {
    noteUnknownStore();
    return {};
  }
  OpBuilder &b = m_builder;
  const int64_t lanes = lanesOf(value),
                bytes = memoryBytesOf(getElementTypeOrSelf(value.getType()));
  const int shift = std::countr_zero(static_cast<uint64_t>(bytes));
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value index = arith::ShRUIOp::create(b, m_loc, offsetsOf(b, m_loc, first),
                                       arith::ConstantIntOp::create(b, m_loc, shift, 64));
  Value table = LLVM::IntToPtrOp::create(b, m_loc, pointer, first.area.marks);
  Value place = elementAddress(b, m_loc, table, index, b.getI32Type());
  auto type = VectorType::get({lanes}, b.getI32Type());
  Value none = arith::ConstantOp::create(b, m_loc, cast<TypedAttr>(b.getZeroAttr(type)));
  Value old;
  if (mask)
    old = LLVM::MaskedLoadOp::create(b, m_loc, type, place, mask, none,
                                     b.getI32IntegerAttr(kMarkBytes), UnitAttr());
  else
    old = LLVM::LoadOp::create(b, m_loc, type, place, kMarkBytes);
  Value any = vector::ReductionOp::create(b, m_loc, vector::CombiningKind::OR, old);
  Value isMet = arith::CmpIOp::create(b, m_loc, arith::CmpIPredicate::ne, any,
                                      arith::ConstantIntOp::create(b, m_loc, 0, 32));
  auto branch = scf::IfOp::create(b, m_loc, isMet, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  callCheckStore(targetOfRun(first, lanes, bytes), value, mask);
  return place;
}

void KernelLowering::markRun(Value marks, int64_t lanes, Value mask) {
  if (!marks)
    return;
  OpBuilder &b = m_builder;
  Value mark = splat(b, m_loc, m_mark, lanes);
  if (mask)
    LLVM::MaskedStoreOp::create(b, m_loc, mark, marks, mask, b.getI32IntegerAttr(kMarkBytes));
  else
    LLVM::StoreOp::create(b, m_loc, mark, marks, kMarkBytes);
}

void KernelLowering::checkStored(const CheckedTarget &target, Value value, Value mask) {
  if (!m_options.noteDoubts)
    return;
  if (target.area.marks)
    callCheckStore(target, value, mask);
  else
    noteUnknownStore();
}

void KernelLowering::noteLeftOut(tt::LoadOp load, Value mask) {
  if (!mask || !m_leakingLoads.contains(load))
    return;
  OpBuilder &b = m_builder;
  if (lanesOf(mask))
    mask = vector::ReductionOp::create(b, m_loc, vector::CombiningKind::AND, mask);
  Value isSome =
      arith::XOrIOp::create(b, m_loc, mask, arith::ConstantIntOp::create(b, m_loc, 1, 1));
  noteInHead(isSome, offsetof(CheckHead, hasLeftOut));
}

void KernelLowering::noteZeroDivisor(Operation *op, ValueRange operands) {
  if (!m_options.noteDoubts ||
      !isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
    return;
  Value divisor = operands[1];
  if (lanesOf(divisor) || divisor.getDefiningOp<arith::ConstantOp>())
    return;
  Value zero = integerLike(m_builder, m_loc, divisor, 0);
  noteInHead(arith::CmpIOp::create(m_builder, m_loc, arith::CmpIPredicate::eq, divisor, zero),
             offsetof(CheckHead, hasZeroDivisor));
}

} // namespace tilescope::cpu
