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
//
// Where the argument is loaded, too, each load says who reads:
//
//     old = reads[first .. first + lanes]           masked as the load is
//     reads[…] = mine where old is 0 or mine, else "several"
#include "compiler/conversion/tt_to_cpu/LeftOutLoads.h"
#include "compiler/conversion/tt_to_cpu/Lowering.h"
#include "compiler/conversion/tt_to_cpu/MaskedRuns.h"
#include "compiler/conversion/tt_to_cpu/StoreMarks.h"
#include "compiler/conversion/tt_to_cpu/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <bit>

using namespace mlir;

namespace tilescope::cpu {

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

void KernelLowering::callCheckStore(StringRef function, const CheckedTarget &target, Value value,
                                    Value offsets, Value mask) {
  OpBuilder &b = m_builder;
  const auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, m_loc, value, 64);
  };
  if (isa<LLVM::LLVMPointerType>(getElementTypeOrSelf(value.getType())))
    value = LLVM::PtrToIntOp::create(b, m_loc, typeLike(value, b.getI64Type()), value);
  const int64_t bytes = memoryBytesOf(getElementTypeOrSelf(value.getType()));
  Type pointer = LLVM::LLVMPointerType::get(b.getContext()), word = b.getI64Type();
  Value start = arith::AddIOp::create(b, m_loc, target.area.start, target.area.distance);
  Value memory = LLVM::IntToPtrOp::create(b, m_loc, pointer, start);
  Value marks = LLVM::IntToPtrOp::create(b, m_loc, pointer, target.area.marks);
  FailureOr<LLVM::LLVMFuncOp> callee = LLVM::lookupOrCreateFn(
      b, m_module, function,
      {pointer, pointer, pointer, offsets.getType(), mask.getType(), pointer, word, word},
      LLVM::LLVMVoidType::get(b.getContext()));
  LLVM::CallOp::create(b, m_loc, *callee,
                       ValueRange{m_scratch, marks, memory, offsets, mask, keepTile(value),
                                  number(std::max<int64_t>(lanesOf(value), 1)), number(bytes)});
}

/// The place in a table of marks of an element that is so many bytes behind the start of the argument.
static Value markAt(OpBuilder &b, Location loc, Value table, Value offset, int64_t bytes) {
  const int shift = std::countr_zero(static_cast<uint64_t>(bytes));
  Value index =
      arith::ShRUIOp::create(b, loc, offset, arith::ConstantIntOp::create(b, loc, shift, 64));
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  return elementAddress(b, loc, LLVM::IntToPtrOp::create(b, loc, pointer, table), index,
                        b.getI32Type());
}

/// Marks of a run, 0 where they are masked off, or one.
static Value loadMarks(OpBuilder &b, Location loc, Value place, int64_t lanes, Value mask,
                       unsigned registerBytes) {
  if (lanes == 0)
    return LLVM::LoadOp::create(b, loc, b.getI32Type(), place, kMarkBytes);
  auto type = VectorType::get({lanes}, b.getI32Type());
  if (!mask)
    return LLVM::LoadOp::create(b, loc, type, place, kMarkBytes);
  Value none = arith::ConstantOp::create(b, loc, cast<TypedAttr>(b.getZeroAttr(type)));
  return loadMaskedRun(b, loc, type, place, mask, none, kMarkBytes, registerBytes);
}

static void storeMarks(OpBuilder &b, Location loc, Value marks, Value place, Value mask,
                       unsigned registerBytes) {
  if (mask)
    storeMaskedRun(b, loc, marks, place, mask, kMarkBytes, registerBytes);
  else
    LLVM::StoreOp::create(b, loc, marks, place, kMarkBytes);
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
  Value offset = offsetsOf(b, m_loc, first);
  Value place = markAt(b, m_loc, first.area.marks, offset, bytes);
  Value old = loadMarks(b, m_loc, place, lanes, mask, m_options.vectorBytes);
  Value any = vector::ReductionOp::create(b, m_loc, vector::CombiningKind::OR, old);
  Value isMet = arith::CmpIOp::create(b, m_loc, arith::CmpIPredicate::ne, any,
                                      arith::ConstantIntOp::create(b, m_loc, 0, 32));
  auto branch = scf::IfOp::create(b, m_loc, isMet, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  Value wanted = bitsOfMask(b, m_loc, mask ? mask : allLanes(b, m_loc, lanes));
  callCheckStore(StringRef(first.area.reads ? kCheckInPlaceOfRun : kCheckStoreOfRun), first, value,
                 offset, wanted);
  return place;
}

/// Those of the same lanes in a program that comes soon.
void KernelLowering::fetchMarks(tt::StoreOp store, const Place &place, const CheckedTarget &first,
                                int64_t lanes) {
  if (!first.area.marks || !m_next.isKnown(store))
    return;
  OpBuilder &b = m_builder;
  auto type = cast<RankedTensorType>(store.getValue().getType());
  CheckedTarget next = first;
  Value pointer = firstOfNext(store.getPtr(), place, type.getNumElements() * kMarkBytes);
  next.address = LLVM::PtrToIntOp::create(b, m_loc, b.getI64Type(), pointer);
  Value marks = markAt(b, m_loc, first.area.marks, offsetsOf(b, m_loc, next),
                       memoryBytesOf(elementTypeOf(type)));
  fetchLines(b, m_loc, marks, lanes * kMarkBytes);
}

void KernelLowering::markRun(Value marks, int64_t lanes, Value mask) {
  if (!marks)
    return;
  storeMarks(m_builder, m_loc, splat(m_builder, m_loc, m_mark, lanes), marks, mask,
             m_options.vectorBytes);
}

void KernelLowering::checkStored(const CheckedTarget &target, Value value, Value mask) {
  if (!m_options.noteDoubts)
    return;
  if (!target.area.marks)
    return noteUnknownStore();
  OpBuilder &b = m_builder;
  const int64_t lanes = lanesOf(target.address);
  if (!mask)
    mask = lanes ? allLanes(b, m_loc, lanes) : Value(arith::ConstantIntOp::create(b, m_loc, 1, 1));
  Value offsets = keepTile(offsetsOf(b, m_loc, target));
  callCheckStore(StringRef(target.area.reads ? kCheckInPlace : kCheckStore), target,
                 splat(b, m_loc, value, lanes), offsets, keepTile(mask));
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

/// The program in a mark of reading.
static Value readerMark(OpBuilder &b, Location loc, Value mark, Value executionBits) {
  Value all = arith::ConstantIntOp::create(b, loc, -1, 32);
  return arith::AndIOp::create(b, loc, mark, arith::XOrIOp::create(b, loc, executionBits, all));
}

void KernelLowering::noteRead(const CheckedTarget &target, Value mask, int64_t bytes,
                              int64_t lanes) {
  if (!target.area.reads)
    return;
  OpBuilder &b = m_builder;
  if (const int64_t scattered = lanesOf(target.address)) {
    Type pointer = LLVM::LLVMPointerType::get(b.getContext()), word = b.getI64Type();
    FailureOr<LLVM::LLVMFuncOp> function = LLVM::lookupOrCreateFn(
        b, m_module, StringRef(kNoteRead), {pointer, pointer, pointer, pointer, word, word},
        LLVM::LLVMVoidType::get(b.getContext()));
    Value reads = LLVM::IntToPtrOp::create(b, m_loc, pointer, target.area.reads);
    mask = mask ? mask : allLanes(b, m_loc, scattered);
    LLVM::CallOp::create(b, m_loc, *function,
                         ValueRange{m_scratch, reads, keepTile(offsetsOf(b, m_loc, target)),
                                    keepTile(mask),
                                    arith::ConstantIntOp::create(b, m_loc, scattered, 64),
                                    arith::ConstantIntOp::create(b, m_loc, bytes, 64)});
    return;
  }
  const auto note = [&](OpBuilder &b, Location loc) {
    const auto inHeadWord = [&](size_t offset) -> Value {
      return LLVM::LoadOp::create(b, loc, b.getI32Type(), inHead(offset));
    };
    Value mine = splat(b, loc,
                       readerMark(b, loc, inHeadWord(offsetof(CheckHead, mark)),
                                  inHeadWord(offsetof(CheckHead, executionBits))),
                       lanes);
    Value place = markAt(b, loc, target.area.reads, offsetsOf(b, loc, target), bytes);
    Value lanesMask = lanes ? mask : Value();
    Value old = loadMarks(b, loc, place, lanes, lanesMask, m_options.vectorBytes);
    const auto is = [&](Value other) {
      return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, old, other);
    };
    Value isAlone = arith::OrIOp::create(b, loc, is(integerLike(b, loc, old, 0)), is(mine));
    Value marks = arith::SelectOp::create(b, loc, isAlone, mine,
                                          integerLike(b, loc, old, int32_t(kReadBySeveral)));
    storeMarks(b, loc, marks, place, lanesMask, m_options.vectorBytes);
  };
  if (lanes || !mask)
    return note(b, m_loc);
  scf::IfOp::create(b, m_loc, mask, [&](OpBuilder &inner, Location loc) {
    note(inner, loc);
    scf::YieldOp::create(inner, loc);
  });
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
